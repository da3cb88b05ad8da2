//--- unused/Constants.java
// Made from the interface unused; changes here are lost.

package unused;

/** The constants of the interface {@code unused}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code a__limit}. */
    public static final int A__LIMIT = 3;
}
//--- unused/EKind.java
// Made from the interface unused; changes here are lost.

package unused;

/** The enum {@code E__kind}. */
public enum EKind {
    ONE__TWO,
    THREE
}
//--- unused/ListsNever.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;
import java.util.List;

/** The union {@code Lists__never}. */
public sealed interface ListsNever {
    /**
     * What says which arm it is.
     *
     * @return {@code boolean}
     */
    boolean discriminant();

    /**
     * The arm {@code all}.
     *
     * @param value {@code sequence<S__never, 2>}: at most 2 elements
     */
    record All(List<SNever> value) implements ListsNever {
        /** Checks all bounds. */
        public All {
            value = Bounds.list("value", value, 2);
        }

        @Override
        public boolean discriminant() {
            return true;
        }
    }
}
//--- unused/NamesApart.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Names__apart}. */
@Interface(name = "unused::Names__apart", hash = 0x0c64c8e1d84b6b59L)
public interface NamesApart {
    /**
     * The operation {@code use__errno}.
     *
     * @param useValue {@code long}
     * @return all that comes back
     * @throws Raised as the service says
     */
    @Operation(name = "use__errno", hash = 0x4a36205a06c6f489L)
    @Writes
    UseErrnoResult useErrno(int useValue) throws Raised;

    /**
     * What {@code use__errno} gives back.
     *
     * @param result {@code long}
     * @param foundValue {@code Scalars}
     */
    record UseErrnoResult(int result, Scalars foundValue) {
        /** Checks all bounds. */
        public UseErrnoResult {
            Bounds.present("foundValue", foundValue);
        }
    }

    /**
     * The operation {@code all__of}.
     *
     * @param someOf {@code sequence<Scalars, 3>}: at most 3 elements
     * @param oneOf {@code Scalars}
     * @return all that comes back
     */
    @Operation(name = "all__of", hash = 0x23eab74a306e3107L)
    @Writes
    AllOfResult allOf(List<Scalars> someOf, Scalars oneOf);

    /**
     * What {@code all__of} gives back.
     *
     * @param result {@code sequence<Scalars, 3>}: at most 3 elements
     * @param oneOf {@code Scalars}
     */
    record AllOfResult(List<Scalars> result, Scalars oneOf) {
        /** Checks all bounds. */
        public AllOfResult {
            result = Bounds.list("result", result, 3);
            Bounds.present("oneOf", oneOf);
        }
    }

    /**
     * Reads the attribute {@code is__set}.
     *
     * @return {@code long}
     */
    @Operation(name = "_get_is__set", hash = 0x64bedcfd346bd0abL)
    @Reads
    @Idempotent
    int getIsSet();

    /**
     * Sets the attribute {@code is__set}.
     *
     * @param value {@code long}
     */
    @Operation(name = "_set_is__set", hash = 0x685b0d72076d1cd8L)
    @Writes
    @Idempotent
    void setIsSet(int value);
}
//--- unused/Never.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;

/** The union {@code Never}. */
public sealed interface Never {
    /**
     * What says which arm it is.
     *
     * @return {@code long}
     */
    int discriminant();

    /**
     * The arm {@code text}.
     *
     * @param value {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
     */
    record Text(String value) implements Never {
        /** Checks all bounds. */
        public Text {
            Bounds.string("value", value, 4);
        }

        @Override
        public int discriminant() {
            return 1;
        }
    }

    /**
     * The arm {@code number}.
     *
     * @param value {@code long}
     */
    record Number(int value) implements Never {
        @Override
        public int discriminant() {
            return 2;
        }
    }
}
//--- unused/NeverRaised.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;

/** The exception {@code Never__raised}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class NeverRaised extends Exception {
    private final EKind kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code E__kind}
     * @param message what people read; cut to 8 bytes as UTF-8
     */
    public NeverRaised(EKind kind, String message) {
        super(Bounds.cut(message, 8));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code E__kind}
     */
    public EKind kind() {
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
//--- unused/OtherRaised.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;
import java.util.List;

/** The exception {@code Other__raised}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class OtherRaised extends Exception {
    private final Never value;
    private final List<SNever> all;

    /**
     * Checks all bounds.
     *
     * @param value {@code Never}
     * @param all {@code sequence<S__never, 2>}: at most 2 elements
     */
    public OtherRaised(Never value, List<SNever> all) {
        super("OtherRaised: value=" + value + ", all=" + all);
        this.value = Bounds.present("value", value);
        this.all = Bounds.list("all", all, 2);
    }

    /**
     * The member {@code value}.
     *
     * @return {@code Never}
     */
    public Never value() {
        return value;
    }

    /**
     * The member {@code all}.
     *
     * @return {@code sequence<S__never, 2>}: at most 2 elements
     */
    public List<SNever> all() {
        return all;
    }
}
//--- unused/Quiet.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Interface;

/** The interface {@code Quiet}. */
@Interface(name = "unused::Quiet", hash = 0xf49e31ac41cd8e4bL)
public interface Quiet {}
//--- unused/Raised.java
// Made from the interface unused; changes here are lost.

package unused;

/** The exception {@code Raised}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Raised extends Exception {
    private final int useErrno;

    /**
     * Checks all bounds.
     *
     * @param useErrno {@code long}
     */
    public Raised(int useErrno) {
        super("Raised: useErrno=" + useErrno);
        this.useErrno = useErrno;
    }

    /**
     * The member {@code useErrno}.
     *
     * @return {@code long}
     */
    public int useErrno() {
        return useErrno;
    }
}
//--- unused/SNever.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;

/**
 * The struct {@code S__never}.
 *
 * @param xy {@code long}
 * @param z {@code string<4>}: at most 4 bytes as UTF-8, none of them NUL
 */
public record SNever(int xy, String z) {
    /** Checks all bounds. */
    public SNever {
        Bounds.string("z", z, 4);
    }
}
//--- unused/Scalars.java
// Made from the interface unused; changes here are lost.

package unused;

import carnet.Bounds;
import java.util.List;

/** The union {@code Scalars}. */
public sealed interface Scalars {
    /**
     * What says which arm it is.
     *
     * @return {@code E__kind}
     */
    EKind discriminant();

    /**
     * The arm {@code whole}.
     *
     * @param value {@code long}
     */
    record Whole(int value) implements Scalars {
        @Override
        public EKind discriminant() {
            return EKind.ONE__TWO;
        }
    }

    /**
     * The arm {@code is__so}.
     *
     * @param discriminant {@code E__kind}
     * @param value {@code boolean}
     */
    record IsSo(EKind discriminant, boolean value) implements Scalars {
        /** Checks all bounds. */
        public IsSo {
            Bounds.present("discriminant", discriminant);
            Bounds.noneOf(discriminant, List.of(EKind.ONE__TWO));
        }
    }
}
//--- unused/package-info.java
// Made from the interface unused; changes here are lost.

/**
 * What no operation uses, unions of scalars alone, and names that Rust would write otherwise.
 */
@carnet.Module(name = "unused", version = "", unknown = "")
package unused;
