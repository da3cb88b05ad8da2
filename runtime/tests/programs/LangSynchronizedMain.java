public class LangSynchronizedMain {
    public static synchronized void main(String[] args) {
        System.out.println(Thread.holdsLock(LangSynchronizedMain.class));
    }
}
