//--- plain/Base.java
// Made from the interface plain; changes here are lost.

package plain;

import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Base}. */
@Interface(name = "plain::Base", hash = 0x0a82baf027b8afabL)
public interface Base {
    /**
     * The operation {@code twice}.
     *
     * @param a {@code long}
     * @return {@code long}
     */
    @Operation(name = "twice", hash = 0x0e1b16016b9ff1b0L)
    @Writes
    int twice(int a);

    /** The operation {@code nothing}. */
    @Operation(name = "nothing", hash = 0x39b3d971ffc004b9L)
    @Writes
    void nothing();
}
//--- plain/Color.java
// Made from the interface plain; changes here are lost.

package plain;

/** The enum {@code Color}. */
public enum Color {
    RED,
    DARK_GREEN
}
//--- plain/FS.java
// Made from the interface plain; changes here are lost.

package plain;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The paper's three functions, and what else there is. */
@Interface(name = "plain::FS", hash = 0x8364627d55fb5219L)
public interface FS extends Base {
    /**
     * The operation {@code open}.
     *
     * @param client {@code long long}
     * @param fobj {@code long long}
     * @param flags {@code long long}
     * @param mode {@code long long}
     * @return all that comes back
     */
    @Operation(name = "open", hash = 0x4b3d7cba9ea49e2cL)
    @Writes
    OpenResult open(long client, long fobj, long flags, long mode);

    /**
     * What {@code open} gives back.
     *
     * @param result {@code long long}
     * @param handle {@code long long}
     */
    record OpenResult(long result, long handle) {}

    /**
     * The operation {@code write}.
     *
     * @param handle {@code long long}
     * @param pos {@code long long}
     * @param len {@code long long}
     * @param data {@code sequence<octet, 65536>}: at most 65536 bytes
     * @return all that comes back
     */
    @Operation(name = "write", hash = 0xc7d0e327bdf31a9aL)
    @Writes
    WriteResult write(long handle, long pos, long len, Bytes data);

    /**
     * What {@code write} gives back.
     *
     * @param result {@code long long}
     * @param pos {@code long long}
     */
    record WriteResult(long result, long pos) {}

    /**
     * The operation {@code get_direntries}.
     *
     * @param handle {@code long long}
     * @param pos {@code long long}
     * @param count {@code long long}
     * @return all that comes back
     */
    @Operation(name = "get_direntries", hash = 0x96333af39204f0d1L)
    @Writes
    GetDirentriesResult getDirentries(long handle, long pos, long count);

    /**
     * What {@code get_direntries} gives back.
     *
     * @param result {@code long long}
     * @param pos {@code long long}
     * @param data {@code sequence<octet, 65536>}: at most 65536 bytes
     */
    record GetDirentriesResult(long result, long pos, Bytes data) {
        /** Checks all bounds. */
        public GetDirentriesResult {
            Bounds.bytes("data", data, 65536);
        }
    }

    /**
     * The operation {@code mix}.
     *
     * @param a {@code Color}
     * @param b {@code boolean}
     * @return all that comes back
     * @throws Refused as the service says
     */
    @Operation(name = "mix", hash = 0x73dbbf1c2e151cf9L)
    @Writes
    MixResult mix(Color a, boolean b) throws Refused;

    /**
     * What {@code mix} gives back.
     *
     * @param result {@code Color}
     * @param c {@code octet}: 0 to 255
     */
    record MixResult(Color result, int c) {
        /** Checks all bounds. */
        public MixResult {
            Bounds.present("result", result);
            Bounds.uint8("c", c);
        }
    }

    /**
     * The operation {@code wide}.
     *
     * @param a {@code unsigned long long}: not negative
     * @param b {@code double}
     * @return {@code unsigned long long}: not negative
     */
    @Operation(name = "wide", hash = 0xe3f9a37b570f43d5L)
    @Writes
    long wide(long a, double b);

    /**
     * The operation {@code name}.
     *
     * @param at {@code short}
     * @return {@code string<16>}: at most 16 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "name", hash = 0xc643e396d6b27963L)
    @Writes
    String name(short at);

    /**
     * The operation {@code rename}.
     *
     * @param to {@code string<16>}: at most 16 bytes as UTF-8, none of them NUL
     * @return {@code boolean}
     */
    @Operation(name = "rename", hash = 0xb6bebcbcebef54b5L)
    @Writes
    boolean rename(String to);

    /**
     * The operation {@code put}.
     *
     * @param data {@code sequence<octet, 8>}: at most 8 bytes
     * @throws Refused as the service says
     */
    @Operation(name = "put", hash = 0x5364436a4ae84915L)
    @Writes
    void put(Bytes data) throws Refused;

    /**
     * The operation {@code get}.
     *
     * @return {@code sequence<octet, 8>}: at most 8 bytes
     */
    @Operation(name = "get", hash = 0x524c145ca77c0714L)
    @Writes
    Bytes get();

    /**
     * Not one of them: it hands a portal over.
     *
     * @param other {@code FS}
     * @return {@code FS}
     */
    @Operation(name = "same", hash = 0x2219e85ca9ef3a9fL)
    @Writes
    FS same(FS other);

    /**
     * Nor these: data both ways, and too many results.
     *
     * @param data {@code sequence<octet, 8>}: at most 8 bytes
     * @return {@code sequence<octet, 8>}: at most 8 bytes
     */
    @Operation(name = "turn", hash = 0xd3af0ae02a4238caL)
    @Writes
    Bytes turn(Bytes data);

    /**
     * The operation {@code three}.
     *
     * @param a {@code long}
     * @return all that comes back
     */
    @Operation(name = "three", hash = 0x4a045d20cfde2117L)
    @Writes
    ThreeResult three(int a);

    /**
     * What {@code three} gives back.
     *
     * @param result {@code long}
     * @param b {@code long}
     * @param c {@code long}
     */
    record ThreeResult(int result, int b, int c) {}
}
//--- plain/Reason.java
// Made from the interface plain; changes here are lost.

package plain;

/** The enum {@code Reason}. */
public enum Reason {
    NONE,
    CLOSED
}
//--- plain/Refused.java
// Made from the interface plain; changes here are lost.

package plain;

import carnet.Bounds;

/** The exception {@code Refused}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Refused extends Exception {
    private final Reason kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code Reason}
     * @param message what people read; cut to 40 bytes as UTF-8
     */
    public Refused(Reason kind, String message) {
        super(Bounds.cut(message, 40));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code Reason}
     */
    public Reason kind() {
        return kind;
    }

    /**
     * The member {@code message}.
     *
     * @return {@code string<40>}: at most 40 bytes as UTF-8, none of them NUL
     */
    public String message() {
        return message;
    }
}
//--- plain/package-info.java
// Made from the interface plain; changes here are lost.

/**
 * Operations of plain sessions: each kind of them, at its least and at its most.
 */
@carnet.Module(name = "plain", version = "", unknown = "")
package plain;
