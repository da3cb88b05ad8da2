//--- full/Full.java
// Made from the interface full; changes here are lost.

package full;

import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Full}. */
@Interface(name = "full::Full", hash = 0x403898b64632f637L)
public interface Full {
    /**
     * The operation {@code turn}.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    @Operation(name = "turn", hash = 0xc2d907c4837ea175L)
    @Writes
    Bytes turn(Bytes a);

    /**
     * The operation {@code echo}.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    @Operation(name = "echo", hash = 0x66cdccbe18cbcbe5L)
    @Writes
    Bytes echo(Bytes a);

    /**
     * The operation {@code swap}.
     *
     * @param a {@code sequence<Pair, 65536>}: at most 65536 elements
     * @return {@code sequence<Pair, 65536>}: at most 65536 elements
     */
    @Operation(name = "swap", hash = 0xba7c538c615bb404L)
    @Writes
    List<Pair> swap(List<Pair> a);
}
//--- full/Pair.java
// Made from the interface full; changes here are lost.

package full;

/**
 * The struct {@code Pair}.
 *
 * @param a {@code long long}
 * @param b {@code long long}
 */
public record Pair(long a, long b) {}
//--- full/package-info.java
// Made from the interface full; changes here are lost.

/**
 * As much as sequences without a bound hold, both ways.
 */
@carnet.Module(name = "full", version = "", unknown = "")
package full;
