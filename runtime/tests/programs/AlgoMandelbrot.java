public class AlgoMandelbrot {
    static int escape(double cr, double ci, int limit) {
        double r = 0, i = 0;
        for (int n = 0; n < limit; n++) {
            double r2 = r * r, i2 = i * i;
            if (r2 + i2 > 4) {
                return n;
            }
            i = 2 * r * i + ci;
            r = r2 - i2 + cr;
        }
        return limit;
    }

    static int escapeFloat(float cr, float ci, int limit) {
        float r = 0, i = 0;
        int n = 0;
        while (n < limit && r * r + i * i <= 4f) {
            float t = r * r - i * i + cr;
            i = 2f * r * i + ci;
            r = t;
            n++;
        }
        return n;
    }

    static double spectral(int n) {
        double[] u = new double[n], v = new double[n], t = new double[n];
        java.util.Arrays.fill(u, 1);
        for (int k = 0; k < 5; k++) {
            times(n, u, t, true);
            times(n, t, v, false);
            times(n, v, t, true);
            times(n, t, u, false);
        }
        double uv = 0, vv = 0;
        for (int i = 0; i < n; i++) {
            uv += u[i] * v[i];
            vv += v[i] * v[i];
        }
        return Math.sqrt(uv / vv);
    }

    static void times(int n, double[] in, double[] out, boolean straight) {
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < n; j++) {
                int a = straight ? i : j, b = straight ? j : i;
                s += in[j] / ((a + b) * (a + b + 1) / 2 + a + 1);
            }
            out[i] = s;
        }
    }

    public static void main(String[] args) {
        String shades = " .:-=+*#%@";
        long checksum = 0;
        for (int y = 0; y < 20; y++) {
            StringBuilder line = new StringBuilder();
            for (int x = 0; x < 60; x++) {
                int n = escape(x * 3.0 / 60 - 2.2, y * 2.4 / 20 - 1.2, 50);
                checksum = checksum * 31 + n;
                checksum = checksum * 31 + escapeFloat(x * 3f / 60 - 2.2f, y * 2.4f / 20 - 1.2f, 30);
                line.append(shades.charAt(n * 9 / 50));
            }
            System.out.println(line);
        }
        System.out.println(Long.toHexString(checksum));
        System.out.println(spectral(40));
    }
}
