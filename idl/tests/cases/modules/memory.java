//--- sums/Sums.java
// Made from the interface sums; changes here are lost.

package sums;

import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;

/** The interface {@code Sums}. */
@Interface(name = "sums::Sums", hash = 0xb2cd94eec2a3a1e5L)
public interface Sums {
    /**
     * The sum of its bytes.
     *
     * @param of {@code ::carnet::Memory}
     * @return {@code unsigned long long}: not negative
     */
    @Operation(name = "sum", hash = 0x5483d048a4dd0e50L)
    @Reads
    long sum(carnet_.Memory of);

    /**
     * Bytes that count.
     *
     * @param bytes {@code long long}
     * @return {@code ::carnet::Memory}
     */
    @Operation(name = "counted", hash = 0x49820bdc43a62f47L)
    @Reads
    carnet_.Memory counted(long bytes);

    /**
     * Keeps it until the next.
     *
     * @param of {@code ::carnet::Memory}
     */
    @Operation(name = "keep", hash = 0x2de03b784e50644cL)
    @Writes
    void keep(carnet_.Memory of);

    /**
     * What is kept.
     *
     * @return {@code ::carnet::Memory}
     */
    @Operation(name = "kept", hash = 0x16a8924a494b14baL)
    @Reads
    carnet_.Memory kept();
}
//--- sums/package-info.java
// Made from the interface sums; changes here are lost.

/**
 * What a service does with memory that is handed over, and with its own.
 */
@carnet.Module(name = "sums", version = "", unknown = "")
package sums;
