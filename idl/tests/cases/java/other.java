//--- other/Broken.java
// Made from the interface other; changes here are lost.

package other;

import carnet.Bounds;

/** The exception {@code Broken}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Broken extends Exception {
    private final class_.Object kind;
    private final java.lang.String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code ::class::Object}
     * @param message what people read; cut to 8 bytes as UTF-8
     */
    public Broken(class_.Object kind, java.lang.String message) {
        super(Bounds.cut(message, 8));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code ::class::Object}
     */
    public class_.Object kind() {
        return kind;
    }

    /**
     * The member {@code message}.
     *
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    public java.lang.String message() {
        return message;
    }
}
//--- other/Constants.java
// Made from the interface other; changes here are lost.

package other;

/** The constants of the interface {@code other}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code CHOICE}. */
    public static final class_.String CHOICE = class_.String.PACKAGE;
}
//--- other/Far.java
// Made from the interface other; changes here are lost.

package other;

import carnet.Bounds;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Far}. */
@Interface(name = "other::Far", hash = 0x71f51fa37e5bef77L)
public interface Far extends class_.Derived {
    /**
     * The operation {@code pick}.
     *
     * @param class__ {@code String}
     * @param other_ {@code ::class::List}
     * @return all that comes back
     * @throws class_.Exception as the service says
     * @throws Broken as the service says
     */
    @Operation(name = "pick", hash = 0xffa3dc7ae88194a6L)
    @Writes
    PickResult pick(String class__, class_.List other_) throws class_.Exception, Broken;

    /**
     * What {@code pick} gives back.
     *
     * @param result {@code inner::Either}
     * @param it {@code ::class::Interface}
     */
    record PickResult(InnerEither result, class_.Interface it) {
        /** Checks all bounds. */
        public PickResult {
            Bounds.present("result", result);
            Bounds.present("it", it);
        }
    }

    /**
     * The operation {@code kind_of}.
     *
     * @return {@code ::class::Interface::Kind}
     */
    @Operation(name = "kind_of", hash = 0xecc8b5dfd2d22d9dL)
    @Writes
    class_.InterfaceKind kindOf();
}
//--- other/InnerEither.java
// Made from the interface other; changes here are lost.

package other;

import carnet.Bounds;
import java.util.List;

/** The union {@code inner::Either}. */
public sealed interface InnerEither {
    /**
     * What says which arm it is.
     *
     * @return {@code ::class::Object}
     */
    class_.Object discriminant();

    /**
     * The arm {@code text}.
     *
     * @param value {@code String}
     */
    record Text(String value) implements InnerEither {
        /** Checks all bounds. */
        public Text {
            Bounds.present("value", value);
        }

        @Override
        public class_.Object discriminant() {
            return class_.Object.NULL;
        }
    }

    /**
     * The arm {@code class}.
     *
     * @param discriminant {@code ::class::Object}
     * @param value {@code ::class::Integer}
     */
    record Class(class_.Object discriminant, class_.Integer value) implements InnerEither {
        /** Checks all bounds. */
        public Class {
            Bounds.present("discriminant", discriminant);
            Bounds.present("value", value);
            Bounds.noneOf(discriminant, List.of(class_.Object.NULL));
        }
    }
}
//--- other/InnerHiding.java
// Made from the interface other; changes here are lost.

package other;

/** Its arms hide classes that its own constructors need. */
public sealed interface InnerHiding {
    /**
     * What says which arm it is.
     *
     * @return {@code octet}: 0 to 255
     */
    int discriminant();

    /**
     * The arm {@code Bounds}.
     *
     * @param value {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    record Bounds(java.lang.String value) implements InnerHiding {
        /** Checks all bounds. */
        public Bounds {
            carnet.Bounds.string("value", value, 4);
        }

        @java.lang.Override
        public int discriminant() {
            return 1;
        }
    }

    /**
     * The arm {@code List}.
     *
     * @param discriminant {@code octet}: 0 to 255
     * @param value {@code float}
     */
    record List(int discriminant, float value) implements InnerHiding {
        /** Checks all bounds. */
        public List {
            carnet.Bounds.uint8("discriminant", discriminant);
            carnet.Bounds.oneOf(discriminant, java.util.List.of(2, 3));
        }
    }

    /**
     * The arm {@code Either_}.
     *
     * @param value {@code inner::Either}
     */
    record Either(InnerEither value) implements InnerHiding {
        /** Checks all bounds. */
        public Either {
            carnet.Bounds.present("value", value);
        }

        @java.lang.Override
        public int discriminant() {
            return 4;
        }
    }

    /**
     * The arm {@code Override}.
     *
     * @param discriminant {@code octet}: 0 to 255
     * @param value {@code boolean}
     */
    record Override(int discriminant, boolean value) implements InnerHiding {
        /** Checks all bounds. */
        public Override {
            carnet.Bounds.uint8("discriminant", discriminant);
            carnet.Bounds.noneOf(discriminant, java.util.List.of(1, 2, 3, 4));
        }
    }
}
//--- other/Mixed.java
// Made from the interface other; changes here are lost.

package other;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Mixed}.
 *
 * @param choice {@code ::class::String}
 * @param value {@code ::class::Value}
 * @param texts {@code string<4>[3]}: 3 elements
 * @param kind {@code ::class::Interface::Kind}
 */
public record Mixed(
        class_.String choice,
        class_.Value value,
        List<java.lang.String> texts,
        class_.InterfaceKind kind) {
    /** Checks all bounds. */
    public Mixed {
        Bounds.present("choice", choice);
        Bounds.present("value", value);
        texts = Bounds.array("texts", texts, 3, each -> Bounds.string("texts", each, 4));
        Bounds.present("kind", kind);
    }
}
//--- other/String.java
// Made from the interface other; changes here are lost.

package other;

/**
 * The struct {@code String}.
 *
 * @param x {@code long}
 */
public record String(int x) {}
//--- other/package-info.java
// Made from the interface other; changes here are lost.

/**
 * Uses another module.
 */
@carnet.Module(name = "other", version = "", unknown = "")
package other;
