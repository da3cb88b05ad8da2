package seeds;

import java.io.Closeable;
import java.io.IOException;

/** Exceptions: handlers of all kinds, nested, with values that differ between ways. */
class Faults {
    static class Mine extends Exception {
        final int code;
        Mine(int code, Throwable cause) { super("mine " + code, cause); this.code = code; }
    }

    static class Resource implements Closeable {
        @Override public void close() throws IOException { if (hashCode() == 3) throw new IOException("x"); }
    }

    static int simple(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return -1;
        } finally {
            System.gc();
        }
    }

    static long several(Object o, long start) throws Mine {
        long time = start;
        double d = 0;
        try {
            time += o.hashCode();
            d = time / (o.hashCode() & 3);
            if (d > 4) throw new Mine(4, null);
            try {
                o.wait(time);
            } catch (InterruptedException | IllegalMonitorStateException e) {
                time--;
                throw new Mine((int) time, e);
            }
        } catch (ArithmeticException e) {
            time = e.getMessage().length();
        } catch (RuntimeException e) {
            throw e;
        } finally {
            time++;
            if (time == 7) return time;
        }
        return time + (long) d;
    }

    static int resources(int n) throws IOException {
        try (Resource a = new Resource(); Resource b = n > 2 ? new Resource() : null) {
            for (int i = 0; i < n; i++) {
                try {
                    if (i == 3) continue;
                    if (i == 5) break;
                    a.close();
                } finally {
                    n--;
                }
            }
            return n;
        }
    }

    static String nested(int[] a) {
        String s = null;
        for (;;) {
            try {
                s = s + a[a.length];
            } catch (ArrayIndexOutOfBoundsException e) {
                try {
                    s = new String(e.getMessage());
                } catch (NullPointerException again) {
                    s = again.toString();
                    break;
                }
            } catch (Throwable t) {
                throw new Error(new String[] {s, t.toString()}[0], t);
            }
            if (s.length() > 100) return s;
        }
        assert s != null : "s";
        return s;
    }
}
