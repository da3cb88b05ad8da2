//--- nested/Choice.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;

/** The union {@code Choice}. */
public sealed interface Choice {
    /**
     * What says which arm it is.
     *
     * @return {@code long}
     */
    int discriminant();

    /**
     * The arm {@code list}.
     *
     * @param value {@code sequence<Named, 2>}: at most 2 elements
     */
    record List(java.util.List<Named> value) implements Choice {
        /** Checks all bounds. */
        public List {
            value = Bounds.list("value", value, 2);
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
    record Number(int value) implements Choice {
        @Override
        public int discriminant() {
            return 2;
        }
    }

    /**
     * The arm {@code grid}.
     *
     * @param value {@code Grid}
     */
    record Grid(nested.Grid value) implements Choice {
        /** Checks all bounds. */
        public Grid {
            Bounds.present("value", value);
        }

        @Override
        public int discriminant() {
            return 3;
        }
    }

    /**
     * The arm {@code row}.
     *
     * @param discriminant {@code long}
     * @param value {@code sequence<long, 4>}: at most 4 elements
     */
    record Row(int discriminant, java.util.List<Integer> value) implements Choice {
        /** Checks all bounds. */
        public Row {
            value = Bounds.list("value", value, 4);
            Bounds.oneOf(discriminant, java.util.List.of(4, 5));
        }
    }

    /**
     * The arm {@code text}.
     *
     * @param discriminant {@code long}
     * @param value {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    record Text(int discriminant, String value) implements Choice {
        /** Checks all bounds. */
        public Text {
            Bounds.string("value", value, 8);
            Bounds.noneOf(discriminant, java.util.List.of(1, 2, 3, 4, 5));
        }
    }
}
//--- nested/Deep.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Deep}.
 *
 * @param cube {@code sequence<sequence<sequence<double, 2>, 2>, 2>}: at most 2 elements
 * @param choices {@code sequence<Choice, 2>}: at most 2 elements
 */
public record Deep(List<List<List<Double>>> cube, List<Choice> choices) {
    /** Checks all bounds. */
    public Deep {
        cube = Bounds.list("cube", cube, 2, each -> Bounds.list("cube", each, 2, each2 -> Bounds.list("cube", each2, 2)));
        choices = Bounds.list("choices", choices, 2);
    }
}
//--- nested/Full.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/** The exception {@code Full}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Full extends Exception {
    private final List<Integer> row;

    /**
     * Checks all bounds.
     *
     * @param row {@code sequence<long, 4>}: at most 4 elements
     */
    public Full(List<Integer> row) {
        super("Full: row=" + row);
        this.row = Bounds.list("row", row, 4);
    }

    /**
     * The member {@code row}.
     *
     * @return {@code sequence<long, 4>}: at most 4 elements
     */
    public List<Integer> row() {
        return row;
    }
}
//--- nested/Grid.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import carnet.Bytes;
import java.util.List;

/**
 * The struct {@code Grid}.
 *
 * @param rows {@code sequence<long, 4>[2]}: 2 elements
 * @param raw {@code sequence<octet, 8>}: at most 8 bytes
 * @param shades {@code sequence<Shade, 3>}: at most 3 elements
 * @param keys {@code sequence<octet[16], 2>}: at most 2 elements
 */
public record Grid(List<List<Integer>> rows, Bytes raw, List<Shade> shades, List<Bytes> keys) {
    /** Checks all bounds. */
    public Grid {
        rows = Bounds.array("rows", rows, 2, each -> Bounds.list("rows", each, 4));
        Bounds.bytes("raw", raw, 8);
        shades = Bounds.list("shades", shades, 3);
        keys = Bounds.list("keys", keys, 2, each -> Bounds.octets("keys", each, 16));
    }
}
//--- nested/Named.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Named}.
 *
 * @param name {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
 * @param points {@code sequence<Point, 3>}: at most 3 elements
 */
public record Named(String name, List<Point> points) {
    /** Checks all bounds. */
    public Named {
        Bounds.string("name", name, 8);
        points = Bounds.list("points", points, 3);
    }
}
//--- nested/Point.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;

/**
 * The struct {@code Point}.
 *
 * @param x {@code long}
 * @param y {@code unsigned long long}: not negative
 */
public record Point(int x, long y) {
    /** Checks all bounds. */
    public Point {
        Bounds.uint64("y", y);
    }
}
//--- nested/Refused.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/** The exception {@code Refused}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Refused extends Exception {
    private final String who;
    private final List<Named> which;
    private final Choice why;

    /**
     * Checks all bounds.
     *
     * @param who {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @param which {@code sequence<Named, 2>}: at most 2 elements
     * @param why {@code Choice}
     */
    public Refused(String who, List<Named> which, Choice why) {
        super("Refused: who=" + who
                + ", which=" + which
                + ", why=" + why);
        this.who = Bounds.string("who", who, 8);
        this.which = Bounds.list("which", which, 2);
        this.why = Bounds.present("why", why);
    }

    /**
     * The member {@code who}.
     *
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    public String who() {
        return who;
    }

    /**
     * The member {@code which}.
     *
     * @return {@code sequence<Named, 2>}: at most 2 elements
     */
    public List<Named> which() {
        return which;
    }

    /**
     * The member {@code why}.
     *
     * @return {@code Choice}
     */
    public Choice why() {
        return why;
    }
}
//--- nested/Shade.java
// Made from the interface nested; changes here are lost.

package nested;

/** The enum {@code Shade}. */
public enum Shade {
    LIGHT,
    DARK
}
//--- nested/Shelf.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Shelf}.
 *
 * @param label {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
 * @param rows {@code sequence<Named, 2>}: at most 2 elements
 * @param words {@code sequence<sequence<string<8>, 3>, 2>}: at most 2 elements
 * @param stamp {@code long long}
 */
public record Shelf(String label, List<Named> rows, List<List<String>> words, long stamp) {
    /** Checks all bounds. */
    public Shelf {
        Bounds.string("label", label, 8);
        rows = Bounds.list("rows", rows, 2);
        words = Bounds.list("words", words, 2, each -> Bounds.list("words", each, 3, each2 -> Bounds.string("words", each2, 8)));
    }
}
//--- nested/Store.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Oneway;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Store}. */
@Interface(name = "nested::Store", hash = 0x547a3d240d60aa98L)
public interface Store {
    /**
     * Reads the attribute {@code top}.
     *
     * @return {@code Shelf}
     */
    @Operation(name = "_get_top", hash = 0xab9e917c0db8ed54L)
    @Reads
    @Idempotent
    Shelf getTop();

    /**
     * Sets the attribute {@code top}.
     *
     * @param value {@code Shelf}
     */
    @Operation(name = "_set_top", hash = 0x0a358361f7dbd674L)
    @Writes
    @Idempotent
    void setTop(Shelf value);

    /**
     * The operation {@code shelf}.
     *
     * @param a {@code Shelf}
     * @param c {@code Shelf}
     * @return all that comes back
     */
    @Operation(name = "shelf", hash = 0x9eb555b79f64d41dL)
    @Writes
    ShelfResult shelf(Shelf a, Shelf c);

    /**
     * What {@code shelf} gives back.
     *
     * @param result {@code Shelf}
     * @param b {@code Shelf}
     * @param c {@code Shelf}
     */
    record ShelfResult(Shelf result, Shelf b, Shelf c) {
        /** Checks all bounds. */
        public ShelfResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
            Bounds.present("c", c);
        }
    }

    /**
     * The operation {@code shelves}.
     *
     * @param a {@code sequence<Shelf, 3>}: at most 3 elements
     * @param b {@code sequence<Shelf, 3>}: at most 3 elements
     * @return all that comes back
     */
    @Operation(name = "shelves", hash = 0x7d6c0a8518316772L)
    @Writes
    ShelvesResult shelves(List<Shelf> a, List<Shelf> b);

    /**
     * What {@code shelves} gives back.
     *
     * @param result {@code sequence<Shelf, 3>}: at most 3 elements
     * @param b {@code sequence<Shelf, 3>}: at most 3 elements
     */
    record ShelvesResult(List<Shelf> result, List<Shelf> b) {
        /** Checks all bounds. */
        public ShelvesResult {
            result = Bounds.list("result", result, 3);
            b = Bounds.list("b", b, 3);
        }
    }

    /**
     * The operation {@code matrix}.
     *
     * @param a {@code sequence<sequence<long, 4>, 3>}: at most 3 elements
     * @param b {@code sequence<sequence<long, 4>, 3>}: at most 3 elements
     * @return all that comes back
     */
    @Operation(name = "matrix", hash = 0x9af51cfbc003735fL)
    @Writes
    MatrixResult matrix(List<List<Integer>> a, List<List<Integer>> b);

    /**
     * What {@code matrix} gives back.
     *
     * @param result {@code sequence<sequence<long, 4>, 3>}: at most 3 elements
     * @param b {@code sequence<sequence<long, 4>, 3>}: at most 3 elements
     * @param c {@code sequence<sequence<string<8>, 2>, 2>}: at most 2 elements
     */
    record MatrixResult(List<List<Integer>> result, List<List<Integer>> b, List<List<String>> c) {
        /** Checks all bounds. */
        public MatrixResult {
            result = Bounds.list("result", result, 3, each -> Bounds.list("result", each, 4));
            b = Bounds.list("b", b, 3, each -> Bounds.list("b", each, 4));
            c = Bounds.list("c", c, 2, each -> Bounds.list("c", each, 2, each2 -> Bounds.string("c", each2, 8)));
        }
    }

    /**
     * The operation {@code grid}.
     *
     * @param a {@code Grid}
     * @param b {@code Grid}
     * @return all that comes back
     */
    @Operation(name = "grid", hash = 0xb86687358b3c05f7L)
    @Writes
    GridResult grid(Grid a, Grid b);

    /**
     * What {@code grid} gives back.
     *
     * @param result {@code Grid}
     * @param b {@code Grid}
     * @param c {@code sequence<Grid, 2>}: at most 2 elements
     */
    record GridResult(Grid result, Grid b, List<Grid> c) {
        /** Checks all bounds. */
        public GridResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
            c = Bounds.list("c", c, 2);
        }
    }

    /**
     * The operation {@code pair}.
     *
     * @param a {@code sequence<long, 4>[2]}: 2 elements
     * @param b {@code sequence<long, 4>[2]}: 2 elements
     * @return all that comes back
     */
    @Operation(name = "pair", hash = 0x529c9b18046e3c60L)
    @Writes
    PairResult pair(List<List<Integer>> a, List<List<Integer>> b);

    /**
     * What {@code pair} gives back.
     *
     * @param result {@code sequence<long, 4>[2]}: 2 elements
     * @param b {@code sequence<long, 4>[2]}: 2 elements
     * @param c {@code sequence<long, 4>[2]}: 2 elements
     */
    record PairResult(List<List<Integer>> result, List<List<Integer>> b, List<List<Integer>> c) {
        /** Checks all bounds. */
        public PairResult {
            result = Bounds.array("result", result, 2, each -> Bounds.list("result", each, 4));
            b = Bounds.array("b", b, 2, each -> Bounds.list("b", each, 4));
            c = Bounds.array("c", c, 2, each -> Bounds.list("c", each, 4));
        }
    }

    /**
     * The operation {@code choice}.
     *
     * @param a {@code Choice}
     * @param b {@code Choice}
     * @return all that comes back
     */
    @Operation(name = "choice", hash = 0xb34a37e7fb097195L)
    @Writes
    ChoiceResult choice(Choice a, Choice b);

    /**
     * What {@code choice} gives back.
     *
     * @param result {@code Choice}
     * @param b {@code Choice}
     */
    record ChoiceResult(Choice result, Choice b) {
        /** Checks all bounds. */
        public ChoiceResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code choices}.
     *
     * @param a {@code sequence<Choice, 3>}: at most 3 elements
     * @param b {@code sequence<Choice, 3>}: at most 3 elements
     * @return all that comes back
     */
    @Operation(name = "choices", hash = 0x32c54852550de238L)
    @Writes
    ChoicesResult choices(List<Choice> a, List<Choice> b);

    /**
     * What {@code choices} gives back.
     *
     * @param result {@code sequence<Choice, 3>}: at most 3 elements
     * @param b {@code sequence<Choice, 3>}: at most 3 elements
     */
    record ChoicesResult(List<Choice> result, List<Choice> b) {
        /** Checks all bounds. */
        public ChoicesResult {
            result = Bounds.list("result", result, 3);
            b = Bounds.list("b", b, 3);
        }
    }

    /**
     * The operation {@code deep}.
     *
     * @param a {@code Deep}
     * @param b {@code sequence<Deep, 2>}: at most 2 elements
     * @return all that comes back
     */
    @Operation(name = "deep", hash = 0x0b71e353df004ee7L)
    @Writes
    DeepResult deep(Deep a, List<Deep> b);

    /**
     * What {@code deep} gives back.
     *
     * @param result {@code Deep}
     * @param b {@code sequence<Deep, 2>}: at most 2 elements
     */
    record DeepResult(Deep result, List<Deep> b) {
        /** Checks all bounds. */
        public DeepResult {
            Bounds.present("result", result);
            b = Bounds.list("b", b, 2);
        }
    }

    /**
     * The operation {@code sum}.
     *
     * @param a {@code Unbounded}
     * @return all that comes back
     */
    @Operation(name = "sum", hash = 0x00a1d35d704dc56cL)
    @Writes
    SumResult sum(Unbounded a);

    /**
     * What {@code sum} gives back.
     *
     * @param result {@code long long}
     * @param b {@code Unbounded}
     */
    record SumResult(long result, Unbounded b) {
        /** Checks all bounds. */
        public SumResult {
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code take}.
     *
     * @param what {@code Shelf}
     * @return {@code Shelf}
     * @throws Refused as the service says
     * @throws Full as the service says
     */
    @Operation(name = "take", hash = 0x80b344564e555a33L)
    @Writes
    Shelf take(Shelf what) throws Refused, Full;

    /**
     * The operation {@code count}.
     *
     * @param what {@code sequence<long, 4>}: at most 4 elements
     * @return {@code sequence<long, 4>}: at most 4 elements
     * @throws Full as the service says
     */
    @Operation(name = "count", hash = 0x01955c5afb920240L)
    @Writes
    List<Integer> count(List<Integer> what) throws Full;

    /**
     * The operation {@code tell}.
     *
     * @param a {@code Shelf}
     */
    @Operation(name = "tell", hash = 0x8cb8e56a43812baeL)
    @Writes
    @Oneway
    void tell(Shelf a);

    /**
     * The operation {@code many}.
     *
     * @param a {@code sequence<Named, 65536>}: at most 65536 elements
     * @return {@code long}
     */
    @Operation(name = "many", hash = 0xea902158de301f35L)
    @Writes
    int many(List<Named> a);

    /**
     * The operation {@code beside}.
     *
     * @param a {@code long}
     * @return {@code long}
     */
    @Operation(name = "beside", hash = 0xa3e70fe7fb5d3f32L)
    @Writes
    int beside(int a);
}
//--- nested/Unbounded.java
// Made from the interface nested; changes here are lost.

package nested;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Unbounded}.
 *
 * @param points {@code sequence<Point, 65536>}: at most 65536 elements
 * @param texts {@code sequence<string<4096>, 65536>}: at most 65536 elements
 */
public record Unbounded(List<Point> points, List<String> texts) {
    /** Checks all bounds. */
    public Unbounded {
        points = Bounds.list("points", points, 65536);
        texts = Bounds.list("texts", texts, 65536, each -> Bounds.string("texts", each, 4096));
    }
}
//--- nested/package-info.java
// Made from the interface nested; changes here are lost.

/**
 * Lists in structs, lists, arrays, unions and exceptions.
 */
@carnet.Module(name = "nested", version = "1.0", unknown = "")
package nested;
