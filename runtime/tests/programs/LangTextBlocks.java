public class LangTextBlocks {
    public static void main(String[] args) {
        String plain = """
            Hello
              indented
            "quoted" and ""two""
            back\\slash \t tab
            """;
        System.out.print(plain);
        String joined = """
            one \
            two \
            three""";
        System.out.println("[" + joined + "]");
        String kept = """
            trailing\s\s
            spaces   \s
            """;
        for (String line : kept.split("\n")) {
            System.out.println("[" + line + "]");
        }
        String json = """
            {"name": "%s", "age": %d}""".formatted("Ann", 41);
        System.out.println(json);
        String empty = """
            """;
        System.out.println(empty.isEmpty());
        String triple = """
            a \""" b""";
        System.out.println(triple);
        System.out.println("  a\n    b\n  c".stripIndent());
        System.out.println("a\\tb\\n\\101".translateEscapes());
        System.out.print("x\ny\n".indent(3));
        System.out.println("""
            unicode \u00e9 \u4e2d""".length());
        System.out.println(plain.lines().count() + " " + plain.lines().map(String::strip).toList());
    }
}
