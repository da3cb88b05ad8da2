package carnet;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Checks of values, for the constructors of generated classes. Each gives back what it checked.
 *
 * <p>A string of an interface is bytes without NUL, and need not be UTF-8: file names are not. In Java it is a
 * {@link String}. Bytes that are UTF-8 are its letters; each other byte, from 0x80 to 0xff, is the lone surrogate U+DC80
 * to U+DCFF. No other lone surrogate can be in one. Bounds count the bytes.
 *
 * <p>What breaks a bound is an {@link IllegalArgumentException} that names the value, what was found, and what was
 * expected; a null is a {@link NullPointerException} that names the value.
 */
public final class Bounds {
    private Bounds() {}

    /**
     * Checks that there is a value.
     *
     * @param <T> type of the value
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static <T> T present(String name, T value) {
        if (value == null) {
            throw new NullPointerException(name + " is null");
        }
        return value;
    }

    /**
     * Checks an unsigned number of 8 bits.
     *
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static int uint8(String name, int value) {
        return (int) upTo(name, value, 0xff);
    }

    /**
     * Checks an unsigned number of 16 bits.
     *
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static int uint16(String name, int value) {
        return (int) upTo(name, value, 0xffff);
    }

    /**
     * Checks an unsigned number of 32 bits.
     *
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static long uint32(String name, long value) {
        return upTo(name, value, 0xffff_ffffL);
    }

    /**
     * Checks an unsigned number of 64 bits; those above {@link Long#MAX_VALUE} do not exist.
     *
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static long uint64(String name, long value) {
        return upTo(name, value, Long.MAX_VALUE);
    }

    /**
     * Checks a character of one byte.
     *
     * @param name what it is called in messages
     * @param value the value
     * @return the value
     */
    public static char character(String name, char value) {
        return (char) upTo(name, value, 0xff);
    }

    private static long upTo(String name, long value, long max) {
        if (value < 0 || value > max) {
            throw wrong(name + " is " + value, "0 to " + max);
        }
        return value;
    }

    /**
     * Checks a string.
     *
     * @param name what it is called in messages
     * @param value the value
     * @param max how many bytes it may have
     * @return the value
     */
    public static String string(String name, String value, int max) {
        present(name, value);
        long bytes = 0;
        for (int at = 0; at < value.length(); ) {
            int letter = value.codePointAt(at);
            if (letter == 0) {
                throw wrong(name + " has a NUL", "none");
            }
            if (isForeign(letter)) {
                throw wrong(name + " has a lone surrogate", "a letter, or U+DC80 to U+DCFF for a byte");
            }
            bytes += bytesOf(letter);
            at += Character.charCount(letter);
        }
        if (bytes > max) {
            throw wrong(name + " has " + bytes + " bytes", "at most " + max);
        }
        return value;
    }

    /**
     * The text of an exception, cut to a bound: who raises it has often put a name into it. What cannot be in a
     * string becomes a question mark.
     *
     * @param value the text; null is taken for an empty one
     * @param max how many bytes it may have
     * @return as much of the text as there is room for
     */
    public static String cut(String value, int max) {
        StringBuilder cut = new StringBuilder();
        int room = max;
        for (int at = 0; value != null && at < value.length(); ) {
            int letter = value.codePointAt(at);
            at += Character.charCount(letter);
            int right = letter == 0 || isForeign(letter) ? '?' : letter;
            room -= bytesOf(right);
            if (room < 0) {
                break;
            }
            cut.appendCodePoint(right);
        }
        return cut.toString();
    }

    private static boolean isForeign(int letter) {
        return letter >= 0xd800 && letter <= 0xdfff && !isByte(letter);
    }

    private static boolean isByte(int letter) {
        return letter >= 0xdc80 && letter <= 0xdcff;
    }

    private static int bytesOf(int letter) {
        if (letter < 0x80 || isByte(letter)) {
            return 1;
        }
        if (letter < 0x800) {
            return 2;
        }
        return letter < 0x10000 ? 3 : 4;
    }

    /**
     * Checks bytes.
     *
     * @param name what they are called in messages
     * @param value the value
     * @param max how many there may be
     * @return the value
     */
    public static Bytes bytes(String name, Bytes value, int max) {
        if (present(name, value).length() > max) {
            throw wrong(name + " has " + value.length() + " bytes", "at most " + max);
        }
        return value;
    }

    /**
     * Checks an array of bytes.
     *
     * @param name what they are called in messages
     * @param value the value
     * @param count how many there must be
     * @return the value
     */
    public static Bytes octets(String name, Bytes value, int count) {
        if (present(name, value).length() != count) {
            throw wrong(name + " has " + value.length() + " bytes", count + "");
        }
        return value;
    }

    /**
     * Checks a sequence whose elements need no check.
     *
     * @param <T> type of the elements
     * @param name what it is called in messages
     * @param value the value
     * @param max how many elements it may have
     * @return the same elements, as a list that never changes
     */
    public static <T> List<T> list(String name, List<T> value, int max) {
        return list(name, value, max, each -> each);
    }

    /**
     * Checks a sequence.
     *
     * @param <T> type of the elements
     * @param name what it is called in messages
     * @param value the value
     * @param max how many elements it may have
     * @param check checks an element
     * @return the same elements, as a list that never changes
     */
    public static <T> List<T> list(String name, List<T> value, int max, UnaryOperator<T> check) {
        List<T> copy = copy(name, value, check);
        if (copy.size() > max) {
            throw wrong(name + " has " + copy.size() + " elements", "at most " + max);
        }
        return copy;
    }

    /**
     * Checks an array whose elements need no check.
     *
     * @param <T> type of the elements
     * @param name what it is called in messages
     * @param value the value
     * @param count how many elements it must have
     * @return the same elements, as a list that never changes
     */
    public static <T> List<T> array(String name, List<T> value, int count) {
        return array(name, value, count, each -> each);
    }

    /**
     * Checks an array.
     *
     * @param <T> type of the elements
     * @param name what it is called in messages
     * @param value the value
     * @param count how many elements it must have
     * @param check checks an element
     * @return the same elements, as a list that never changes
     */
    public static <T> List<T> array(String name, List<T> value, int count, UnaryOperator<T> check) {
        List<T> copy = copy(name, value, check);
        if (copy.size() != count) {
            throw wrong(name + " has " + copy.size() + " elements", count + "");
        }
        return copy;
    }

    /** The copy is what is checked: the list that was given may change meanwhile. */
    private static <T> List<T> copy(String name, List<T> value, UnaryOperator<T> check) {
        String element = "an element of " + name;
        List<T> copy = new ArrayList<>(present(name, value));
        copy.replaceAll(each -> check.apply(present(element, each)));
        return Collections.unmodifiableList(copy);
    }

    /**
     * Checks the discriminant of an arm of a union.
     *
     * @param <T> type of the discriminant
     * @param found the discriminant
     * @param labels the labels of the arm
     * @return the discriminant
     */
    public static <T> T oneOf(T found, List<T> labels) {
        if (!labels.contains(found)) {
            throw wrong("discriminant is " + found, "one of " + labels);
        }
        return found;
    }

    /**
     * Checks the discriminant of the default arm of a union.
     *
     * @param <T> type of the discriminant
     * @param found the discriminant
     * @param labels the labels of all other arms
     * @return the discriminant
     */
    public static <T> T noneOf(T found, List<T> labels) {
        if (labels.contains(found)) {
            throw wrong("discriminant is " + found, "none of " + labels);
        }
        return found;
    }

    private static IllegalArgumentException wrong(String found, String expected) {
        return new IllegalArgumentException(found + ", expected " + expected);
    }
}
