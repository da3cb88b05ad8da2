import java.util.ArrayList;
import java.util.List;

public class AlgoSieve {
    static List<Integer> factors(int n, List<Integer> primes) {
        List<Integer> out = new ArrayList<>();
        for (int p : primes) {
            while (n % p == 0) {
                out.add(p);
                n /= p;
            }
            if ((long) p * p > n) {
                break;
            }
        }
        if (n > 1) {
            out.add(n);
        }
        return out;
    }

    static long power(long b, long e, long m) {
        long r = 1;
        for (b %= m; e > 0; e >>= 1, b = b * b % m) {
            if ((e & 1) == 1) {
                r = r * b % m;
            }
        }
        return r;
    }

    public static void main(String[] args) {
        int n = 50_000;
        boolean[] composite = new boolean[n + 1];
        List<Integer> primes = new ArrayList<>();
        for (int i = 2; i <= n; i++) {
            if (!composite[i]) {
                primes.add(i);
                for (long j = (long) i * i; j <= n; j += i) {
                    composite[(int) j] = true;
                }
            }
        }
        System.out.println(primes.size() + " " + primes.subList(0, 10) + " " + primes.get(primes.size() - 1));
        for (int k : new int[] {360, 1_000_000_007, 999_999, 65_536, 2_147_483_646}) {
            System.out.println(k + " " + factors(k, primes));
        }
        int twins = 0;
        for (int i = 1; i < primes.size(); i++) {
            twins += primes.get(i) - primes.get(i - 1) == 2 ? 1 : 0;
        }
        System.out.println(twins + " " + power(3, 1_000_000, 1_000_000_007) + " " + power(2, 1_000_000_006, 1_000_000_007));
        int[] phi = new int[200];
        for (int i = 0; i < phi.length; i++) {
            phi[i] = i;
        }
        for (int i = 2; i < phi.length; i++) {
            if (phi[i] == i) {
                for (int j = i; j < phi.length; j += i) {
                    phi[j] -= phi[j] / i;
                }
            }
        }
        System.out.println(phi[97] + " " + phi[100] + " " + phi[180]);
    }
}
