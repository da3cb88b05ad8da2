//--- sharing/Rows.java
// Made from the interface sharing; changes here are lost.

package sharing;

import carnet.Bounds;
import carnet.Bytes;
import java.util.List;

/**
 * The struct {@code Rows}.
 *
 * @param all {@code sequence<sequence<octet, 8>, 65536>[60]}: 60 elements
 */
public record Rows(List<List<Bytes>> all) {
    /** Checks all bounds. */
    public Rows {
        all = Bounds.array("all", all, 60, each -> Bounds.list("all", each, 65536, each2 -> Bounds.bytes("all", each2, 8)));
    }
}
//--- sharing/Taker.java
// Made from the interface sharing; changes here are lost.

package sharing;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Taker}. */
@Interface(name = "sharing::Taker", hash = 0x076fb817b7e7b7b0L)
public interface Taker {
    /**
     * The operation {@code rows}.
     *
     * @param a {@code Rows}
     * @return {@code long}
     */
    @Operation(name = "rows", hash = 0xc46d9f0e2046ab28L)
    @Writes
    int rows(Rows a);

    /**
     * The operation {@code given}.
     *
     * @return {@code Rows}
     */
    @Operation(name = "given", hash = 0x61c50b0911515af7L)
    @Writes
    Rows given();

    /**
     * The operation {@code texts}.
     *
     * @param a {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param b {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param c {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param d {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @return {@code long}
     */
    @Operation(name = "texts", hash = 0x765b50e4b42716b8L)
    @Writes
    int texts(List<String> a, List<String> b, List<String> c, List<String> d);

    /**
     * The operation {@code told}.
     *
     * @return all that comes back
     */
    @Operation(name = "told", hash = 0x507a50cb63357659L)
    @Writes
    ToldResult told();

    /**
     * What {@code told} gives back.
     *
     * @param result {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param a {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param b {@code sequence<string<4096>, 65536>}: at most 65536 elements
     * @param c {@code sequence<string<4096>, 65536>}: at most 65536 elements
     */
    record ToldResult(List<String> result, List<String> a, List<String> b, List<String> c) {
        /** Checks all bounds. */
        public ToldResult {
            result = Bounds.list("result", result, 65536, each -> Bounds.string("result", each, 4096));
            a = Bounds.list("a", a, 65536, each -> Bounds.string("a", each, 4096));
            b = Bounds.list("b", b, 65536, each -> Bounds.string("b", each, 4096));
            c = Bounds.list("c", c, 65536, each -> Bounds.string("c", each, 4096));
        }
    }

    /**
     * The operation {@code turn}.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param b {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param c {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param d {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param e {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param f {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param g {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param h {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return all that comes back
     */
    @Operation(name = "turn", hash = 0x413b540b41de9b39L)
    @Writes
    TurnResult turn(Bytes a, Bytes b, Bytes c, Bytes d, Bytes e, Bytes f, Bytes g, Bytes h);

    /**
     * What {@code turn} gives back.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param b {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param c {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param d {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param e {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param f {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param g {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param h {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    record TurnResult(Bytes a, Bytes b, Bytes c, Bytes d, Bytes e, Bytes f, Bytes g, Bytes h) {
        /** Checks all bounds. */
        public TurnResult {
            Bounds.bytes("a", a, 1048576);
            Bounds.bytes("b", b, 1048576);
            Bounds.bytes("c", c, 1048576);
            Bounds.bytes("d", d, 1048576);
            Bounds.bytes("e", e, 1048576);
            Bounds.bytes("f", f, 1048576);
            Bounds.bytes("g", g, 1048576);
            Bounds.bytes("h", h, 1048576);
        }
    }
}
//--- sharing/package-info.java
// Made from the interface sharing; changes here are lost.

/**
 * As many references as there are words, for messages with which many of them name the same bytes.
 */
@carnet.Module(name = "sharing", version = "", unknown = "")
package sharing;
