//--- landing/Card.java
// Made from the interface landing; changes here are lost.

package landing;

import carnet.Bounds;
import carnet.Bytes;

/**
 * The struct {@code Card}.
 *
 * @param name {@code string<100>}: at most 100 bytes as UTF-8, none of them NUL
 * @param picture {@code sequence<octet, 100000>}: at most 100000 bytes
 */
public record Card(String name, Bytes picture) {
    /** Checks all bounds. */
    public Card {
        Bounds.string("name", name, 100);
        Bounds.bytes("picture", picture, 100000);
    }
}
//--- landing/Constants.java
// Made from the interface landing; changes here are lost.

package landing;

/** The constants of the interface {@code landing}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code TEXT_MAX}. */
    public static final long TEXT_MAX = 200000L;
}
//--- landing/Pair.java
// Made from the interface landing; changes here are lost.

package landing;

/**
 * The struct {@code Pair}.
 *
 * @param a {@code long long}
 * @param b {@code long long}
 */
public record Pair(long a, long b) {}
//--- landing/Refused.java
// Made from the interface landing; changes here are lost.

package landing;

import carnet.Bounds;

/** The exception {@code Refused}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Refused extends Exception {
    private final Why kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code Why}
     * @param message what people read; cut to 100 bytes as UTF-8
     */
    public Refused(Why kind, String message) {
        super(Bounds.cut(message, 100));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code Why}
     */
    public Why kind() {
        return kind;
    }

    /**
     * The member {@code message}.
     *
     * @return {@code string<100>}: at most 100 bytes as UTF-8, none of them NUL
     */
    public String message() {
        return message;
    }
}
//--- landing/Source.java
// Made from the interface landing; changes here are lost.

package landing;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Source}. */
@Interface(name = "landing::Source", hash = 0x0daa9c58011af58bL)
public interface Source {
    /**
     * So many bytes, each of which its place says.
     *
     * @param len {@code long long}
     * @return {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    @Operation(name = "bytes", hash = 0x228830c3fdcb5d4eL)
    @Writes
    Bytes bytes(long len);

    /**
     * So many letters; none if fewer than none are wanted.
     *
     * @param len {@code long long}
     * @return {@code string<200000>}: at most 200000 bytes as UTF-8, none of them NUL
     * @throws Refused as the service says
     */
    @Operation(name = "text", hash = 0x49513d48466ddf79L)
    @Writes
    String text(long len) throws Refused;

    /**
     * The bytes turned round.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    @Operation(name = "turn", hash = 0x6ffc4287281cc368L)
    @Writes
    Bytes turn(Bytes a);

    /**
     * As many of all kinds, and the bytes turned round.
     *
     * @param len {@code long long}
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return all that comes back
     */
    @Operation(name = "several", hash = 0x878358731114ba4dL)
    @Writes
    SeveralResult several(long len, Bytes a);

    /**
     * What {@code several} gives back.
     *
     * @param result {@code long long}
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param b {@code string<200000>}: at most 200000 bytes as UTF-8, none of them NUL
     * @param c {@code long long}
     * @param d {@code sequence<Pair, 4000>}: at most 4000 elements
     * @param e {@code sequence<string<9>, 1000>}: at most 1000 elements
     */
    record SeveralResult(long result, Bytes a, String b, long c, List<Pair> d, List<String> e) {
        /** Checks all bounds. */
        public SeveralResult {
            Bounds.bytes("a", a, 1048576);
            Bounds.string("b", b, 200000);
            d = Bounds.list("d", d, 4000);
            e = Bounds.list("e", e, 1000, each -> Bounds.string("e", each, 9));
        }
    }

    /**
     * What lies in a struct, and beside it.
     *
     * @param len {@code long long}
     * @return all that comes back
     */
    @Operation(name = "card", hash = 0xe5dc6603b8ea0c17L)
    @Writes
    CardResult card(long len);

    /**
     * What {@code card} gives back.
     *
     * @param result {@code Card}
     * @param beside {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    record CardResult(Card result, Bytes beside) {
        /** Checks all bounds. */
        public CardResult {
            Bounds.present("result", result);
            Bounds.bytes("beside", beside, 1048576);
        }
    }

    /**
     * Another one, and so many bytes.
     *
     * @param len {@code long long}
     * @return all that comes back
     */
    @Operation(name = "next", hash = 0x4b2e1771c2dcb7c2L)
    @Writes
    NextResult next(long len);

    /**
     * What {@code next} gives back.
     *
     * @param result {@code Source}
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    record NextResult(Source result, Bytes a) {
        /** Checks all bounds. */
        public NextResult {
            Bounds.present("result", result);
            Bounds.bytes("a", a, 1048576);
        }
    }

    /**
     * The sum of bytes.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return {@code long long}
     */
    @Operation(name = "sum", hash = 0x72d35c162252486eL)
    @Writes
    long sum(Bytes a);
}
//--- landing/Why.java
// Made from the interface landing; changes here are lost.

package landing;

/** The enum {@code Why}. */
public enum Why {
    ASKED
}
//--- landing/package-info.java
// Made from the interface landing; changes here are lost.

/**
 * Data that come back: alone, several at once, beside others.
 */
@carnet.Module(name = "landing", version = "1.0", unknown = "")
package landing;
