import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class ThreadInit {
    static final List<String> LOG = Collections.synchronizedList(new ArrayList<>());
    static final CountDownLatch INSIDE = new CountDownLatch(1);

    static class Slow {
        static int value;

        static {
            LOG.add("begin");
            INSIDE.countDown();
            for (int i = 0; i < 100; i++) {
                Thread.yield();
            }
            value = 42;
            LOG.add("end");
        }
    }

    static class Holder {
        static final Holder IT = new Holder();

        Holder() {
            LOG.add("holder made");
        }
    }

    static class Fails {
        static {
            if (true) {
                throw new IllegalStateException("once");
            }
        }
    }

    static volatile boolean ready;
    static int plain;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> LOG.add("first " + Slow.value));
        first.start();
        INSIDE.await();
        int seen = Slow.value;
        first.join();
        System.out.println(seen + " " + LOG);
        Thread[] threads = new Thread[4];
        Holder[] got = new Holder[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            threads[t] = new Thread(() -> got[id] = Holder.IT);
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println((got[0] == got[3] && got[1] == got[2]) + " " + Collections.frequency(LOG, "holder made"));
        int[] errors = new int[2];
        for (int t = 0; t < 3; t++) {
            Thread thread = new Thread(() -> {
                try {
                    new Fails();
                } catch (ExceptionInInitializerError e) {
                    errors[0]++;
                } catch (NoClassDefFoundError e) {
                    errors[1]++;
                }
            });
            thread.start();
            thread.join();
        }
        System.out.println(errors[0] + " " + errors[1]);
        Thread reader = new Thread(() -> {
            while (!ready) {
                Thread.onSpinWait();
            }
            System.out.println("sees " + plain);
        });
        reader.start();
        plain = 7;
        ready = true;
        reader.join();
        Timer timer = new Timer(true);
        CountDownLatch twice = new CountDownLatch(2);
        timer.schedule(new TimerTask() {
            @Override public void run() {
                twice.countDown();
            }
        }, 1, 1);
        twice.await();
        timer.cancel();
        System.out.println("timer");
    }
}
