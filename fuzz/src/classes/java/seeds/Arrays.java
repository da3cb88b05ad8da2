package seeds;

/** Arrays of all types and ranks. */
class Arrays {
    int[] ints = {1, 2, 3};
    String[][] texts = new String[3][];

    static Object all(int n) {
        boolean[] z = new boolean[n];
        byte[] b = new byte[n];
        char[] c = new char[n];
        short[] s = new short[n];
        int[] i = new int[n];
        long[] l = new long[n];
        float[] f = new float[n];
        double[] d = new double[n];
        z[0] = n > 2;
        b[0] = (byte) (z[0] ? 1 : 2);
        c[0] = (char) b[0];
        s[0] = (short) c[0];
        i[0] = s[0] + b.length;
        l[0] = i[0];
        f[0] = l[0];
        d[0] = f[0];
        i[0]++;
        l[n - 1] += 5;
        d[1] *= 2;
        Object[] objects = {z, b, c, s, i, l, f, d, objectsOf(n)};
        return objects;
    }

    static Object[][] objectsOf(int n) {
        int[][][] cube = new int[n][n][];
        cube[0][1] = new int[] {4, 5};
        cube[0][1][0]++;
        Object[][] rows = cube;
        rows = new String[2][2];
        rows[0] = new Integer[] {1};
        for (Object[] row : rows) {
            for (Object o : row) if (o instanceof int[]) return null;
        }
        return rows.clone();
    }

    int sum() {
        int sum = 0;
        for (int n : ints.clone()) sum += n;
        texts[0] = new String[] {"a", null};
        return sum + texts[0].length;
    }

    static Cloneable cast(Object o) {
        if (o instanceof long[][] longs) return longs[0];
        java.io.Serializable s = (java.io.Serializable) o;
        return (Cloneable) s;
    }

    static <T extends Comparable<T>> T max(T... of) {
        T best = of[0];
        for (T t : of) if (t.compareTo(best) > 0) best = t;
        return best;
    }
}
