//--- whole/Busy.java
// Made from the interface whole; changes here are lost.

package whole;

/** The exception {@code Busy}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Busy extends Exception {
    private final long until;

    /**
     * Checks all bounds.
     *
     * @param until {@code long long}
     */
    public Busy(long until) {
        super("Busy: until=" + until);
        this.until = until;
    }

    /**
     * The member {@code until}.
     *
     * @return {@code long long}
     */
    public long until() {
        return until;
    }
}
//--- whole/Constants.java
// Made from the interface whole; changes here are lost.

package whole;

/** The constants of the interface {@code whole}. */
public final class Constants {
    private Constants() {}

    /** The constant {@code SIZE}. */
    public static final long SIZE = 18L;

    /** The constant {@code LEAST}. */
    public static final long LEAST = -9223372036854775808L;

    /** The constant {@code PI}. */
    public static final double PI = 3.14;

    /** The constant {@code HALF}. */
    public static final float HALF = 0.5f;

    /** The constant {@code MARK}. */
    public static final char MARK = 'A';

    /** The constant {@code ON}. */
    public static final boolean ON = true;

    /** The constant {@code GREETING}. */
    public static final String GREETING = "good \"day\", two\011parts";

    /** The constant {@code USUAL}. */
    public static final Shade USUAL = Shade.DARK;

    /** The constant {@code MOST}, 18446744073709551615 without a sign. */
    public static final long MOST = -1L;

    /** The constant {@code Leaf::LIMIT}. */
    public static final int LEAF_LIMIT = 8;
}
//--- whole/Denied.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/** The exception {@code Denied}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Denied extends Exception {
    private final String who;
    private final Value why;

    /**
     * Checks all bounds.
     *
     * @param who {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @param why {@code Value}
     */
    public Denied(String who, Value why) {
        super("Denied: who=" + who + ", why=" + why);
        this.who = Bounds.string("who", who, 8);
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
     * The member {@code why}.
     *
     * @return {@code Value}
     */
    public Value why() {
        return why;
    }
}
//--- whole/Empty.java
// Made from the interface whole; changes here are lost.

package whole;

/** The exception {@code Empty}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Empty extends Exception {
    /** Checks all bounds. */
    public Empty() {
        super("Empty");
    }
}
//--- whole/InnerDeep.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code inner::Deep}. */
@Interface(name = "whole::inner::Deep", hash = 0xc2f4dd660f946c9fL)
public interface InnerDeep {
    /**
     * The operation {@code turn}.
     *
     * @param a {@code inner::Pair}
     * @param leaf {@code Leaf}
     * @return {@code inner::Pair}
     */
    @Operation(name = "turn", hash = 0xc66dba7d3813d70bL)
    @Writes
    InnerPair turn(InnerPair a, Leaf leaf);
}
//--- whole/InnerPair.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;
import carnet.Bytes;

/**
 * The struct {@code inner::Pair}.
 *
 * @param shade {@code Shade}
 * @param key {@code octet[16]}: 16 bytes
 */
public record InnerPair(Shade shade, Bytes key) {
    /** Checks all bounds. */
    public InnerPair {
        Bounds.present("shade", shade);
        Bounds.octets("key", key, 16);
    }
}
//--- whole/Labelled.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/**
 * The struct {@code Labelled}.
 *
 * @param value {@code Value}
 * @param at {@code long}
 */
public record Labelled(Value value, int at) {
    /** Checks all bounds. */
    public Labelled {
        Bounds.present("value", value);
    }
}
//--- whole/Leaf.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Leaf}. */
@Interface(name = "whole::Leaf", hash = 0x1fef0f23fcd8ecfaL)
public interface Leaf extends Node {
    /**
     * The operation {@code kind}.
     *
     * @param a {@code Leaf::Kind}
     * @param b {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @return {@code Leaf::Kind}
     */
    @Operation(name = "kind", hash = 0x075cb1b87f9bebeeL)
    @Writes
    LeafKind kind(LeafKind a, String b);
}
//--- whole/LeafKind.java
// Made from the interface whole; changes here are lost.

package whole;

/** The enum {@code Leaf::Kind}. */
public enum LeafKind {
    GREEN,
    BROWN
}
//--- whole/Link.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/**
 * The struct {@code Link}.
 *
 * @param node {@code Node}
 * @param name {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
 */
public record Link(Node node, String name) {
    /** Checks all bounds. */
    public Link {
        Bounds.present("node", node);
        Bounds.string("name", name, 8);
    }
}
//--- whole/Many.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;
import carnet.Bytes;
import java.util.List;

/** The union {@code Many}. */
public sealed interface Many {
    /**
     * What says which arm it is.
     *
     * @return {@code long}
     */
    int discriminant();

    /**
     * The arm {@code real}.
     *
     * @param discriminant {@code long}
     * @param value {@code double}
     */
    record Real(int discriminant, double value) implements Many {
        /** Checks all bounds. */
        public Real {
            Bounds.oneOf(discriminant, List.of(1, 2));
        }
    }

    /**
     * The arm {@code tables}.
     *
     * @param value {@code Tables}
     */
    record Tables(whole.Tables value) implements Many {
        /** Checks all bounds. */
        public Tables {
            Bounds.present("value", value);
        }

        @Override
        public int discriminant() {
            return 3;
        }
    }

    /**
     * The arm {@code key}.
     *
     * @param value {@code octet[16]}: 16 bytes
     */
    record Key(Bytes value) implements Many {
        /** Checks all bounds. */
        public Key {
            Bounds.octets("value", value, 16);
        }

        @Override
        public int discriminant() {
            return -4;
        }
    }

    /**
     * The arm {@code other}.
     *
     * @param discriminant {@code long}
     * @param value {@code boolean}
     */
    record Other(int discriminant, boolean value) implements Many {
        /** Checks all bounds. */
        public Other {
            Bounds.noneOf(discriminant, List.of(1, 2, 3, -4));
        }
    }
}
//--- whole/Node.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Oneway;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Node}. */
@Interface(name = "whole::Node", hash = 0x15a04a167faf1f62L)
public interface Node {
    /**
     * Reads the attribute {@code level}.
     *
     * @return {@code long}
     */
    @Operation(name = "_get_level", hash = 0x8bb30cec2e83c350L)
    @Reads
    @Idempotent
    int getLevel();

    /**
     * Sets the attribute {@code level}.
     *
     * @param value {@code long}
     */
    @Operation(name = "_set_level", hash = 0xce7c6fc0757a37feL)
    @Writes
    @Idempotent
    void setLevel(int value);

    /**
     * Reads the attribute {@code height}.
     *
     * @return {@code long}
     */
    @Operation(name = "_get_height", hash = 0xa8bb14b37a1410e7L)
    @Reads
    @Idempotent
    int getHeight();

    /**
     * Sets the attribute {@code height}.
     *
     * @param value {@code long}
     */
    @Operation(name = "_set_height", hash = 0xa13584606f4b0d99L)
    @Writes
    @Idempotent
    void setHeight(int value);

    /**
     * Reads the attribute {@code name}.
     *
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @throws Plain as the service says
     */
    @Operation(name = "_get_name", hash = 0xd506246eb4308343L)
    @Reads
    @Idempotent
    String getName() throws Plain;

    /**
     * The operation {@code numbers}.
     *
     * @param a {@code Numbers}
     * @param b {@code Numbers}
     * @return all that comes back
     */
    @Operation(name = "numbers", hash = 0x8d369143e280cbb1L)
    @Writes
    NumbersResult numbers(Numbers a, Numbers b);

    /**
     * What {@code numbers} gives back.
     *
     * @param result {@code Numbers}
     * @param b {@code Numbers}
     * @param c {@code float}
     */
    record NumbersResult(Numbers result, Numbers b, float c) {
        /** Checks all bounds. */
        public NumbersResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code tables}.
     *
     * @param a {@code Tables}
     * @param c {@code long[2][3]}: 2 elements
     * @return all that comes back
     */
    @Operation(name = "tables", hash = 0x9aea321a759e13d8L)
    @Writes
    TablesResult tables(Tables a, List<List<Integer>> c);

    /**
     * What {@code tables} gives back.
     *
     * @param result {@code Tables}
     * @param b {@code long[3]}: 3 elements
     * @param c {@code long[2][3]}: 2 elements
     */
    record TablesResult(Tables result, List<Integer> b, List<List<Integer>> c) {
        /** Checks all bounds. */
        public TablesResult {
            Bounds.present("result", result);
            b = Bounds.array("b", b, 3);
            c = Bounds.array("c", c, 2, each -> Bounds.array("c", each, 3));
        }
    }

    /**
     * The operation {@code key}.
     *
     * @param a {@code octet[16]}: 16 bytes
     * @param c {@code sequence<octet[16], 4>}: at most 4 elements
     * @return all that comes back
     */
    @Operation(name = "key", hash = 0x0e8297bbbcb15b45L)
    @Writes
    KeyResult key(Bytes a, List<Bytes> c);

    /**
     * What {@code key} gives back.
     *
     * @param result {@code octet[16]}: 16 bytes
     * @param b {@code sequence<octet[16], 4>}: at most 4 elements
     */
    record KeyResult(Bytes result, List<Bytes> b) {
        /** Checks all bounds. */
        public KeyResult {
            Bounds.octets("result", result, 16);
            b = Bounds.list("b", b, 4, each -> Bounds.octets("b", each, 16));
        }
    }

    /**
     * The operation {@code value}.
     *
     * @param a {@code Value}
     * @param c {@code Many}
     * @return all that comes back
     */
    @Operation(name = "value", hash = 0x86b6b72b4761d18aL)
    @Writes
    ValueResult value(Value a, Many c);

    /**
     * What {@code value} gives back.
     *
     * @param result {@code Value}
     * @param b {@code Many}
     */
    record ValueResult(Value result, Many b) {
        /** Checks all bounds. */
        public ValueResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code labelled}.
     *
     * @param a {@code sequence<Labelled, 3>}: at most 3 elements
     * @return {@code sequence<Labelled, 3>}: at most 3 elements
     */
    @Operation(name = "labelled", hash = 0x2cd5f41a879177b5L)
    @Writes
    List<Labelled> labelled(List<Labelled> a);

    /**
     * The operation {@code manies}.
     *
     * @param a {@code sequence<Many, 3>}: at most 3 elements
     * @return {@code sequence<Many, 3>}: at most 3 elements
     */
    @Operation(name = "manies", hash = 0x059bd8f975f15984L)
    @Writes
    List<Many> manies(List<Many> a);

    /**
     * The operation {@code triples}.
     *
     * @param a {@code sequence<long[3], 3>}: at most 3 elements
     * @return {@code sequence<long[3], 3>}: at most 3 elements
     */
    @Operation(name = "triples", hash = 0xece82670557b1199L)
    @Writes
    List<List<Integer>> triples(List<List<Integer>> a);

    /**
     * The operation {@code reals}.
     *
     * @param a {@code sequence<double, 3>}: at most 3 elements
     * @return {@code sequence<double, 3>}: at most 3 elements
     */
    @Operation(name = "reals", hash = 0xccce8e5433f36980L)
    @Writes
    List<Double> reals(List<Double> a);

    /**
     * The operation {@code link}.
     *
     * @param a {@code Link}
     * @return {@code Link}
     */
    @Operation(name = "link", hash = 0x07421ec36f000c3bL)
    @Writes
    Link link(Link a);

    /**
     * The operation {@code links}.
     *
     * @param a {@code sequence<Link, 3>}: at most 3 elements
     * @return {@code sequence<Link, 3>}: at most 3 elements
     */
    @Operation(name = "links", hash = 0x0c34b6f76b9e09c2L)
    @Writes
    List<Link> links(List<Link> a);

    /**
     * The operation {@code nodes}.
     *
     * @param a {@code sequence<Node, 3>}: at most 3 elements
     * @return {@code sequence<Node, 3>}: at most 3 elements
     */
    @Operation(name = "nodes", hash = 0xe5bf3917bf99fba3L)
    @Writes
    List<Node> nodes(List<Node> a);

    /**
     * The operation {@code fail}.
     *
     * @param how {@code long}
     * @throws Busy as the service says
     * @throws Denied as the service says
     * @throws Empty as the service says
     * @throws Plain as the service says
     */
    @Operation(name = "fail", hash = 0xb55431a6af32a619L)
    @Writes
    void fail(int how) throws Busy, Denied, Empty, Plain;

    /**
     * The operation {@code fail_alone}.
     *
     * @throws Busy as the service says
     */
    @Operation(name = "fail_alone", hash = 0x0eaf531b731ae98fL)
    @Writes
    void failAlone() throws Busy;

    /**
     * The operation {@code tell}.
     *
     * @param a {@code long}
     * @param b {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "tell", hash = 0x0cd790f4b9532b2cL)
    @Writes
    @Oneway
    void tell(int a, String b);

    /**
     * The operation {@code unbounded}.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param b {@code sequence<Labelled, 32768>}: at most 32768 elements
     * @return {@code string<4096>}: at most 4096 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "unbounded", hash = 0x1fa52085f10838afL)
    @Writes
    String unbounded(Bytes a, List<Labelled> b);

    /**
     * The operation {@code letter}.
     *
     * @param a {@code char}: one byte, 0 to 255
     * @param b {@code sequence<octet, 8>}: at most 8 bytes
     * @return {@code char}: one byte, 0 to 255
     */
    @Operation(name = "letter", hash = 0xbec8ca444a3a7893L)
    @Writes
    char letter(char a, Bytes b);

    /**
     * The operation {@code turn}.
     *
     * @param a {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 2000>}: at most 2000 bytes
     * @param c {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @return all that comes back
     * @throws Plain as the service says
     */
    @Operation(name = "turn", hash = 0x10999a2369f5f08aL)
    @Writes
    TurnResult turn(String a, Bytes b, String c) throws Plain;

    /**
     * What {@code turn} gives back.
     *
     * @param result {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @param a {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 2000>}: at most 2000 bytes
     */
    record TurnResult(String result, String a, Bytes b) {
        /** Checks all bounds. */
        public TurnResult {
            Bounds.string("result", result, 8);
            Bounds.string("a", a, 8);
            Bounds.bytes("b", b, 2000);
        }
    }

    /**
     * The operation {@code reshape}.
     *
     * @param a {@code Tables}
     * @param b {@code octet[16]}: 16 bytes
     * @param c {@code Value}
     * @param d {@code Many}
     * @return all that comes back
     */
    @Operation(name = "reshape", hash = 0x25bdf7f516700605L)
    @Writes
    ReshapeResult reshape(Tables a, Bytes b, Value c, Many d);

    /**
     * What {@code reshape} gives back.
     *
     * @param a {@code Tables}
     * @param b {@code octet[16]}: 16 bytes
     * @param c {@code Value}
     * @param d {@code Many}
     */
    record ReshapeResult(Tables a, Bytes b, Value c, Many d) {
        /** Checks all bounds. */
        public ReshapeResult {
            Bounds.present("a", a);
            Bounds.octets("b", b, 16);
            Bounds.present("c", c);
            Bounds.present("d", d);
        }
    }

    /**
     * The operation {@code relabel}.
     *
     * @param a {@code sequence<Labelled, 3>}: at most 3 elements
     * @param b {@code sequence<string<8>, 3>}: at most 3 elements
     * @param add {@code long}
     * @param c {@code sequence<long, 3>}: at most 3 elements
     * @return all that comes back
     */
    @Operation(name = "relabel", hash = 0x6843c7e65460f4d5L)
    @Writes
    RelabelResult relabel(List<Labelled> a, List<String> b, int add, List<Integer> c);

    /**
     * What {@code relabel} gives back.
     *
     * @param a {@code sequence<Labelled, 3>}: at most 3 elements
     * @param b {@code sequence<string<8>, 3>}: at most 3 elements
     * @param c {@code sequence<long, 3>}: at most 3 elements
     */
    record RelabelResult(List<Labelled> a, List<String> b, List<Integer> c) {
        /** Checks all bounds. */
        public RelabelResult {
            a = Bounds.list("a", a, 3);
            b = Bounds.list("b", b, 3, each -> Bounds.string("b", each, 8));
            c = Bounds.list("c", c, 3);
        }
    }

    /**
     * The operation {@code climb}.
     *
     * @param by {@code long}
     * @param a {@code Node}
     * @return all that comes back
     */
    @Operation(name = "climb", hash = 0xaf67e71b77e8f4afL)
    @Writes
    ClimbResult climb(int by, Node a);

    /**
     * What {@code climb} gives back.
     *
     * @param result {@code Node}
     * @param a {@code Node}
     * @param level {@code long}
     */
    record ClimbResult(Node result, Node a, int level) {
        /** Checks all bounds. */
        public ClimbResult {
            Bounds.present("result", result);
            Bounds.present("a", a);
        }
    }

    /**
     * The operation {@code relink}.
     *
     * @param a {@code Link}
     * @param b {@code sequence<Link, 3>}: at most 3 elements
     * @param c {@code sequence<Node, 3>}: at most 3 elements
     * @return all that comes back
     * @throws Busy as the service says
     * @throws Denied as the service says
     */
    @Operation(name = "relink", hash = 0x553a813dd5621468L)
    @Writes
    RelinkResult relink(Link a, List<Link> b, List<Node> c) throws Busy, Denied;

    /**
     * What {@code relink} gives back.
     *
     * @param a {@code Link}
     * @param b {@code sequence<Link, 3>}: at most 3 elements
     * @param c {@code sequence<Node, 3>}: at most 3 elements
     */
    record RelinkResult(Link a, List<Link> b, List<Node> c) {
        /** Checks all bounds. */
        public RelinkResult {
            Bounds.present("a", a);
            b = Bounds.list("b", b, 3);
            c = Bounds.list("c", c, 3);
        }
    }
}
//--- whole/Numbers.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/**
 * The struct {@code Numbers}.
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
public record Numbers(
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
    public Numbers {
        Bounds.uint8("b", b);
        Bounds.uint16("d", d);
        Bounds.uint32("f", f);
        Bounds.uint64("h", h);
        Bounds.character("i", i);
    }
}
//--- whole/Petal.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Petal}. */
@Interface(name = "whole::Petal", hash = 0x365deb7764c54651L)
public interface Petal extends Leaf {
    /**
     * The operation {@code other}.
     *
     * @param a {@code Leaf::Kind}
     * @param up {@code Node}
     * @return {@code Leaf::Kind}
     */
    @Operation(name = "other", hash = 0x18fd3d361f428084L)
    @Writes
    LeafKind other(LeafKind a, Node up);
}
//--- whole/Pfs.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The functions of the IDL4 paper, table 4, as it prints them but for names of types. */
@Interface(name = "whole::Pfs", hash = 0xf4a21c6899eaeba8L)
public interface Pfs {
    /**
     * The operation {@code pfs_open}.
     *
     * @param client {@code long}
     * @param fobj {@code long}
     * @param flags {@code long}
     * @param mode {@code long}
     * @return all that comes back
     */
    @Operation(name = "pfs_open", hash = 0x428a66691fde69d4L)
    @Writes
    PfsOpenResult pfsOpen(int client, int fobj, int flags, int mode);

    /**
     * What {@code pfs_open} gives back.
     *
     * @param result {@code long}
     * @param handle {@code long}
     */
    record PfsOpenResult(int result, int handle) {}

    /**
     * The operation {@code pfs_write}.
     *
     * @param handle {@code long}
     * @param pos {@code long}
     * @param len {@code long}
     * @param data {@code sequence<long, 65536>}: at most 65536 elements
     * @return all that comes back
     */
    @Operation(name = "pfs_write", hash = 0xea4754e838eaa657L)
    @Writes
    PfsWriteResult pfsWrite(int handle, int pos, int len, List<Integer> data);

    /**
     * What {@code pfs_write} gives back.
     *
     * @param result {@code long}
     * @param pos {@code long}
     */
    record PfsWriteResult(int result, int pos) {}

    /**
     * The operation {@code pfs_get_direntries}.
     *
     * @param handle {@code long}
     * @param pos {@code long}
     * @param count {@code long}
     * @return all that comes back
     */
    @Operation(name = "pfs_get_direntries", hash = 0x7337133409e1c9a6L)
    @Writes
    PfsGetDirentriesResult pfsGetDirentries(int handle, int pos, int count);

    /**
     * What {@code pfs_get_direntries} gives back.
     *
     * @param result {@code long}
     * @param pos {@code long}
     * @param data {@code sequence<long, 65536>}: at most 65536 elements
     */
    record PfsGetDirentriesResult(int result, int pos, List<Integer> data) {
        /** Checks all bounds. */
        public PfsGetDirentriesResult {
            data = Bounds.list("data", data, 65536);
        }
    }

    /**
     * The operation {@code named}.
     *
     * @param name {@code string<4096>}: at most 4096 bytes as UTF-8, none of them NUL
     * @param raw {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return all that comes back
     */
    @Operation(name = "named", hash = 0x80e30416426d0ba3L)
    @Writes
    NamedResult named(String name, Bytes raw);

    /**
     * What {@code named} gives back.
     *
     * @param result {@code long}
     * @param other {@code string<4096>}: at most 4096 bytes as UTF-8, none of them NUL
     */
    record NamedResult(int result, String other) {
        /** Checks all bounds. */
        public NamedResult {
            Bounds.string("other", other, 4096);
        }
    }
}
//--- whole/Plain.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/** The exception {@code Plain}. */
@SuppressWarnings("serial") // Nothing serializes it: it travels as its members.
public final class Plain extends Exception {
    private final Shade kind;
    private final String message;

    /**
     * Checks all bounds.
     *
     * @param kind {@code Shade}
     * @param message what people read; cut to 20 bytes as UTF-8
     */
    public Plain(Shade kind, String message) {
        super(Bounds.cut(message, 20));
        this.kind = Bounds.present("kind", kind);
        this.message = getMessage();
    }

    /**
     * The member {@code kind}.
     *
     * @return {@code Shade}
     */
    public Shade kind() {
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
//--- whole/Shade.java
// Made from the interface whole; changes here are lost.

package whole;

/** The enum {@code Shade}. */
public enum Shade {
    LIGHT,
    DARK
}
//--- whole/Tables.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;
import carnet.Bytes;
import java.util.List;

/**
 * The struct {@code Tables}.
 *
 * @param triple {@code long[3]}: 3 elements
 * @param table {@code long[2][3]}: 2 elements
 * @param key {@code octet[16]}: 16 bytes
 * @param names {@code string<8>[2]}: 2 elements
 */
public record Tables(
        List<Integer> triple,
        List<List<Integer>> table,
        Bytes key,
        List<String> names) {
    /** Checks all bounds. */
    public Tables {
        triple = Bounds.array("triple", triple, 3);
        table = Bounds.array("table", table, 2, each -> Bounds.array("table", each, 3));
        Bounds.octets("key", key, 16);
        names = Bounds.array("names", names, 2, each -> Bounds.string("names", each, 8));
    }
}
//--- whole/Value.java
// Made from the interface whole; changes here are lost.

package whole;

import carnet.Bounds;

/** The union {@code Value}. */
public sealed interface Value {
    /**
     * What says which arm it is.
     *
     * @return {@code Shade}
     */
    Shade discriminant();

    /**
     * The arm {@code number}.
     *
     * @param value {@code long}
     */
    record Number(int value) implements Value {
        @Override
        public Shade discriminant() {
            return Shade.LIGHT;
        }
    }

    /**
     * The arm {@code text}.
     *
     * @param value {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    record Text(String value) implements Value {
        /** Checks all bounds. */
        public Text {
            Bounds.string("value", value, 8);
        }

        @Override
        public Shade discriminant() {
            return Shade.DARK;
        }
    }
}
//--- whole/package-info.java
// Made from the interface whole; changes here are lost.

/**
 * Everything that `everything.idl` has not: one operation or definition for each.
 */
@carnet.Module(name = "whole", version = "1.0", unknown = "")
package whole;
