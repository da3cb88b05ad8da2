//--- arrays/Board.java
// Made from the interface arrays; changes here are lost.

package arrays;

import carnet.Bounds;
import java.util.List;

/**
 * The struct {@code Board}.
 *
 * @param pair {@code Item[2]}: 2 elements
 * @param row {@code Place[2]}: 2 elements
 * @param at {@code long}
 */
public record Board(List<Item> pair, List<Place> row, int at) {
    /** Checks all bounds. */
    public Board {
        pair = Bounds.array("pair", pair, 2);
        row = Bounds.array("row", row, 2);
    }
}
//--- arrays/Item.java
// Made from the interface arrays; changes here are lost.

package arrays;

import carnet.Idempotent;
import carnet.Interface;
import carnet.Operation;
import carnet.Reads;

/** The interface {@code Item}. */
@Interface(name = "arrays::Item", hash = 0xfa48a756ede9d3a3L)
public interface Item {
    /**
     * Reads the attribute {@code number}.
     *
     * @return {@code long}
     */
    @Operation(name = "_get_number", hash = 0x85d05aa0fe6ccf9fL)
    @Reads
    @Idempotent
    int getNumber();
}
//--- arrays/Place.java
// Made from the interface arrays; changes here are lost.

package arrays;

import carnet.Bounds;

/**
 * The struct {@code Place}.
 *
 * @param item {@code Item}
 * @param name {@code string<8>}: at most 8 bytes as UTF-8, none of them NUL
 */
public record Place(Item item, String name) {
    /** Checks all bounds. */
    public Place {
        Bounds.present("item", item);
        Bounds.string("name", name, 8);
    }
}
//--- arrays/Shelf.java
// Made from the interface arrays; changes here are lost.

package arrays;

import carnet.Bounds;
import carnet.Interface;
import carnet.Operation;
import carnet.Writes;
import java.util.List;

/** The interface {@code Shelf}. */
@Interface(name = "arrays::Shelf", hash = 0x56fd127b263755a9L)
public interface Shelf {
    /**
     * The operation {@code item}.
     *
     * @param number {@code long}
     * @return {@code Item}
     */
    @Operation(name = "item", hash = 0xffafe848ba4163adL)
    @Writes
    Item item(int number);

    /**
     * The operation {@code pair}.
     *
     * @param a {@code Item[2]}: 2 elements
     * @param b {@code Item[2]}: 2 elements
     * @return all that comes back
     */
    @Operation(name = "pair", hash = 0xb75539a61880faaeL)
    @Writes
    PairResult pair(List<Item> a, List<Item> b);

    /**
     * What {@code pair} gives back.
     *
     * @param result {@code Item[2]}: 2 elements
     * @param b {@code Item[2]}: 2 elements
     * @param c {@code Item[2][2]}: 2 elements
     */
    record PairResult(List<Item> result, List<Item> b, List<List<Item>> c) {
        /** Checks all bounds. */
        public PairResult {
            result = Bounds.array("result", result, 2);
            b = Bounds.array("b", b, 2);
            c = Bounds.array("c", c, 2, each -> Bounds.array("c", each, 2));
        }
    }

    /**
     * The operation {@code row}.
     *
     * @param a {@code Place[2]}: 2 elements
     * @param b {@code Place[2]}: 2 elements
     * @return all that comes back
     */
    @Operation(name = "row", hash = 0xbd29dbb15898fe19L)
    @Writes
    RowResult row(List<Place> a, List<Place> b);

    /**
     * What {@code row} gives back.
     *
     * @param result {@code Place[2]}: 2 elements
     * @param b {@code Place[2]}: 2 elements
     * @param c {@code Item[2]}: 2 elements
     */
    record RowResult(List<Place> result, List<Place> b, List<Item> c) {
        /** Checks all bounds. */
        public RowResult {
            result = Bounds.array("result", result, 2);
            b = Bounds.array("b", b, 2);
            c = Bounds.array("c", c, 2);
        }
    }

    /**
     * The operation {@code board}.
     *
     * @param a {@code Board}
     * @param b {@code Board}
     * @return all that comes back
     */
    @Operation(name = "board", hash = 0x4f14f5a0ef307a4aL)
    @Writes
    BoardResult board(Board a, Board b);

    /**
     * What {@code board} gives back.
     *
     * @param result {@code Board}
     * @param b {@code Board}
     */
    record BoardResult(Board result, Board b) {
        /** Checks all bounds. */
        public BoardResult {
            Bounds.present("result", result);
            Bounds.present("b", b);
        }
    }

    /**
     * The operation {@code pairs}.
     *
     * @param a {@code sequence<Item[2], 3>}: at most 3 elements
     * @param b {@code sequence<Board, 2>}: at most 2 elements
     * @return all that comes back
     */
    @Operation(name = "pairs", hash = 0x3be7610b18a369b4L)
    @Writes
    PairsResult pairs(List<List<Item>> a, List<Board> b);

    /**
     * What {@code pairs} gives back.
     *
     * @param result {@code sequence<Item[2], 3>}: at most 3 elements
     * @param b {@code sequence<Board, 2>}: at most 2 elements
     */
    record PairsResult(List<List<Item>> result, List<Board> b) {
        /** Checks all bounds. */
        public PairsResult {
            result = Bounds.list("result", result, 3, each -> Bounds.array("result", each, 2));
            b = Bounds.list("b", b, 2);
        }
    }
}
//--- arrays/package-info.java
// Made from the interface arrays; changes here are lost.

/**
 * Arrays of portals, and of structs with portals, each way.
 */
@carnet.Module(name = "arrays", version = "", unknown = "")
package arrays;
