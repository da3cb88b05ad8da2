import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class ThreadPhilosophers {
    static final int SEATS = 5;
    static final int MEALS = 40;

    static class Fork {
        int uses;
    }

    static class Philosopher extends Thread {
        final Fork first, second;
        int eaten;

        Philosopher(Fork first, Fork second) {
            this.first = first;
            this.second = second;
        }

        @Override public void run() {
            while (eaten < MEALS) {
                synchronized (first) {
                    Thread.yield();
                    synchronized (second) {
                        first.uses++;
                        second.uses++;
                        eaten++;
                    }
                }
            }
        }
    }

    static class Account {
        final Lock lock = new ReentrantLock();
        long balance = 1000;

        boolean move(Account to, int amount) {
            if (!lock.tryLock()) {
                return false;
            }
            try {
                if (!to.lock.tryLock()) {
                    return false;
                }
                try {
                    balance -= amount;
                    to.balance += amount;
                    return true;
                } finally {
                    to.lock.unlock();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Fork[] forks = new Fork[SEATS];
        for (int i = 0; i < SEATS; i++) {
            forks[i] = new Fork();
        }
        Philosopher[] all = new Philosopher[SEATS];
        for (int i = 0; i < SEATS; i++) {
            int a = Math.min(i, (i + 1) % SEATS), b = Math.max(i, (i + 1) % SEATS);
            all[i] = new Philosopher(forks[a], forks[b]);
            all[i].start();
        }
        for (Philosopher p : all) {
            p.join();
            System.out.print(p.eaten + " ");
        }
        for (Fork f : forks) {
            System.out.print(f.uses + " ");
        }
        System.out.println();
        Account[] accounts = {new Account(), new Account(), new Account()};
        Thread[] movers = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            movers[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (!accounts[(id + i) % 3].move(accounts[(id + i + 1) % 3], i % 7)) {
                        Thread.yield();
                    }
                }
            });
            movers[t].start();
        }
        for (Thread t : movers) {
            t.join();
        }
        System.out.println(accounts[0].balance + accounts[1].balance + accounts[2].balance);
        System.out.println(accounts[0].balance + " " + accounts[1].balance + " " + accounts[2].balance);
    }
}
