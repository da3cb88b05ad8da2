//--- extremes/Alone.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/** The union {@code Alone}. */
public sealed interface Alone {
    /**
     * What says which arm it is.
     *
     * @return {@code Only}
     */
    Only discriminant();

    /**
     * The arm {@code piece}.
     *
     * @param value {@code sequence<octet, 1>}: at most 1 bytes
     */
    record Piece(carnet.Bytes value) implements Alone {
        /** Checks all bounds. */
        public Piece {
            Bounds.bytes("value", value, 1);
        }

        @Override
        public Only discriminant() {
            return Only.ONE;
        }
    }
}
//--- extremes/Bytes.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/**
 * The struct {@code Bytes}.
 *
 * @param all {@code octet[4096]}: 4096 bytes
 */
public record Bytes(carnet.Bytes all) {
    /** Checks all bounds. */
    public Bytes {
        Bounds.octets("all", all, 4096);
    }
}
//--- extremes/Constants.java
// Made from the interface extremes; changes here are lost.

package extremes;

/** The constants of the interface {@code extremes}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code A_MIN}. */
    public static final byte A_MIN = -128;

    /** The constant {@code A_MAX}. */
    public static final byte A_MAX = 127;

    /** The constant {@code B_MAX}. */
    public static final int B_MAX = 255;

    /** The constant {@code C_MIN}. */
    public static final short C_MIN = -32768;

    /** The constant {@code D_MAX}. */
    public static final int D_MAX = 65535;

    /** The constant {@code E_MIN}. */
    public static final int E_MIN = -2147483648;

    /** The constant {@code F_MAX}. */
    public static final long F_MAX = 4294967295L;

    /** The constant {@code G_MIN}. */
    public static final long G_MIN = -9223372036854775808L;

    /** The constant {@code G_MAX}. */
    public static final long G_MAX = 9223372036854775807L;

    /** The constant {@code H_MAX}, 18446744073709551615 without a sign. */
    public static final long H_MAX = -1L;

    /** The constant {@code J_MAX}. */
    public static final float J_MAX = 3.4028235e38f;

    /** The constant {@code J_LEAST}. */
    public static final float J_LEAST = 1e-45f;

    /** The constant {@code K_MAX}. */
    public static final double K_MAX = 1.7976931348623157e308;

    /** The constant {@code K_LEAST}. */
    public static final double K_LEAST = 5e-324;

    /** The constant {@code I_MAX}. */
    public static final char I_MAX = '\u00ff';

    /** The constant {@code SILENCE}. */
    public static final String SILENCE = "";
}
//--- extremes/Extremes.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;
import carnet.Interface;
import carnet.Oneway;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Extremes}. */
@Interface(name = "extremes::Extremes", hash = 0x53af348cabacd95eL)
public interface Extremes extends None {
    /**
     * The operation {@code numbers}.
     *
     * @param a {@code int8}
     * @param b {@code octet}: 0 to 255
     * @param c {@code short}
     * @param d {@code unsigned short}: 0 to 65535
     * @param e {@code long}
     * @param f {@code unsigned long}: 0 to 4294967295
     * @param g {@code long long}
     * @param h {@code unsigned long long}: not negative
     * @param i {@code char}: one byte, 0 to 255
     * @param j {@code float}
     * @param k {@code double}
     * @return all that comes back
     */
    @Operation(name = "numbers", hash = 0x25855c0d0088174bL)
    @Writes
    NumbersResult numbers(
            byte a,
            int b,
            short c,
            int d,
            int e,
            long f,
            long g,
            long h,
            char i,
            float j,
            double k);

    /**
     * What {@code numbers} gives back.
     *
     * @param a {@code int8}
     * @param b {@code octet}: 0 to 255
     * @param c {@code short}
     * @param d {@code unsigned short}: 0 to 65535
     * @param e {@code long}
     * @param f {@code unsigned long}: 0 to 4294967295
     * @param g {@code long long}
     * @param h {@code unsigned long long}: not negative
     * @param i {@code char}: one byte, 0 to 255
     * @param j {@code float}
     * @param k {@code double}
     */
    record NumbersResult(
            byte a,
            int b,
            short c,
            int d,
            int e,
            long f,
            long g,
            long h,
            char i,
            float j,
            double k) {
        /** Checks all bounds. */
        public NumbersResult {
            Bounds.uint8("b", b);
            Bounds.uint16("d", d);
            Bounds.uint32("f", f);
            Bounds.uint64("h", h);
            Bounds.character("i", i);
        }
    }

    /**
     * The operation {@code only}.
     *
     * @param a {@code Only}
     * @return all that comes back
     */
    @Operation(name = "only", hash = 0x27549c61ccd63750L)
    @Writes
    OnlyResult only(Only a);

    /**
     * What {@code only} gives back.
     *
     * @param result {@code Only}
     * @param b {@code Only}
     */
    record OnlyResult(Only result, Only b) {
        /** Checks all bounds. */
        public OnlyResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code many}.
     *
     * @param a {@code long long[32]}: 32 elements
     * @return {@code long long[32]}: 32 elements
     */
    @Operation(name = "many", hash = 0x507dc5beaa8c990fL)
    @Writes
    List<Long> many(List<Long> a);

    /**
     * The operation {@code same}.
     *
     * @param a {@code long long[64]}: 64 elements
     * @return {@code long long[64]}: 64 elements
     */
    @Operation(name = "same", hash = 0xc8da6aa337623dfcL)
    @Writes
    List<Long> same(List<Long> a);

    /**
     * The operation {@code last}.
     *
     * @param a {@code long long[63]}: 63 elements
     * @return {@code long long}
     */
    @Operation(name = "last", hash = 0x12768d893a2bbd3cL)
    @Writes
    long last(List<Long> a);

    /**
     * The operation {@code first}.
     *
     * @param a {@code Most}
     */
    @Operation(name = "first", hash = 0x75bb2dcb9f8da7d8L)
    @Writes
    void first(Most a);

    /**
     * The operation {@code letter}.
     *
     * @param a {@code string<1>}: at most 1 bytes as UTF-8, none of them NUL
     * @return {@code string<1>}: at most 1 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "letter", hash = 0x4a92862f1e3c1fa1L)
    @Writes
    String letter(String a);

    /**
     * The operation {@code text}.
     *
     * @param a {@code string<4194304>}: at most 4194304 bytes as UTF-8, none of them NUL
     * @return {@code string<4194304>}: at most 4194304 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "text", hash = 0x7a5c1fe018cd34f7L)
    @Writes
    String text(String a);

    /**
     * The operation {@code piece}.
     *
     * @param a {@code sequence<octet, 1>}: at most 1 bytes
     * @return {@code sequence<octet, 1>}: at most 1 bytes
     */
    @Operation(name = "piece", hash = 0xe536aa5878f8c38eL)
    @Writes
    carnet.Bytes piece(carnet.Bytes a);

    /**
     * The operation {@code bytes}.
     *
     * @param a {@code sequence<octet, 4194304>}: at most 4194304 bytes
     * @return {@code sequence<octet, 4194304>}: at most 4194304 bytes
     */
    @Operation(name = "bytes", hash = 0x290e672b20dbefd2L)
    @Writes
    carnet.Bytes bytes(carnet.Bytes a);

    /**
     * The operation {@code count}.
     *
     * @param a {@code sequence<octet, 4194304>}: at most 4194304 bytes
     * @return {@code unsigned long}: 0 to 4294967295
     */
    @Operation(name = "count", hash = 0x64fdfa3c5d5e50d4L)
    @Writes
    long count(carnet.Bytes a);

    /**
     * The operation {@code make}.
     *
     * @param a {@code long long}
     * @return all that comes back
     */
    @Operation(name = "make", hash = 0x3c107a1696389155L)
    @Writes
    MakeResult make(long a);

    /**
     * What {@code make} gives back.
     *
     * @param result {@code long long}
     * @param b {@code sequence<octet, 4194304>}: at most 4194304 bytes
     */
    record MakeResult(long result, carnet.Bytes b) {
        /** Checks all bounds. */
        public MakeResult {
            Bounds.bytes("b", b, 4194304);
        }
    }

    /**
     * The operation {@code made}.
     *
     * @param a {@code long long}
     * @return {@code string<4194304>}: at most 4194304 bytes as UTF-8, none of them NUL
     * @throws Nothing as the service says
     */
    @Operation(name = "made", hash = 0xd5e7a0e8ccb5455bL)
    @Writes
    String made(long a) throws Nothing;

    /**
     * The operation {@code block}.
     *
     * @param a {@code Bytes}
     * @return {@code Bytes}
     */
    @Operation(name = "block", hash = 0x9ad73ce92b4e4b4cL)
    @Writes
    Bytes block(Bytes a);

    /**
     * The operation {@code letters}.
     *
     * @param a {@code string<1>[32]}: 32 elements
     * @return {@code string<1>[32]}: 32 elements
     */
    @Operation(name = "letters", hash = 0x6a2c716818a1f84bL)
    @Writes
    List<String> letters(List<String> a);

    /**
     * The operation {@code longs}.
     *
     * @param a {@code sequence<long long, 65536>}: at most 65536 elements
     * @return {@code sequence<long long, 65536>}: at most 65536 elements
     */
    @Operation(name = "longs", hash = 0x90296440ab49c046L)
    @Writes
    List<Long> longs(List<Long> a);

    /**
     * The operation {@code truths}.
     *
     * @param a {@code sequence<boolean, 1>}: at most 1 elements
     * @return {@code sequence<boolean, 1>}: at most 1 elements
     */
    @Operation(name = "truths", hash = 0xa9e04a6580a386e1L)
    @Writes
    List<Boolean> truths(List<Boolean> a);

    /**
     * The operation {@code texts}.
     *
     * @param a {@code sequence<string<1>, 65536>}: at most 65536 elements
     * @return {@code sequence<string<1>, 65536>}: at most 65536 elements
     */
    @Operation(name = "texts", hash = 0x5392978b5d29c478L)
    @Writes
    List<String> texts(List<String> a);

    /**
     * The operation {@code tomes}.
     *
     * @param a {@code sequence<string<4194304>, 2>}: at most 2 elements
     * @return {@code sequence<string<4194304>, 2>}: at most 2 elements
     */
    @Operation(name = "tomes", hash = 0x71db059abff6069bL)
    @Writes
    List<String> tomes(List<String> a);

    /**
     * The operation {@code mosts}.
     *
     * @param a {@code sequence<Most, 4>}: at most 4 elements
     * @return {@code sequence<Most, 4>}: at most 4 elements
     */
    @Operation(name = "mosts", hash = 0x901cda7a5abcf2d5L)
    @Writes
    List<Most> mosts(List<Most> a);

    /**
     * The operation {@code blocks}.
     *
     * @param a {@code sequence<Bytes, 3>}: at most 3 elements
     * @return {@code sequence<Bytes, 3>}: at most 3 elements
     */
    @Operation(name = "blocks", hash = 0x9d86dddd73c58a0bL)
    @Writes
    List<Bytes> blocks(List<Bytes> a);

    /**
     * The operation {@code wide}.
     *
     * @param a {@code Wide}
     * @return {@code Wide}
     */
    @Operation(name = "wide", hash = 0xb1e159f1cd0b114dL)
    @Writes
    Wide wide(Wide a);

    /**
     * The operation {@code unsigned_}.
     *
     * @param a {@code Unsigned}
     * @return {@code Unsigned}
     */
    @Operation(name = "unsigned_", hash = 0x47a8e9db38660d95L)
    @Writes
    Unsigned unsigned(Unsigned a);

    /**
     * The operation {@code small}.
     *
     * @param a {@code Small}
     * @return {@code Small}
     */
    @Operation(name = "small", hash = 0xba6c571979065578L)
    @Writes
    Small small(Small a);

    /**
     * The operation {@code truth}.
     *
     * @param a {@code Truth}
     * @return {@code Truth}
     */
    @Operation(name = "truth", hash = 0x0e307f4a59274ab0L)
    @Writes
    Truth truth(Truth a);

    /**
     * The operation {@code letter_}.
     *
     * @param a {@code Letter}
     * @return {@code Letter}
     */
    @Operation(name = "letter_", hash = 0x94cfe7b187dd15b7L)
    @Writes
    Letter letter_(Letter a);

    /**
     * The operation {@code alone}.
     *
     * @param a {@code Alone}
     * @return {@code Alone}
     */
    @Operation(name = "alone", hash = 0x6562ef7c20aa7979L)
    @Writes
    Alone alone(Alone a);

    /**
     * The operation {@code raise}.
     *
     * @param text {@code string<8192>}: at most 8192 bytes as UTF-8, none of them NUL
     * @throws Nothing as the service says
     * @throws Much as the service says
     */
    @Operation(name = "raise", hash = 0xa3e6f90e25f15867L)
    @Writes
    void raise(String text) throws Nothing, Much;

    /**
     * The operation {@code self}.
     *
     * @param a {@code Extremes}
     * @return {@code Extremes}
     */
    @Operation(name = "self", hash = 0x36e3c8a333e717cdL)
    @Writes
    Extremes self(Extremes a);

    /**
     * The operation {@code selves}.
     *
     * @param a {@code sequence<Extremes, 65536>}: at most 65536 elements
     * @return {@code sequence<Extremes, 65536>}: at most 65536 elements
     */
    @Operation(name = "selves", hash = 0xd433400e858df905L)
    @Writes
    List<Extremes> selves(List<Extremes> a);

    /**
     * The operation {@code tell}.
     *
     * @param a {@code string<4194304>}: at most 4194304 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "tell", hash = 0x368c1bec9c8430d8L)
    @Writes
    @Oneway
    void tell(String a);
}
//--- extremes/Inner.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/**
 * The struct {@code Inner}.
 *
 * @param one {@code octet[1]}: 1 bytes
 * @param isSet {@code boolean}
 */
public record Inner(carnet.Bytes one, boolean isSet) {
    /** Checks all bounds. */
    public Inner {
        Bounds.octets("one", one, 1);
    }
}
//--- extremes/Letter.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/** The union {@code Letter}. */
public sealed interface Letter {
    /**
     * What says which arm it is.
     *
     * @return {@code char}: one byte, 0 to 255
     */
    char discriminant();

    /**
     * The arm {@code most}.
     *
     * @param value {@code char}: one byte, 0 to 255
     */
    record Most(char value) implements Letter {
        /** Checks all bounds. */
        public Most {
            Bounds.character("value", value);
        }

        @Override
        public char discriminant() {
            return '\u00ff';
        }
    }

    /**
     * The arm {@code least}.
     *
     * @param value {@code float}
     */
    record Least(float value) implements Letter {
        @Override
        public char discriminant() {
            return '\000';
        }
    }
}
//--- extremes/Most.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;
import java.util.List;

/**
 * As many words as an operation may have.
 *
 * @param at {@code long long[64]}: 64 elements
 */
public record Most(List<Long> at) {
    /** Checks all bounds. */
    public Most {
        at = Bounds.array("at", at, 64);
    }
}
//--- extremes/Much.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/** The exception {@code Much}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Much extends Exception {
    private final String text;

    /**
     * Checks all bounds.
     *
     * @param text {@code string<8192>}: at most 8192 bytes as UTF-8, none of them NUL
     */
    public Much(String text) {
        super("Much: text=" + text);
        this.text = Bounds.string("text", text, 8192);
    }

    /**
     * The member {@code text}.
     *
     * @return {@code string<8192>}: at most 8192 bytes as UTF-8, none of them NUL
     */
    public String text() {
        return text;
    }
}
//--- extremes/None.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Interface;

/** The interface {@code None}. */
@Interface(name = "extremes::None", hash = 0xdb6c31ea53181799L)
public interface None {}
//--- extremes/Nothing.java
// Made from the interface extremes; changes here are lost.

package extremes;

/** The exception {@code Nothing}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Nothing extends Exception {
    /** Checks all bounds. */
    public Nothing() {
        super("Nothing");
    }
}
//--- extremes/Only.java
// Made from the interface extremes; changes here are lost.

package extremes;

/** The enum {@code Only}. */
public enum Only {
    ONE
}
//--- extremes/Small.java
// Made from the interface extremes; changes here are lost.

package extremes;

/** The union {@code Small}. */
public sealed interface Small {
    /**
     * What says which arm it is.
     *
     * @return {@code int8}
     */
    byte discriminant();

    /**
     * The arm {@code least}.
     *
     * @param value {@code boolean}
     */
    record Least(boolean value) implements Small {
        @Override
        public byte discriminant() {
            return -128;
        }
    }

    /**
     * The arm {@code most}.
     *
     * @param value {@code double}
     */
    record Most(double value) implements Small {
        @Override
        public byte discriminant() {
            return 127;
        }
    }
}
//--- extremes/Truth.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/** The union {@code Truth}. */
public sealed interface Truth {
    /**
     * What says which arm it is.
     *
     * @return {@code boolean}
     */
    boolean discriminant();

    /**
     * The arm {@code yes}.
     *
     * @param value {@code Only}
     */
    record Yes(Only value) implements Truth {
        /** Checks all bounds. */
        public Yes {
            Bounds.present("value", value);
        }

        @Override
        public boolean discriminant() {
            return true;
        }
    }

    /**
     * The arm {@code no}.
     *
     * @param value {@code unsigned long long}: not negative
     */
    record No(long value) implements Truth {
        /** Checks all bounds. */
        public No {
            Bounds.uint64("value", value);
        }

        @Override
        public boolean discriminant() {
            return false;
        }
    }
}
//--- extremes/Unsigned.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;

/** The union {@code Unsigned}. */
public sealed interface Unsigned {
    /**
     * What says which arm it is.
     *
     * @return {@code unsigned long}: 0 to 4294967295
     */
    long discriminant();

    /**
     * The arm {@code most}.
     *
     * @param value {@code string<1>}: at most 1 bytes as UTF-8, none of them NUL
     */
    record Most(String value) implements Unsigned {
        /** Checks all bounds. */
        public Most {
            Bounds.string("value", value, 1);
        }

        @Override
        public long discriminant() {
            return 4294967295L;
        }
    }

    /**
     * The arm {@code none}.
     *
     * @param value {@code Only}
     */
    record None(Only value) implements Unsigned {
        /** Checks all bounds. */
        public None {
            Bounds.present("value", value);
        }

        @Override
        public long discriminant() {
            return 0L;
        }
    }
}
//--- extremes/Wide.java
// Made from the interface extremes; changes here are lost.

package extremes;

import carnet.Bounds;
import java.util.List;

/** The union {@code Wide}. */
public sealed interface Wide {
    /**
     * What says which arm it is.
     *
     * @return {@code long long}
     */
    long discriminant();

    /**
     * The arm {@code least}.
     *
     * @param value {@code long long}
     */
    record Least(long value) implements Wide {
        @Override
        public long discriminant() {
            return -9223372036854775808L;
        }
    }

    /**
     * The arm {@code bytes}.
     *
     * @param value {@code octet[4096]}: 4096 bytes
     */
    record Bytes(carnet.Bytes value) implements Wide {
        /** Checks all bounds. */
        public Bytes {
            Bounds.octets("value", value, 4096);
        }

        @Override
        public long discriminant() {
            return 9223372036854775807L;
        }
    }

    /**
     * The arm {@code other}.
     *
     * @param discriminant {@code long long}
     * @param value {@code Inner}
     */
    record Other(long discriminant, Inner value) implements Wide {
        /** Checks all bounds. */
        public Other {
            Bounds.present("value", value);
            Bounds.noneOf(discriminant, List.of(-9223372036854775808L, 9223372036854775807L));
        }
    }
}
//--- extremes/package-info.java
// Made from the interface extremes; changes here are lost.

/**
 * The least and the most of everything: bounds, numbers, labels, words.
 */
@carnet.Module(name = "extremes", version = "1.0", unknown = "")
package extremes;
