//--- shared/Base.java
// Made from the interface shared; changes here are lost.

package shared;

import carnet.Bytes;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Base}. */
@Interface(name = "shared::Base", hash = 0xdb648d45053af64cL)
public interface Base {
    /**
     * Reads the attribute {@code name}.
     *
     * @return {@code string<9>}: at most 9 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "_get_name", hash = 0x518a968e33215fdaL)
    @Reads
    @Idempotent
    String getName();

    /**
     * Reads the attribute {@code client}.
     *
     * @return {@code long long}
     */
    @Operation(name = "_get_client", hash = 0xd1a376fc78f2fa85L)
    @Reads
    @Idempotent
    long getClient();

    /**
     * Sets the attribute {@code client}.
     *
     * @param value {@code long long}
     */
    @Operation(name = "_set_client", hash = 0x66b43b16288278fdL)
    @Writes
    @Idempotent
    void setClient(long value);

    /**
     * The operation {@code kind}.
     *
     * @param at {@code Point}
     * @return {@code Kind}
     * @throws Busy as the service says
     * @throws Gone as the service says
     */
    @Operation(name = "kind", hash = 0xaf4cd2a716cc21d7L)
    @Writes
    Kind kind(Point at) throws Busy, Gone;

    /**
     * The operation {@code points}.
     *
     * @param service {@code sequence<Point, 3>}: at most 3 elements
     * @return {@code sequence<Point, 3>}: at most 3 elements
     */
    @Operation(name = "points", hash = 0x1c933abca0e17f2eL)
    @Writes
    List<Point> points(List<Point> service);

    /**
     * The operation {@code length}.
     *
     * @param base {@code sequence<octet, 8>}: at most 8 bytes
     * @return {@code long}
     */
    @Operation(name = "length", hash = 0xb49c9e121c8f7c2cL)
    @Writes
    int length(Bytes base);

    /**
     * The operation {@code again}.
     *
     * @param other {@code Base}
     * @return {@code Base}
     */
    @Operation(name = "again", hash = 0xf5946a61b4c2c6b9L)
    @Writes
    Base again(Base other);
}
//--- shared/Busy.java
// Made from the interface shared; changes here are lost.

package shared;

import carnet.Bounds;

/** The exception {@code Busy}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Busy extends Exception {
    private final Kind kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code Kind}
     * @param message what people read; cut to 8 bytes as UTF-8
     */
    public Busy(Kind kind, String message) {
        super(Bounds.cut(message, 8));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code Kind}
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The member {@code message}.
     *
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    public String message() {
        return message;
    }
}
//--- shared/Gone.java
// Made from the interface shared; changes here are lost.

package shared;

import carnet.Bounds;

/** The exception {@code Gone}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Gone extends Exception {
    private final Point last;

    /**
     * Checks all bounds.
     *
     * @param last {@code Point}
     */
    public Gone(Point last) {
        super("Gone: last=" + last);
        this.last = Bounds.present("last", last);
    }

    /**
     * The member {@code last}.
     *
     * @return {@code Point}
     */
    public Point last() {
        return last;
    }
}
//--- shared/Kind.java
// Made from the interface shared; changes here are lost.

package shared;

/** The enum {@code Kind}. */
public enum Kind {
    FILE,
    DIR
}
//--- shared/Point.java
// Made from the interface shared; changes here are lost.

package shared;

/**
 * The struct {@code Point}.
 *
 * @param x {@code long}
 * @param y {@code long}
 */
public record Point(int x, int y) {}
//--- shared/package-info.java
// Made from the interface shared; changes here are lost.

/**
 * What another module inherits from.
 */
@carnet.Module(name = "shared", version = "", unknown = "")
package shared;
