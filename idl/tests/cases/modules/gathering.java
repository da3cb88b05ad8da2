//--- gathering/Box.java
// Made from the interface gathering; changes here are lost.

package gathering;

import carnet.Bounds;
import carnet.Bytes;

/**
 * The struct {@code Box}.
 *
 * @param raw {@code octet[2000]}: 2000 bytes
 */
public record Box(Bytes raw) {
    /** Checks all bounds. */
    public Box {
        Bounds.octets("raw", raw, 2000);
    }
}
//--- gathering/Pair.java
// Made from the interface gathering; changes here are lost.

package gathering;

/**
 * The struct {@code Pair}.
 *
 * @param a {@code long long}
 * @param b {@code double}
 */
public record Pair(long a, double b) {}
//--- gathering/Shelf.java
// Made from the interface gathering; changes here are lost.

package gathering;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Shelf}.
 *
 * @param label {@code string<5000>}: at most 5000 bytes as UTF-8, none of them NUL
 * @param numbers {@code sequence<long long, 10000>}: at most 10000 elements
 * @param texts {@code sequence<string<3000>, 20>}: at most 20 elements
 */
public record Shelf(String label, List<Long> numbers, List<String> texts) {
    /** Checks all bounds. */
    public Shelf {
        Bounds.string("label", label, 5000);
        numbers = Bounds.list("numbers", numbers, 10000);
        texts = Bounds.list("texts", texts, 20, each -> Bounds.string("texts", each, 3000));
    }
}
//--- gathering/Store.java
// Made from the interface gathering; changes here are lost.

package gathering;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Store}. */
@Interface(name = "gathering::Store", hash = 0x4d4683ef5992375fL)
public interface Store {
    /**
     * What the bytes of all come to, in their order.
     *
     * @param a {@code string<100000>}: at most 100000 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param c {@code long long}
     * @param d {@code string<100>}: at most 100 bytes as UTF-8, none of them NUL
     * @param e {@code sequence<octet, 5000>}: at most 5000 bytes
     * @return {@code long long}
     */
    @Operation(name = "sum", hash = 0x18c9b9f14273ddc5L)
    @Writes
    long sum(String a, Bytes b, long c, String d, Bytes e);

    /**
     * The same of one text.
     *
     * @param a {@code string<100000>}: at most 100000 bytes as UTF-8, none of them NUL
     * @return {@code long long}
     */
    @Operation(name = "text", hash = 0x3eb6b09390ec8fbdL)
    @Writes
    long text(String a);

    /**
     * All as it came.
     *
     * @param a {@code string<100000>}: at most 100000 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 400000>}: at most 400000 bytes
     * @param c {@code sequence<Pair, 10000>}: at most 10000 elements
     * @param d {@code sequence<string<4000>, 300>}: at most 300 elements
     * @param e {@code Shelf}
     * @return all that comes back
     */
    @Operation(name = "back", hash = 0xc8ce24339f7f8d7bL)
    @Writes
    BackResult back(String a, Bytes b, List<Pair> c, List<String> d, Shelf e);

    /**
     * What {@code back} gives back.
     *
     * @param a {@code string<100000>}: at most 100000 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 400000>}: at most 400000 bytes
     * @param c {@code sequence<Pair, 10000>}: at most 10000 elements
     * @param d {@code sequence<string<4000>, 300>}: at most 300 elements
     * @param e {@code Shelf}
     */
    record BackResult(String a, Bytes b, List<Pair> c, List<String> d, Shelf e) {
        /** Checks all bounds. */
        public BackResult {
            Bounds.string("a", a, 100000);
            Bounds.bytes("b", b, 400000);
            c = Bounds.list("c", c, 10000);
            d = Bounds.list("d", d, 300, each -> Bounds.string("d", each, 4000));
            Bounds.present("e", e);
        }
    }

    /**
     * So many bytes of each, as far as there is room.
     *
     * @param len {@code long long}
     * @return all that comes back
     */
    @Operation(name = "given", hash = 0x81b7f691f1b98f06L)
    @Writes
    GivenResult given(long len);

    /**
     * What {@code given} gives back.
     *
     * @param a {@code string<100000>}: at most 100000 bytes as UTF-8, none of them NUL
     * @param b {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param c {@code string<100>}: at most 100 bytes as UTF-8, none of them NUL
     * @param d {@code sequence<octet, 5000>}: at most 5000 bytes
     */
    record GivenResult(String a, Bytes b, String c, Bytes d) {
        /** Checks all bounds. */
        public GivenResult {
            Bounds.string("a", a, 100000);
            Bounds.bytes("b", b, 1048576);
            Bounds.string("c", c, 100);
            Bounds.bytes("d", d, 5000);
        }
    }

    /**
     * Bytes that the server has copied since it was asked before; 0 if it does not count them.
     *
     * @return {@code long long}
     */
    @Operation(name = "copied", hash = 0x98728ea8810b01dcL)
    @Writes
    long copied();

    /**
     * With each byte turned over.
     *
     * @param it {@code Box}
     * @return {@code Box}
     */
    @Operation(name = "turned", hash = 0x689c5992b364ef93L)
    @Writes
    Box turned(Box it);
}
//--- gathering/package-info.java
// Made from the interface gathering; changes here are lost.

/**
 * Long data that go both ways, several at once.
 */
@carnet.Module(name = "gathering", version = "1.0", unknown = "")
package gathering;
