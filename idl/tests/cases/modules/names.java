//--- names/Clash.java
// Made from the interface names; changes here are lost.

package names;

import carnet.Bounds;
import carnet.Bytes;
import carnet.Idempotent;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;
import carnet.Writes;
import java.util.List;

/** The interface {@code Clash}. */
@Interface(name = "names::Clash", hash = 0x55fa7f099f6aa4bdL)
public interface Clash {
    /**
     * The operation {@code read}.
     *
     * @param words {@code long}
     * @param piece {@code long}
     * @param caller {@code long}
     * @param portal {@code long}
     * @return {@code string<20>}: at most 20 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "read", hash = 0xcc4b88ff3fa94ed6L)
    @Writes
    String read(int words, int piece, int caller, int portal);

    /**
     * The operation {@code read_into}.
     *
     * @param area {@code long}
     * @return {@code string<20>}: at most 20 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "read_into", hash = 0xdd515a2b4f7dcba9L)
    @Writes
    String readInto(int area);

    /**
     * The operation {@code read_into_}.
     *
     * @param op {@code long}
     * @return {@code string<20>}: at most 20 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "read_into_", hash = 0x4af772f6d6a68f68L)
    @Writes
    String readInto_(int op);

    /**
     * The operation {@code both}.
     *
     * @param piece {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     * @return {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "both", hash = 0x4f32982de9499e47L)
    @Writes
    String both(String piece);

    /**
     * The operation {@code loud}.
     *
     * @param outputs {@code long}
     * @param call {@code long long}
     * @return all that comes back
     */
    @Operation(name = "loud", hash = 0x55e81a83d6450b26L)
    @Writes
    LoudResult loud(int outputs, long call);

    /**
     * What {@code loud} gives back.
     *
     * @param result {@code sequence<octet, 10>}: at most 10 bytes
     * @param call {@code long long}
     * @param made {@code long}
     */
    record LoudResult(Bytes result, long call, int made) {
        /** Checks all bounds. */
        public LoudResult {
            Bounds.bytes("result", result, 10);
        }
    }

    /**
     * The operation {@code sized}.
     *
     * @param words {@code sequence<octet, 10>}: at most 10 bytes
     * @param call {@code long long}
     * @return all that comes back
     */
    @Operation(name = "sized", hash = 0xba923ac5a2525996L)
    @Writes
    SizedResult sized(Bytes words, long call);

    /**
     * What {@code sized} gives back.
     *
     * @param result {@code long}
     * @param call {@code long long}
     */
    record SizedResult(int result, long call) {}

    /**
     * The operation {@code show}.
     *
     * @param call {@code long}
     * @return all that comes back
     */
    @Operation(name = "show", hash = 0x74fddf33ceec92ccL)
    @Writes
    ShowResult show(int call);

    /**
     * What {@code show} gives back.
     *
     * @param words {@code string<10>}: at most 10 bytes as UTF-8, none of them NUL
     * @param call {@code long}
     */
    record ShowResult(String words, int call) {
        /** Checks all bounds. */
        public ShowResult {
            Bounds.string("words", words, 10);
        }
    }

    /**
     * The operation {@code hold}.
     *
     * @param portals {@code sequence<Clash, 3>}: at most 3 elements
     * @param call {@code long}
     * @return all that comes back
     */
    @Operation(name = "hold", hash = 0xf4b189f6a457e9d1L)
    @Writes
    HoldResult hold(List<Clash> portals, int call);

    /**
     * What {@code hold} gives back.
     *
     * @param result {@code long}
     * @param call {@code long}
     */
    record HoldResult(int result, int call) {}

    /**
     * The operation {@code into}.
     *
     * @param a {@code long}
     * @return {@code long}
     */
    @Operation(name = "into", hash = 0x27fb30227dd9d070L)
    @Writes
    int into(int a);

    /**
     * The operation {@code try_into}.
     *
     * @param a {@code long}
     * @return {@code long}
     */
    @Operation(name = "try_into", hash = 0x4f306236c6c54ba5L)
    @Writes
    int tryInto(int a);

    /**
     * Reads the attribute {@code name}.
     *
     * @return {@code string<9>}: at most 9 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "_get_name", hash = 0x68866c6532aa9dabL)
    @Reads
    @Idempotent
    String getName();

    /**
     * Sets the attribute {@code name}.
     *
     * @param value {@code string<9>}: at most 9 bytes as UTF-8, none of them NUL
     */
    @Operation(name = "_set_name", hash = 0x7520a692057391b6L)
    @Writes
    @Idempotent
    void setName(String value);
}
//--- names/package-info.java
// Made from the interface names; changes here are lost.

/**
 * Names that generated code, or every type of a language, has already.
 */
@carnet.Module(name = "names", version = "", unknown = "")
package names;
