public class LangArgs {
    public static void main(String... args) {
        System.out.println(args.length + " arguments");
        for (int i = 0; i < args.length; i++) {
            System.out.println(i + ": [" + args[i] + "] " + args[i].length());
        }
        int sum = 0;
        for (String arg : args) {
            try {
                sum += Integer.parseInt(arg);
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(sum);
        System.exit(args.length);
    }
}
