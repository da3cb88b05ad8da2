//--- derived/Last.java
// Made from the interface derived; changes here are lost.

package derived;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Last}. */
@Interface(name = "derived::Last", hash = 0xf6f221dbc9c7e00dL)
public interface Last extends Middle {
    /**
     * The operation {@code setClient}.
     *
     * @param op {@code long}
     * @return {@code long}
     */
    @Operation(name = "setClient", hash = 0x5537c9367ddfd9ceL)
    @Writes
    int setClient_(int op);

    /**
     * The operation {@code lengthOf}.
     *
     * @param some {@code ::shared::Base}
     * @param other {@code Middle}
     * @return all that comes back
     * @throws shared.Gone as the service says
     * @throws shared.Busy as the service says
     */
    @Operation(name = "lengthOf", hash = 0x1387489abefad04cL)
    @Writes
    LengthOfResult lengthOf(shared.Base some, Middle other) throws shared.Gone, shared.Busy;

    /**
     * What {@code lengthOf} gives back.
     *
     * @param result {@code ::shared::Kind}
     * @param made {@code Middle}
     */
    record LengthOfResult(shared.Kind result, Middle made) {
        /** Checks all bounds. */
        public LengthOfResult {
            Bounds.present("result", result);
            Bounds.present("made", made);
        }
    }

    /**
     * The operation {@code read}.
     *
     * @param piece {@code sequence<octet, 4>}: at most 4 bytes
     * @param caller {@code long long}
     * @return {@code long long}
     */
    @Operation(name = "read", hash = 0x2a482197143f52a5L)
    @Writes
    long read(Bytes piece, long caller);
}
//--- derived/Middle.java
// Made from the interface derived; changes here are lost.

package derived;

import carnet.Interface;
import carnet.Operation;
import carnet.Writes;

/** The interface {@code Middle}. */
@Interface(name = "derived::Middle", hash = 0x852ac988cbabdca2L)
public interface Middle extends S {
    /**
     * The operation {@code nameInto}.
     *
     * @param client {@code long}
     * @return {@code string<9>}: at most 9 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "nameInto", hash = 0xcb71dca59d486030L)
    @Writes
    String nameInto(int client);

    /**
     * The operation {@code clone}.
     *
     * @param service {@code long}
     * @return {@code long}
     */
    @Operation(name = "clone", hash = 0xce859b7aa3dc9f76L)
    @Writes
    int clone_(int service);

    /**
     * The operation {@code to_owned}.
     *
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "to_owned", hash = 0x04346099d6f5d5cfL)
    @Writes
    String toOwned();

    /**
     * The operation {@code deref}.
     *
     * @return {@code long}
     */
    @Operation(name = "deref", hash = 0xa6d44012d2c18f04L)
    @Writes
    int deref();

    /**
     * The operation {@code to_base}.
     *
     * @param base {@code long}
     * @return {@code long}
     */
    @Operation(name = "to_base", hash = 0x49e166d451e1d570L)
    @Writes
    int toBase(int base);
}
//--- derived/S.java
// Made from the interface derived; changes here are lost.

package derived;

import carnet.Interface;

/** Has nothing of its own, and the name of a parameter of types in generated Rust. */
@Interface(name = "derived::S", hash = 0x01f045d611ddb529L)
public interface S extends shared.Base {}
//--- derived/package-info.java
// Made from the interface derived; changes here are lost.

/**
 * Three levels above an interface of another module, and names that are taken below or by every value.
 */
@carnet.Module(name = "derived", version = "", unknown = "")
package derived;
