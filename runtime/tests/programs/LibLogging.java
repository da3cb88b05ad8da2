import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

public class LibLogging {
    static class Kept extends Handler {
        @Override
        public void publish(LogRecord record) {
            System.out.println(record.getLevel() + " " + record.getLoggerName() + " " + record.getSourceClassName() + "."
                    + record.getSourceMethodName() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static class Inner {
        static void says(Logger logger) {
            logger.warning("from within");
        }
    }

    public static void main(String[] words) {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s %2$s %3$s: %5$s%6$s%n");
        Logger logger = Logger.getLogger("one.two");
        logger.info("hello");
        logger.fine("not told");
        logger.log(Level.SEVERE, "{0} of {1}", new Object[] {3, "four"});
        logger.log(Level.WARNING, "thrown", new IllegalStateException("why"));
        Inner.says(logger);
        logger.entering("X", "y");
        System.getLogger("system").log(System.Logger.Level.ERROR, "by System.Logger {0}", 1);

        Logger parent = Logger.getLogger("one");
        parent.setUseParentHandlers(false);
        parent.addHandler(new Kept());
        logger.setLevel(Level.FINE);
        logger.fine(() -> "made when it is told");
        Inner.says(Logger.getLogger("one.two.three"));
        System.out.println(logger.getParent().getName() + " " + logger.isLoggable(Level.FINER));

        ConsoleHandler console = new ConsoleHandler();
        console.setLevel(Level.ALL);
        console.setFormatter(new Formatter() {
            @Override
            public String format(LogRecord record) {
                return "<" + formatMessage(record) + ">\n";
            }
        });
        Logger own = Logger.getAnonymousLogger();
        own.setUseParentHandlers(false);
        own.addHandler(console);
        own.info("plain");
        System.out.println(LogManager.getLogManager().getProperty("handlers"));
    }
}
