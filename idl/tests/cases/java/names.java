//--- class_/Bounds.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Bounds}.
 *
 * @param carnet_ {@code string<3>}: at most 3 bytes as UTF-8, none of them NUL
 * @param java_ {@code string<4>[2]}: 2 elements
 * @param each_ {@code octet[2][2]}: 2 elements
 */
public record Bounds(
        java.lang.String carnet_,
        java.util.List<java.lang.String> java_,
        java.util.List<carnet.Bytes> each_) {
    /** Checks all bounds. */
    public Bounds {
        carnet.Bounds.string("carnet_", carnet_, 3);
        java_ = carnet.Bounds.array("java_", java_, 2, each -> carnet.Bounds.string("java_", each, 4));
        each_ = carnet.Bounds.array("each_", each_, 2, each -> carnet.Bounds.octets("each_", each, 2));
    }
}
//--- class_/Bytes.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Bytes}.
 *
 * @param bytes {@code sequence<octet, 3>}: at most 3 bytes
 */
public record Bytes(carnet.Bytes bytes) {
    /** Checks all bounds. */
    public Bytes {
        carnet.Bounds.bytes("bytes", bytes, 3);
    }
}
//--- class_/Constants.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Constants}.
 *
 * @param default_ {@code boolean}
 */
public record Constants(boolean default_) {}
//--- class_/Constants_.java
// Made from the interface class; changes here are lost.

package class_;

/** The constants of the interface {@code class}. */
public final class Constants_ {
    private Constants_() {}

    /** The constant {@code int}. */
    public static final int INT = 1;

    /** The constant {@code quote}. */
    public static final char QUOTE = '\'';

    /** The constant {@code last}. */
    public static final char LAST = '\u00ff';

    /** The constant {@code end}. */
    public static final char END = '\012';

    /** The constant {@code text}. */
    public static final java.lang.String TEXT = "\" \\ \012 \\u0022 \u00e4 \u20ac";

    /** The constant {@code OCTET}. */
    public static final int OCTET = 200;

    /** The constant {@code least}. */
    public static final short LEAST = -32768;

    /** The constant {@code choice}. */
    public static final String CHOICE = String.NEW;

    /** The constant {@code Interface::kinds}. */
    public static final int INTERFACE_KINDS = 3;
}
//--- class_/Derived.java
// Made from the interface class; changes here are lost.

package class_;

import carnet.Note;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;

/** The interface {@code Derived}. */
@carnet.Interface(name = "class::Derived", hash = 0xd820f1a1bae210acL)
public interface Derived extends Interface {
    /** The operation {@code make_dir_}. */
    @Operation(name = "make_dir_", hash = 0xb41231cf03574ac4L)
    @Reads
    @Note("reads \"all\"; \\u0041")
    void makeDir__();

    /**
     * The operation {@code make_}.
     *
     * @return all that comes back
     */
    @Operation(name = "make_", hash = 0x5d819e800410ed16L)
    @Writes
    MakeResult__ make_();

    /**
     * What {@code make_} gives back.
     *
     * @param result {@code Make_Result}
     * @param x {@code long}
     */
    record MakeResult__(MakeResult result, int x) {
        /** Checks all bounds. */
        public MakeResult__ {
            carnet.Bounds.present("result", result);
        }
    }
}
//--- class_/Error.java
// Made from the interface class; changes here are lost.

package class_;

/** The exception {@code Error}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Error extends java.lang.Exception {
    private final java.util.List<java.lang.String> texts;
    private final Bytes class__;

    /**
     * Checks all bounds.
     *
     * @param texts {@code string<4>[2]}: 2 elements
     * @param class__ {@code Bytes}
     */
    public Error(java.util.List<java.lang.String> texts, Bytes class__) {
        super("Error: texts=" + texts + ", class__=" + class__);
        this.texts = carnet.Bounds.array("texts", texts, 2, each -> carnet.Bounds.string("texts", each, 4));
        this.class__ = carnet.Bounds.present("class__", class__);
    }

    /**
     * The member {@code texts}.
     *
     * @return {@code string<4>[2]}: 2 elements
     */
    public java.util.List<java.lang.String> texts() {
        return texts;
    }

    /**
     * The member {@code class__}.
     *
     * @return {@code Bytes}
     */
    public Bytes class__() {
        return class__;
    }
}
//--- class_/Exception.java
// Made from the interface class; changes here are lost.

package class_;

/** The exception {@code Exception}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Exception extends java.lang.Exception {
    private final String kind;
    private final java.lang.String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code String}
     * @param message what people read; cut to 9 bytes as UTF-8
     */
    public Exception(String kind, java.lang.String message) {
        super(carnet.Bounds.cut(message, 9));
        this.kind = carnet.Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code String}
     */
    public String kind() {
        return kind;
    }

    /**
     * The member {@code message}.
     *
     * @return {@code string<9>}: at most 9 bytes as UTF-8, none of them NUL
     */
    public java.lang.String message() {
        return message;
    }
}
//--- class_/Integer.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Integer}.
 *
 * @param value {@code long}
 */
public record Integer(int value) {}
//--- class_/Interface.java
// Made from the interface class; changes here are lost.

package class_;

import carnet.Idempotent;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;

/** The interface {@code Interface}. */
@carnet.Interface(name = "class::Interface", hash = 0xbcfab5b532638c04L)
public interface Interface {
    /**
     * Reads the attribute {@code class}.
     *
     * @return {@code boolean}
     */
    @Operation(name = "_get_class", hash = 0xc5149cc8952622ecL)
    @Reads
    @Idempotent
    boolean getClass_();

    /**
     * Sets the attribute {@code class}.
     *
     * @param value {@code boolean}
     */
    @Operation(name = "_set_class", hash = 0x07f01cc2dd661c9bL)
    @Writes
    @Idempotent
    void setClass(boolean value);

    /**
     * Reads the attribute {@code hash_code}.
     *
     * @return {@code long}
     */
    @Operation(name = "_get_hash_code", hash = 0x24e208cd0dfb23d5L)
    @Reads
    @Idempotent
    int getHashCode();

    /** The operation {@code getClass}. */
    @Operation(name = "getClass", hash = 0x6a921ce51cf5aa3fL)
    @Writes
    void getClass__();

    /** The operation {@code get_class_}. */
    @Operation(name = "get_class_", hash = 0x9421071c4f5c2177L)
    @Writes
    void getClass___();

    /**
     * The operation {@code notify}.
     *
     * @throws Exception as the service says
     * @throws Throwable as the service says
     * @throws Error as the service says
     * @throws Nothing as the service says
     */
    @Operation(name = "notify", hash = 0xd14a7f2f1040955eL)
    @Writes
    void notify_() throws Exception, Throwable, Error, Nothing;

    /**
     * The operation {@code wait}.
     *
     * @param this_ {@code long long}
     * @param super_ {@code string<3>}: at most 3 bytes as UTF-8, none of them NUL
     * @param enum_ {@code boolean}
     * @throws Nothing as the service says
     */
    @Operation(name = "wait", hash = 0x6c09e2ad17d45f1fL)
    @Writes
    void wait_(long this_, java.lang.String super_, boolean enum_) throws Nothing;

    /**
     * The operation {@code make_dir}.
     *
     * @param result {@code long}
     * @param each_ {@code long}
     * @return all that comes back
     */
    @Operation(name = "make_dir", hash = 0xdb13c9ac16512b69L)
    @Writes
    MakeDirResult makeDir(int result, int each_);

    /**
     * What {@code make_dir} gives back.
     *
     * @param result {@code long}
     * @param result_ {@code long}
     * @param each_ {@code long}
     */
    record MakeDirResult(int result, int result_, int each_) {}

    /**
     * The operation {@code makeDir_}.
     *
     * @return all that comes back
     */
    @Operation(name = "makeDir_", hash = 0xe153d02bb63f08dcL)
    @Writes
    MakeDirResult_ makeDir_();

    /**
     * What {@code makeDir_} gives back.
     *
     * @param bytes {@code Bytes}
     * @param value {@code Value}
     */
    record MakeDirResult_(Bytes bytes, Value value) {
        /** Checks all bounds. */
        public MakeDirResult_ {
            carnet.Bounds.present("bytes", bytes);
            carnet.Bounds.present("value", value);
        }
    }

    /**
     * The operation {@code toString}.
     *
     * @param a {@code Interface::Kind}
     * @return {@code Interface::Kind}
     */
    @Operation(name = "toString", hash = 0x4841ad2d5fa6714bL)
    @Writes
    InterfaceKind toString_(InterfaceKind a);

    /**
     * The operation {@code equals}.
     *
     * @param list {@code List}
     * @return all that comes back
     */
    @Operation(name = "equals", hash = 0x74e4fc1687236cdaL)
    @Writes
    EqualsResult equals_(List list);

    /**
     * What {@code equals} gives back.
     *
     * @param result {@code boolean}
     * @param carnet_ {@code octet}: 0 to 255
     */
    record EqualsResult(boolean result, int carnet_) {
        /** Checks all bounds. */
        public EqualsResult {
            carnet.Bounds.uint8("carnet_", carnet_);
        }
    }

    /**
     * The operation {@code Make}.
     *
     * @return all that comes back
     */
    @Operation(name = "Make", hash = 0xf6a554f65445f2a9L)
    @Writes
    MakeResult_ make();

    /**
     * What {@code Make} gives back.
     *
     * @param result {@code long}
     * @param makeResult {@code Record}
     */
    record MakeResult_(int result, Record makeResult) {
        /** Checks all bounds. */
        public MakeResult_ {
            carnet.Bounds.present("makeResult", makeResult);
        }
    }
}
//--- class_/InterfaceKind.java
// Made from the interface class; changes here are lost.

package class_;

/** The enum {@code Interface::Kind}. */
public enum InterfaceKind {
    A,
    B
}
//--- class_/InterfaceKind_.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Interface_Kind}.
 *
 * @param x {@code long}
 */
public record InterfaceKind_(int x) {}
//--- class_/Large.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Large}. */
public sealed interface Large {
    /**
     * What says which arm it is.
     *
     * @return {@code long long}
     */
    long discriminant();

    /**
     * The arm {@code one}.
     *
     * @param value {@code char}: one byte, 0 to 255
     */
    record One(char value) implements Large {
        /** Checks all bounds. */
        public One {
            carnet.Bounds.character("value", value);
        }

        @java.lang.Override
        public long discriminant() {
            return -1L;
        }
    }

    /**
     * The arm {@code two}.
     *
     * @param discriminant {@code long long}
     * @param value {@code double}
     */
    record Two(long discriminant, double value) implements Large {
        /** Checks all bounds. */
        public Two {
            carnet.Bounds.oneOf(discriminant, java.util.List.of(2L, 5000000000L));
        }
    }
}
//--- class_/Letter.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Letter}. */
public sealed interface Letter {
    /**
     * What says which arm it is.
     *
     * @return {@code char}: one byte, 0 to 255
     */
    char discriminant();

    /**
     * The arm {@code one}.
     *
     * @param discriminant {@code char}: one byte, 0 to 255
     * @param value {@code long long}
     */
    record One(char discriminant, long value) implements Letter {
        /** Checks all bounds. */
        public One {
            carnet.Bounds.character("discriminant", discriminant);
            carnet.Bounds.oneOf(discriminant, java.util.List.of('a', '\''));
        }
    }

    /**
     * The arm {@code two}.
     *
     * @param value {@code octet}: 0 to 255
     */
    record Two(int value) implements Letter {
        /** Checks all bounds. */
        public Two {
            carnet.Bounds.uint8("value", value);
        }

        @java.lang.Override
        public char discriminant() {
            return 'b';
        }
    }
}
//--- class_/List.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code List}.
 *
 * @param clone_ {@code long}
 * @param hashCode_ {@code long}
 * @param notify_ {@code long}
 * @param getClass_ {@code long}
 * @param wait_ {@code long}
 * @param each_ {@code long}
 * @param each2_ {@code long}
 * @param java_ {@code long}
 * @param carnet_ {@code long}
 * @param class__ {@code long}
 */
public record List(
        int clone_,
        int hashCode_,
        int notify_,
        int getClass_,
        int wait_,
        int each_,
        int each2_,
        int java_,
        int carnet_,
        int class__) {}
//--- class_/MakeResult.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Make_Result}.
 *
 * @param itself {@code Interface}
 */
public record MakeResult(Interface itself) {
    /** Checks all bounds. */
    public MakeResult {
        carnet.Bounds.present("itself", itself);
    }
}
//--- class_/Nothing.java
// Made from the interface class; changes here are lost.

package class_;

/** The exception {@code Nothing}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Nothing extends java.lang.Exception {
    /** Checks all bounds. */
    public Nothing() {
        super("Nothing");
    }
}
//--- class_/Object.java
// Made from the interface class; changes here are lost.

package class_;

/** The enum {@code Object}. */
public enum Object {
    NULL,
    THIS_ONE
}
//--- class_/Object_.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Object_}. */
public sealed interface Object_ {
    /**
     * What says which arm it is.
     *
     * @return {@code boolean}
     */
    boolean discriminant();

    /**
     * The arm {@code integer}.
     *
     * @param value {@code octet}: 0 to 255
     */
    record Integer(int value) implements Object_ {
        /** Checks all bounds. */
        public Integer {
            carnet.Bounds.uint8("value", value);
        }

        @java.lang.Override
        public boolean discriminant() {
            return true;
        }
    }

    /**
     * The arm {@code Override}.
     *
     * @param value {@code long}
     */
    record Override(int value) implements Object_ {
        @java.lang.Override
        public boolean discriminant() {
            return false;
        }
    }
}
//--- class_/Only.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Only}. */
public sealed interface Only {
    /**
     * What says which arm it is.
     *
     * @return {@code unsigned long long}: not negative
     */
    long discriminant();

    /**
     * The arm {@code all}.
     *
     * @param discriminant {@code unsigned long long}: not negative
     * @param value {@code String}
     */
    record All(long discriminant, String value) implements Only {
        /** Checks all bounds. */
        public All {
            carnet.Bounds.uint64("discriminant", discriminant);
            carnet.Bounds.present("value", value);
            carnet.Bounds.noneOf(discriminant, java.util.List.of());
        }
    }
}
//--- class_/Override.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Override}.
 *
 * @param integer {@code Integer}
 */
public record Override(Integer integer) {
    /** Checks all bounds. */
    public Override {
        carnet.Bounds.present("integer", integer);
    }
}
//--- class_/Record.java
// Made from the interface class; changes here are lost.

package class_;

/**
 * The struct {@code Record}.
 *
 * @param makeDir {@code short}
 * @param makeDir_ {@code short}
 * @param url {@code short}
 * @param x1 {@code short}
 * @param x1_ {@code short}
 */
public record Record(short makeDir, short makeDir_, short url, short x1, short x1_) {}
//--- class_/Small.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Small}. */
public sealed interface Small {
    /**
     * What says which arm it is.
     *
     * @return {@code octet}: 0 to 255
     */
    int discriminant();

    /**
     * The arm {@code one}.
     *
     * @param value {@code boolean}
     */
    record One(boolean value) implements Small {
        @java.lang.Override
        public int discriminant() {
            return 1;
        }
    }

    /**
     * The arm {@code other}.
     *
     * @param discriminant {@code octet}: 0 to 255
     * @param value {@code float}
     */
    record Other(int discriminant, float value) implements Small {
        /** Checks all bounds. */
        public Other {
            carnet.Bounds.uint8("discriminant", discriminant);
            carnet.Bounds.oneOf(discriminant, java.util.List.of(200, 3));
        }
    }
}
//--- class_/String.java
// Made from the interface class; changes here are lost.

package class_;

/** The enum {@code String}. */
public enum String {
    NEW,
    PACKAGE,
    TRUE_,
    VALUES,
    VALUEOF
}
//--- class_/Throwable.java
// Made from the interface class; changes here are lost.

package class_;

/** The exception {@code Throwable}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Throwable extends java.lang.Exception {
    private final java.lang.String cause;
    private final java.lang.String getMessage_;
    private final java.lang.String stackTrace;
    private final Integer getCause_;

    /**
     * Checks all bounds.
     *
     * @param cause {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     * @param getMessage_ {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     * @param stackTrace {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     * @param getCause_ {@code Integer}
     */
    public Throwable(
            java.lang.String cause,
            java.lang.String getMessage_,
            java.lang.String stackTrace,
            Integer getCause_) {
        super("Throwable: cause=" + cause
                + ", getMessage_=" + getMessage_
                + ", stackTrace=" + stackTrace
                + ", getCause_=" + getCause_);
        this.cause = carnet.Bounds.string("cause", cause, 4);
        this.getMessage_ = carnet.Bounds.string("getMessage_", getMessage_, 4);
        this.stackTrace = carnet.Bounds.string("stackTrace", stackTrace, 4);
        this.getCause_ = carnet.Bounds.present("getCause_", getCause_);
    }

    /**
     * The member {@code cause}.
     *
     * @return {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    public java.lang.String cause() {
        return cause;
    }

    /**
     * The member {@code getMessage_}.
     *
     * @return {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    public java.lang.String getMessage_() {
        return getMessage_;
    }

    /**
     * The member {@code stackTrace}.
     *
     * @return {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    public java.lang.String stackTrace() {
        return stackTrace;
    }

    /**
     * The member {@code getCause_}.
     *
     * @return {@code Integer}
     */
    public Integer getCause_() {
        return getCause_;
    }
}
//--- class_/Value.java
// Made from the interface class; changes here are lost.

package class_;

/** The union {@code Value}. */
public sealed interface Value {
    /**
     * What says which arm it is.
     *
     * @return {@code short}
     */
    short discriminant();

    /**
     * The arm {@code value}.
     *
     * @param value {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    record Value_(java.lang.String value) implements Value {
        /** Checks all bounds. */
        public Value_ {
            carnet.Bounds.string("value", value, 4);
        }

        @java.lang.Override
        public short discriminant() {
            return -4;
        }
    }

    /**
     * The arm {@code String_}.
     *
     * @param discriminant {@code short}
     * @param value {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    record String(short discriminant, java.lang.String value) implements Value {
        /** Checks all bounds. */
        public String {
            carnet.Bounds.string("value", value, 4);
            carnet.Bounds.oneOf(discriminant, java.util.List.of((short) 1, (short) 2));
        }
    }

    /**
     * The arm {@code list}.
     *
     * @param discriminant {@code short}
     * @param value {@code Integer}
     */
    record List(short discriminant, Integer value) implements Value {
        /** Checks all bounds. */
        public List {
            carnet.Bounds.present("value", value);
            carnet.Bounds.noneOf(discriminant, java.util.List.of((short) -4, (short) 1, (short) 2));
        }
    }
}
//--- class_/package-info.java
// Made from the interface class; changes here are lost.

/**
 * Names that mean something in Java, or would be the same there. `&#92;u000a` ends no comment, nor does *&#47; or &#123;&#64;code x&#125;.
 *
 * Gr&#252;&#223;e &lt;b&gt;&amp;amp; &#64;throws
 */
@carnet.Module(name = "class", version = "", unknown = "what \\ \"quoted\" means")
package class_;
