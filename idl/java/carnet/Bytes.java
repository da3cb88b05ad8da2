package carnet;

import java.util.Arrays;

/** Bytes that never change. Two are equal if they hold the same. */
public final class Bytes {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A copy of an array.
     *
     * @param bytes what is copied
     * @return the same bytes
     */
    public static Bytes of(byte... bytes) {
        return new Bytes(bytes.clone());
    }

    /**
     * How many there are.
     *
     * @return the number of bytes
     */
    public int length() {
        return bytes.length;
    }

    /**
     * One of them.
     *
     * @param index which, from 0
     * @return 0 to 255
     * @throws IndexOutOfBoundsException if there is none
     */
    public int at(int index) {
        return bytes[index] & 0xff;
    }

    /**
     * All of them.
     *
     * @return a new array
     */
    public byte[] toArray() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
