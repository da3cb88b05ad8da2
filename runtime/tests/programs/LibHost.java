import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;

/** What a program is told of its process, its host and what there is on it. */
public class LibHost {
    interface Work {
        Object run() throws Throwable;
    }

    static void tried(String what, Work work) {
        try {
            System.out.println(what + ": " + work.run());
        } catch (Throwable error) {
            System.out.println(what + ": " + error);
        }
    }

    public static void main(String[] words) {
        ProcessHandle own = ProcessHandle.current();
        tried("process", () -> own.isAlive() + " " + (own.pid() > 0) + " " + own.equals(ProcessHandle.of(own.pid()).get()));
        tried("processes", () -> ProcessHandle.allProcesses().anyMatch(own::equals));
        tried("children", () -> own.children().count());
        tried("of no process", () -> ProcessHandle.of(Long.MAX_VALUE).isPresent());
        tried("end", own::destroy);
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        tried("run", () -> runtime.getName().startsWith(own.pid() + "@") + " " + (runtime.getPid() == own.pid()));
        tried("time", () -> (runtime.getUptime() >= 0) + " " + (runtime.getStartTime() > 1_700_000_000_000L));
        tried("system", () -> ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors() > 0);
        tried("address", () -> InetAddress.getByName("10.0.0.1"));
        tried("bytes", () -> InetAddress.getByAddress("name", new byte[] {10, 0, 0, 2}));
        tried("wide", () -> InetAddress.getByName("::1").getAddress().length);
        tried("loopback", () -> InetAddress.getLoopbackAddress() + " " + InetAddress.getLoopbackAddress().isLoopbackAddress());
        tried("host", () -> !InetAddress.getLocalHost().getHostName().isEmpty());
        tried("nowhere", () -> new InetSocketAddress("no.such.invalid", 80));
        tried("unresolved", () -> InetSocketAddress.createUnresolved("example.invalid", 80));
        tried("any", () -> new InetSocketAddress(80).getPort());
        tried("library", () -> {
            System.load("/none.so");
            return null;
        });
        tried("relative", () -> {
            System.load("none.so");
            return null;
        });
        tried("channel", () -> new FileInputStream(FileDescriptor.in).getChannel().isOpen());
        tried("sync", () -> {
            FileDescriptor.out.sync();
            return null;
        });
        tried("charset", () -> Charset.forName("none-such"));
        tried("layer", () -> ModuleLayer.boot().findModule("none.such").isPresent());
    }
}
