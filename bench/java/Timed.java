/** {@code Timed CLASS NAME COUNT} does one of the benchmarks COUNT times and prints {@code CHECKSUM NANOSECONDS}, its time alone. */
public final class Timed {
    private Timed() {}

    public static void main(String[] words) {
        int count = Integer.parseInt(words[2]);
        long begin = System.nanoTime();
        int checksum = words[0].equals("Micro") ? Micro.run(words[1], count) : Macro.run(words[1], count);
        long ns = System.nanoTime() - begin;
        System.out.println(checksum + " " + ns);
    }
}
