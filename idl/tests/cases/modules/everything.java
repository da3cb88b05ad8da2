//--- every/Box.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Argument;
import carnet.Cost;
import carnet.Does;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;

/** Something that holds a number. */
@Interface(name = "every::Box", hash = 0xb0ce4cd5f5048a4eL)
public interface Box {
    /**
     * The operation {@code put}.
     *
     * @param value {@code long long}
     */
    @Operation(name = "put", hash = 0x14c5709fa7d086f5L)
    @Writes
    @Does({"put into", "box", "boxes"})
    void put(long value);

    /**
     * The operation {@code get}.
     *
     * @return {@code long long}
     */
    @Operation(name = "get", hash = 0x987be5ee4b4070abL)
    @Reads
    long get();

    /**
     * The operation {@code parse}.
     *
     * @param text {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @return {@code Box}
     */
    @Operation(name = "parse", hash = 0xf3cdcb845e178e5cL)
    @Argument
    @Reads
    Box parse(String text);

    /**
     * The operation {@code work}.
     *
     * @param n {@code long long}
     * @return {@code long long}
     */
    @Operation(name = "work", hash = 0xe003d361a354f6c4L)
    @Writes
    @Cost(bytes = "n")
    long work(long n);
}
//--- every/Color.java
// Made from the interface every; changes here are lost.

package every;

/** The enum {@code Color}. */
public enum Color {
    RED,
    DARK_GREEN,
    SELF
}
//--- every/Constants.java
// Made from the interface every; changes here are lost.

package every;

/** The constants of the interface {@code every}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code BASE}. */
    public static final int BASE = 8;

    /** The constant {@code LIMIT}. */
    public static final long LIMIT = 64L;
}
//--- every/Echo.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Blocks;
import carnet.Bounds;
import carnet.Bytes;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Echo}. */
@Interface(name = "every::Echo", hash = 0xceeec242b63132f5L)
public interface Echo {
    /**
     * Takes time.
     *
     * @param i {@code long long}
     * @param j {@code long long}
     * @param k {@code long long}
     * @return {@code long long}
     */
    @Operation(name = "add", hash = 0xe40fcbf961194d90L)
    @Reads
    @Blocks
    long add(long i, long j, long k);

    /**
     * The operation {@code flip}.
     *
     * @param on {@code boolean}
     * @return {@code boolean}
     */
    @Operation(name = "flip", hash = 0x1f02c973d6128bd9L)
    @Writes
    @Idempotent
    boolean flip(boolean on);

    /**
     * The operation {@code octets}.
     *
     * @param a {@code octet}: 0 to 255
     * @return all that comes back
     */
    @Operation(name = "octets", hash = 0xd561f8ca8bf5b47eL)
    @Writes
    OctetsResult octets(int a);

    /**
     * What {@code octets} gives back.
     *
     * @param result {@code octet}: 0 to 255
     * @param b {@code octet}: 0 to 255
     */
    record OctetsResult(int result, int b) {
        /** Checks all bounds. */
        public OctetsResult {
            Bounds.uint8("result", result);
            Bounds.uint8("b", b);
        }
    }

    /**
     * The operation {@code shorts}.
     *
     * @param a {@code short}
     * @param b {@code unsigned short}: 0 to 65535
     * @return all that comes back
     */
    @Operation(name = "shorts", hash = 0xc21d6ef9fc1e1832L)
    @Writes
    ShortsResult shorts(short a, int b);

    /**
     * What {@code shorts} gives back.
     *
     * @param result {@code short}
     * @param c {@code unsigned short}: 0 to 65535
     */
    record ShortsResult(short result, int c) {
        /** Checks all bounds. */
        public ShortsResult {
            Bounds.uint16("c", c);
        }
    }

    /**
     * The operation {@code longs}.
     *
     * @param a {@code long}
     * @param b {@code unsigned long}: 0 to 4294967295
     * @return all that comes back
     */
    @Operation(name = "longs", hash = 0x23c23247e0b9de56L)
    @Writes
    LongsResult longs(int a, long b);

    /**
     * What {@code longs} gives back.
     *
     * @param result {@code long}
     * @param c {@code unsigned long}: 0 to 4294967295
     */
    record LongsResult(int result, long c) {
        /** Checks all bounds. */
        public LongsResult {
            Bounds.uint32("c", c);
        }
    }

    /**
     * The operation {@code wide}.
     *
     * @param a {@code unsigned long long}: not negative
     * @return {@code unsigned long long}: not negative
     */
    @Operation(name = "wide", hash = 0xe2b237bf4a527700L)
    @Writes
    long wide(long a);

    /**
     * The operation {@code colors}.
     *
     * @param a {@code Color}
     * @return all that comes back
     */
    @Operation(name = "colors", hash = 0x8ae56de29fe95126L)
    @Writes
    ColorsResult colors(Color a);

    /**
     * What {@code colors} gives back.
     *
     * @param result {@code Color}
     * @param b {@code Color}
     */
    record ColorsResult(Color result, Color b) {
        /** Checks all bounds. */
        public ColorsResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code texts}.
     *
     * @param a {@code string<64>}: at most 64 bytes as UTF-8, none of them NUL
     * @return all that comes back
     * @throws Fault as the service says
     */
    @Operation(name = "texts", hash = 0x80afaba6b0ece746L)
    @Writes
    TextsResult texts(String a) throws Fault;

    /**
     * What {@code texts} gives back.
     *
     * @param result {@code string<16>}: at most 16 bytes as UTF-8, none of them NUL
     * @param b {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    record TextsResult(String result, String b) {
        /** Checks all bounds. */
        public TextsResult {
            Bounds.string("result", result, 16);
            Bounds.string("b", b, 4);
        }
    }

    /**
     * The operation {@code blobs}.
     *
     * @param a {@code sequence<octet, 8>}: at most 8 bytes
     * @return {@code sequence<octet, 8>}: at most 8 bytes
     */
    @Operation(name = "blobs", hash = 0x6b3a8e0dfd6f5062L)
    @Writes
    Bytes blobs(Bytes a);

    /**
     * The operation {@code spots}.
     *
     * @param a {@code sequence<Spot, 4>}: at most 4 elements
     * @return all that comes back
     */
    @Operation(name = "spots", hash = 0x44ad2ea29e174cb3L)
    @Writes
    SpotsResult spots(List<Spot> a);

    /**
     * What {@code spots} gives back.
     *
     * @param result {@code sequence<Spot, 4>}: at most 4 elements
     * @param count {@code long}
     */
    record SpotsResult(List<Spot> result, int count) {
        /** Checks all bounds. */
        public SpotsResult {
            result = Bounds.list("result", result, 4);
        }
    }

    /**
     * The operation {@code numbers}.
     *
     * @param a {@code sequence<long, 3>}: at most 3 elements
     * @return {@code sequence<long, 3>}: at most 3 elements
     */
    @Operation(name = "numbers", hash = 0x6395efbbef075bddL)
    @Writes
    List<Integer> numbers(List<Integer> a);

    /**
     * The operation {@code others}.
     *
     * @param a {@code sequence<I32, 3>}: at most 3 elements
     * @return {@code sequence<I32, 3>}: at most 3 elements
     */
    @Operation(name = "others", hash = 0xbec832c9392c481cL)
    @Writes
    List<I32> others(List<I32> a);

    /**
     * The operation {@code words}.
     *
     * @param a {@code sequence<string<5>, 3>}: at most 3 elements
     * @return {@code sequence<string<5>, 3>}: at most 3 elements
     */
    @Operation(name = "words", hash = 0x469425fd76879e4eL)
    @Writes
    List<String> words(List<String> a);

    /**
     * The operation {@code palette}.
     *
     * @param a {@code sequence<Color, 3>}: at most 3 elements
     * @return all that comes back
     */
    @Operation(name = "palette", hash = 0xa58a12a8a1f8eb08L)
    @Writes
    PaletteResult palette(List<Color> a);

    /**
     * What {@code palette} gives back.
     *
     * @param result {@code sequence<Color, 3>}: at most 3 elements
     * @param b {@code sequence<boolean, 3>}: at most 3 elements
     */
    record PaletteResult(List<Color> result, List<Boolean> b) {
        /** Checks all bounds. */
        public PaletteResult {
            result = Bounds.list("result", result, 3);
            b = Bounds.list("b", b, 3);
        }
    }

    /**
     * The operation {@code ids}.
     *
     * @param a {@code sequence<unsigned long long, 3>}: at most 3 elements
     * @return {@code sequence<unsigned long long, 3>}: at most 3 elements
     */
    @Operation(name = "ids", hash = 0x7b58507bac9e7c79L)
    @Writes
    List<Long> ids(List<Long> a);

    /**
     * The operation {@code move_spot}.
     *
     * @param a {@code Spot}
     * @param by {@code Point}
     * @return {@code Spot}
     */
    @Operation(name = "move_spot", hash = 0x1250ec49de08e53dL)
    @Writes
    Spot moveSpot(Spot a, Point by);

    /**
     * The operation {@code bump}.
     *
     * @param a {@code long}
     * @param b {@code Plain}
     * @param by {@code long}
     * @return all that comes back
     */
    @Operation(name = "bump", hash = 0x88e354df9ce90bc0L)
    @Writes
    BumpResult bump(int a, Plain b, int by);

    /**
     * What {@code bump} gives back.
     *
     * @param a {@code long}
     * @param b {@code Plain}
     * @param sum {@code long}
     */
    record BumpResult(int a, Plain b, int sum) {
        /** Checks all bounds. */
        public BumpResult {
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code count}.
     *
     * @param a {@code unsigned long long}: not negative
     * @param b {@code boolean}
     * @param c {@code Color}
     * @param d {@code long long}
     * @param fail {@code long}
     * @return all that comes back
     */
    @Operation(name = "count", hash = 0xe180e419ae23ef65L)
    @Writes
    CountResult count(long a, boolean b, Color c, long d, int fail);

    /**
     * What {@code count} gives back.
     *
     * @param a {@code unsigned long long}: not negative
     * @param b {@code boolean}
     * @param c {@code Color}
     * @param d {@code long long}
     */
    record CountResult(long a, boolean b, Color c, long d) {
        /** Checks all bounds. */
        public CountResult {
            Bounds.uint64("a", a);
            Bounds.present("c", c);
        }
    }

    /** The operation {@code nothing}. */
    @Operation(name = "nothing", hash = 0x95503a885fc99a24L)
    @Writes
    void nothing();

    /**
     * The operation {@code fail}.
     *
     * @param color {@code Color}
     * @throws Fault as the service says
     */
    @Operation(name = "fail", hash = 0x133afc55d4166d8cL)
    @Writes
    void fail(Color color) throws Fault;

    /**
     * The operation {@code again}.
     *
     * @param other {@code Echo}
     * @return all that comes back
     */
    @Operation(name = "again", hash = 0xd6572bf2feab6a1cL)
    @Writes
    AgainResult again(Echo other);

    /**
     * What {@code again} gives back.
     *
     * @param result {@code Echo}
     * @param box {@code Box}
     */
    record AgainResult(Echo result, Box box) {
        /** Checks all bounds. */
        public AgainResult {
            Bounds.present("result", result);
            Bounds.present("box", box);
        }
    }

    /**
     * Words that mean something in Rust.
     *
     * @param self {@code long}
     * @param call {@code long}
     * @param words {@code long}
     * @param fn {@code long}
     * @return all that comes back
     */
    @Operation(name = "type", hash = 0xfa2b34bc300559e7L)
    @Writes
    TypeResult type(int self, int call, int words, int fn);

    /**
     * What {@code type} gives back.
     *
     * @param result {@code long}
     * @param result_ {@code long}
     */
    record TypeResult(int result, int result_) {}
}
//--- every/Empty.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Interface;

/** The interface {@code Empty}. */
@Interface(name = "every::Empty", hash = 0x5f04b936bb044caeL)
public interface Empty {}
//--- every/Fault.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Bounds;

/** The exception {@code Fault}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Fault extends Exception {
    private final Reason kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code Reason}
     * @param message what people read; cut to 20 bytes as UTF-8
     */
    public Fault(Reason kind, String message) {
        super(Bounds.cut(message, 20));
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
     * @return {@code string<20>}: at most 20 bytes as UTF-8, none of them NUL
     */
    public String message() {
        return message;
    }
}
//--- every/I32.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Bounds;

/**
 * Its list's writer would have the name of that of numbers.
 *
 * @param value {@code unsigned long long}: not negative
 */
public record I32(long value) {
    /** Checks all bounds. */
    public I32 {
        Bounds.uint64("value", value);
    }
}
//--- every/Plain.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Bounds;

/**
 * The struct {@code Plain}.
 *
 * @param on {@code boolean}
 * @param color {@code Color}
 * @param level {@code octet}: 0 to 255
 */
public record Plain(boolean on, Color color, int level) {
    /** Checks all bounds. */
    public Plain {
        Bounds.present("color", color);
        Bounds.uint8("level", level);
    }
}
//--- every/Point.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Bounds;

/**
 * A point with a name.
 *
 * @param x {@code short}
 * @param y {@code unsigned short}: 0 to 65535
 */
public record Point(short x, int y) {
    /** Checks all bounds. */
    public Point {
        Bounds.uint16("y", y);
    }
}
//--- every/Reason.java
// Made from the interface every; changes here are lost.

package every;

/** The enum {@code Reason}. */
public enum Reason {
    NONE,
    BROKEN
}
//--- every/Spot.java
// Made from the interface every; changes here are lost.

package every;

import carnet.Bounds;
import carnet.Bytes;

/**
 * The struct {@code Spot}.
 *
 * @param name {@code string<64>}: at most 64 bytes as UTF-8, none of them NUL
 * @param at {@code Point}
 * @param color {@code Color}
 * @param digest {@code sequence<octet, 16>}: at most 16 bytes
 * @param id {@code unsigned long long}: not negative
 */
public record Spot(String name, Point at, Color color, Bytes digest, long id) {
    /** Checks all bounds. */
    public Spot {
        Bounds.string("name", name, 64);
        Bounds.present("at", at);
        Bounds.present("color", color);
        Bounds.bytes("digest", digest, 16);
        Bounds.uint64("id", id);
    }
}
//--- every/package-info.java
// Made from the interface every; changes here are lost.

/**
 * One operation for each thing that a stub must be able to do.
 */
@carnet.Module(name = "every", version = "2.1", unknown = "")
package every;
