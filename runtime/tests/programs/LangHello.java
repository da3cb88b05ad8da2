public class LangHello {
    public static void main(String[] args) {
        System.out.println("Hello, world!");
        System.out.print('c');
        System.out.print(1);
        System.out.print(-2L);
        System.out.print(true);
        System.out.print(1.5f);
        System.out.print(2.5);
        System.out.print((Object) null);
        System.out.print(new char[] {'x', 'y'});
        System.out.println();
        System.out.println(args.length);
    }
}
