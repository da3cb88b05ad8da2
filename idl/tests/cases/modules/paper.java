//--- paper/Sizes.java
// Made from the interface paper; changes here are lost.

package paper;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Sizes}. */
@Interface(name = "paper::Sizes", hash = 0x1b9565c45a6c825eL)
public interface Sizes {
    /**
     * The size goes the same way: it is the sequence's length.
     *
     * @param a {@code sequence<long, 65536>}: at most 65536 elements
     */
    @Operation(name = "goes", hash = 0xef2f4fbdbd725439L)
    @Writes
    void goes(List<Integer> a);

    /**
     * The operation {@code comes}.
     *
     * @return {@code sequence<long, 65536>}: at most 65536 elements
     */
    @Operation(name = "comes", hash = 0xb9bad35bcd5c69caL)
    @Writes
    List<Integer> comes();

    /**
     * The operation {@code both}.
     *
     * @param a {@code sequence<long, 65536>}: at most 65536 elements
     * @return {@code sequence<long, 65536>}: at most 65536 elements
     */
    @Operation(name = "both", hash = 0xf90e121f015fe1c3L)
    @Writes
    List<Integer> both(List<Integer> a);

    /**
     * It goes in, and the array both ways: its length, and what comes back has its own.
     *
     * @param a {@code sequence<long, 65536>}: at most 65536 elements
     * @return {@code sequence<long, 65536>}: at most 65536 elements
     */
    @Operation(name = "changed", hash = 0x860be4e4cbf49996L)
    @Writes
    List<Integer> changed(List<Integer> a);

    /**
     * The operation {@code beside}.
     *
     * @param a {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @param b {@code sequence<octet, 1048576>}: at most 1048576 bytes
     * @return {@code sequence<octet, 1048576>}: at most 1048576 bytes
     */
    @Operation(name = "beside", hash = 0x4944ab69c13e700fL)
    @Writes
    Bytes beside(Bytes a, Bytes b);

    /**
     * How much may come back, and how much came: a number beside the sequence.
     *
     * @param n {@code long}
     * @return {@code sequence<long, 65536>}: at most 65536 elements
     */
    @Operation(name = "up_to", hash = 0x43c8334e24671a0cL)
    @Writes
    List<Integer> upTo(int n);

    /**
     * The operation {@code at_most}.
     *
     * @param n {@code long}
     * @return all that comes back
     */
    @Operation(name = "at_most", hash = 0xcc947039e325343aL)
    @Writes
    AtMostResult atMost(int n);

    /**
     * What {@code at_most} gives back.
     *
     * @param n {@code long}
     * @param a {@code sequence<long, 65536>}: at most 65536 elements
     */
    record AtMostResult(int n, List<Integer> a) {
        /** Checks all bounds. */
        public AtMostResult {
            a = Bounds.list("a", a, 65536);
        }
    }

    /**
     * What is left of it: a number beside the sequence.
     *
     * @param n {@code long}
     * @param a {@code sequence<long, 65536>}: at most 65536 elements
     * @return {@code long}
     */
    @Operation(name = "taken", hash = 0xac602b164caeee76L)
    @Writes
    int taken(int n, List<Integer> a);
}
//--- paper/package-info.java
// Made from the interface paper; changes here are lost.

/**
 * Sizes in the paper's form, each way.
 */
@carnet.Module(name = "paper", version = "", unknown = "")
package paper;
