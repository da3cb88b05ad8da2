import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

public class AlgoBank {
    static class InsufficientFunds extends Exception {
        private static final long serialVersionUID = 1;
        final BigDecimal missing;

        InsufficientFunds(BigDecimal missing) {
            super("missing " + missing);
            this.missing = missing;
        }
    }

    enum Kind { DEPOSIT, WITHDRAWAL, TRANSFER, INTEREST }

    record Entry(int number, Kind kind, BigDecimal amount, String note) {}

    abstract static class Account {
        private static int next = 1000;
        final int id = next++;
        final String owner;
        protected BigDecimal balance = BigDecimal.ZERO.setScale(2);
        final List<Entry> entries = new ArrayList<>();

        Account(String owner) {
            this.owner = owner;
        }

        abstract BigDecimal limit();

        void month() {}

        void deposit(String amount) {
            BigDecimal a = new BigDecimal(amount);
            if (a.signum() <= 0) {
                throw new IllegalArgumentException("not positive: " + a);
            }
            book(Kind.DEPOSIT, a, "");
        }

        void withdraw(String amount) throws InsufficientFunds {
            BigDecimal a = new BigDecimal(amount), after = balance.subtract(a);
            if (after.compareTo(limit().negate()) < 0) {
                throw new InsufficientFunds(after.add(limit()).negate());
            }
            book(Kind.WITHDRAWAL, a.negate(), "");
        }

        protected void book(Kind kind, BigDecimal amount, String note) {
            balance = balance.add(amount);
            entries.add(new Entry(entries.size() + 1, kind, amount, note));
        }

        @Override public String toString() {
            return String.format("%-8s %d %10s", owner, id, balance);
        }
    }

    static class Giro extends Account {
        Giro(String owner) {
            super(owner);
        }

        @Override BigDecimal limit() {
            return new BigDecimal("100.00");
        }
    }

    static class Savings extends Account {
        private final BigDecimal rate;

        Savings(String owner, String rate) {
            super(owner);
            this.rate = new BigDecimal(rate);
        }

        @Override BigDecimal limit() {
            return BigDecimal.ZERO;
        }

        @Override void month() {
            book(Kind.INTEREST, balance.multiply(rate).setScale(2, java.math.RoundingMode.HALF_EVEN), "monthly");
        }
    }

    final Map<Integer, Account> accounts = new LinkedHashMap<>();

    <A extends Account> A open(A a) {
        accounts.put(a.id, a);
        return a;
    }

    void transfer(Account from, Account to, String amount) throws InsufficientFunds {
        from.withdraw(amount);
        try {
            to.deposit(amount);
        } catch (IllegalArgumentException e) {
            from.entries.remove(from.entries.size() - 1);
            throw e;
        }
    }

    List<Entry> find(Predicate<Entry> p) {
        return accounts.values().stream().flatMap(a -> a.entries.stream()).filter(p).collect(Collectors.toList());
    }

    public static void main(String[] args) throws Exception {
        AlgoBank bank = new AlgoBank();
        Account ann = bank.open(new Giro("Ann")), bob = bank.open(new Savings("Bob", "0.0125"));
        ann.deposit("250.50");
        bob.deposit("1000");
        String[] amounts = {"50", "300", "400", "-5", "x", "0.01"};
        for (String a : amounts) {
            try {
                bank.transfer(ann, bob, a);
                System.out.println("moved " + a);
            } catch (InsufficientFunds e) {
                System.out.println(e.getMessage() + " for " + a);
            } catch (NumberFormatException e) {
                System.out.println("no number");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        for (int m = 0; m < 12; m++) {
            bank.accounts.values().forEach(Account::month);
        }
        bank.accounts.values().forEach(System.out::println);
        System.out.println(bank.find(e -> e.kind() == Kind.INTEREST).size() + " " + bank.find(e -> e.amount().signum() < 0));
        Object kinds = bob.entries.stream().collect(Collectors.groupingBy(Entry::kind, java.util.TreeMap::new, Collectors.reducing(BigDecimal.ZERO, Entry::amount, BigDecimal::add)));
        System.out.println(kinds);
    }
}
