public class ErrorUncaught {
    static class Bank {
        int balance = 10;

        void take(int n) {
            if (n > balance) {
                throw new IllegalStateException("only " + balance + " left, not " + n);
            }
            balance -= n;
        }
    }

    Bank bank = new Bank();

    ErrorUncaught(int n) {
        bank.take(n);
    }

    static void inner() {
        Runnable r = new Runnable() {
            @Override public void run() {
                new ErrorUncaught(5)
                    .bank
                    .take(6);
            }
        };
        r.run();
    }

    public static void main(String[] args) {
        System.out.println("before");
        try {
            inner();
        } finally {
            System.out.println("finally");
        }
        System.out.println("not reached");
    }
}
