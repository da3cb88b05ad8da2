//--- wide/Pages.java
// Made from the interface wide; changes here are lost.

package wide;

import carnet.Bounds;
import carnet.Bytes;

/**
 * The struct {@code Pages}.
 *
 * @param a {@code octet[4096]}: 4096 bytes
 * @param b {@code octet[4096]}: 4096 bytes
 * @param c {@code octet[4096]}: 4096 bytes
 * @param d {@code octet[4096]}: 4096 bytes
 * @param e {@code octet[4096]}: 4096 bytes
 * @param f {@code octet[4096]}: 4096 bytes
 * @param g {@code octet[4096]}: 4096 bytes
 * @param h {@code octet[4096]}: 4096 bytes
 */
public record Pages(Bytes a, Bytes b, Bytes c, Bytes d, Bytes e, Bytes f, Bytes g, Bytes h) {
    /** Checks all bounds. */
    public Pages {
        Bounds.octets("a", a, 4096);
        Bounds.octets("b", b, 4096);
        Bounds.octets("c", c, 4096);
        Bounds.octets("d", d, 4096);
        Bounds.octets("e", e, 4096);
        Bounds.octets("f", f, 4096);
        Bounds.octets("g", g, 4096);
        Bounds.octets("h", h, 4096);
    }
}
//--- wide/Wide.java
// Made from the interface wide; changes here are lost.

package wide;

import carnet.Bounds;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Wide}. */
@Interface(name = "wide::Wide", hash = 0x9759f5d3b8f2a85dL)
public interface Wide {
    /**
     * The operation {@code turn}.
     *
     * @param a {@code Pages}
     * @param b {@code Pages}
     * @param c {@code Pages}
     * @param d {@code Pages}
     * @return all that comes back
     */
    @Operation(name = "turn", hash = 0x074df1dd44addb86L)
    @Writes
    TurnResult turn(Pages a, Pages b, Pages c, Pages d);

    /**
     * What {@code turn} gives back.
     *
     * @param e {@code Pages}
     * @param f {@code Pages}
     * @param g {@code Pages}
     * @param h {@code Pages}
     */
    record TurnResult(Pages e, Pages f, Pages g, Pages h) {
        /** Checks all bounds. */
        public TurnResult {
            Bounds.present("e", e);
            Bounds.present("f", f);
            Bounds.present("g", g);
            Bounds.present("h", h);
        }
    }

    /**
     * The operation {@code list}.
     *
     * @param pages {@code sequence<Pages, 8>}: at most 8 elements
     * @return {@code sequence<Pages, 8>}: at most 8 elements
     */
    @Operation(name = "list", hash = 0x1aaf8e04551d53faL)
    @Writes
    List<Pages> list(List<Pages> pages);
}
//--- wide/package-info.java
// Made from the interface wide; changes here are lost.

/**
 * An interface of Carnet.
 */
@carnet.Module(name = "wide", version = "", unknown = "")
package wide;
