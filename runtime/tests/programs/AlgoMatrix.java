public class AlgoMatrix {
    static double[][] multiply(double[][] a, double[][] b) {
        int n = a.length, m = b[0].length, k = b.length;
        double[][] c = new double[n][m];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                double s = 0;
                for (int l = 0; l < k; l++) {
                    s += a[i][l] * b[l][j];
                }
                c[i][j] = s;
            }
        }
        return c;
    }

    static double determinant(double[][] in) {
        int n = in.length;
        double[][] a = new double[n][];
        for (int i = 0; i < n; i++) {
            a[i] = in[i].clone();
        }
        double det = 1;
        for (int c = 0; c < n; c++) {
            int pivot = c;
            for (int r = c + 1; r < n; r++) {
                if (Math.abs(a[r][c]) > Math.abs(a[pivot][c])) {
                    pivot = r;
                }
            }
            if (a[pivot][c] == 0) {
                return 0;
            }
            if (pivot != c) {
                double[] t = a[c];
                a[c] = a[pivot];
                a[pivot] = t;
                det = -det;
            }
            det *= a[c][c];
            for (int r = c + 1; r < n; r++) {
                double f = a[r][c] / a[c][c];
                for (int k = c; k < n; k++) {
                    a[r][k] -= f * a[c][k];
                }
            }
        }
        return det;
    }

    static long[][] power(long[][] m, int e) {
        long[][] r = {{1, 0}, {0, 1}};
        for (; e > 0; e >>= 1) {
            if ((e & 1) != 0) {
                r = product(r, m);
            }
            m = product(m, m);
        }
        return r;
    }

    static long[][] product(long[][] a, long[][] b) {
        return new long[][] {{a[0][0] * b[0][0] + a[0][1] * b[1][0], a[0][0] * b[0][1] + a[0][1] * b[1][1]},
            {a[1][0] * b[0][0] + a[1][1] * b[1][0], a[1][0] * b[0][1] + a[1][1] * b[1][1]}};
    }

    public static void main(String[] args) {
        int n = 40;
        double[][] a = new double[n][n], b = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = (i * 31 + j * 17) % 13 / 7.0 - 0.5;
                b[i][j] = (i - j) * 0.25 + (i == j ? 3 : 0);
            }
        }
        double[][] c = multiply(a, b);
        double trace = 0, sum = 0;
        for (int i = 0; i < n; i++) {
            trace += c[i][i];
            for (double x : c[i]) {
                sum += x * x;
            }
        }
        System.out.println(trace + " " + sum + " " + c[3][5] + " " + c[39][0]);
        System.out.println(determinant(b) + " " + determinant(new double[][] {{2, 1}, {7, 4}}) + " " + determinant(new double[][] {{1, 2}, {2, 4}}));
        float[][] f = new float[10][10];
        for (int i = 0; i < 1000; i++) {
            f[i % 10][i / 10 % 10] += i * 0.1f;
        }
        System.out.println(f[3][4] + " " + f[9][9]);
        System.out.println(power(new long[][] {{1, 1}, {1, 0}}, 90)[0][1]);
    }
}
