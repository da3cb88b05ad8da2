public class LibCharacters {
    public static void main(String[] args) {
        char[] cs = {'a', 'Z', '5', ' ', '\t', '_', '$', '.', '\0', '\u00e9', '\u00df', '\u0660', '\u4e2d', '\u00a0', '\u2028', '\ud800', '\uffff', '\u01c5', '\u2160'};
        for (char c : cs) {
            System.out.println(Integer.toHexString(c) + " " + Character.isLetter(c) + Character.isDigit(c) + Character.isLetterOrDigit(c) + Character.isUpperCase(c)
                + Character.isLowerCase(c) + Character.isTitleCase(c) + Character.isWhitespace(c) + Character.isSpaceChar(c) + Character.isAlphabetic(c)
                + Character.isJavaIdentifierStart(c) + Character.isJavaIdentifierPart(c) + Character.isISOControl(c) + Character.isDefined(c) + Character.isSurrogate(c)
                + " " + Character.getNumericValue(c) + " " + Character.getType(c) + " " + (int) Character.toUpperCase(c) + " " + (int) Character.toLowerCase(c)
                + " " + (int) Character.toTitleCase(c) + " " + Character.digit(c, 10) + " " + Character.digit(c, 36));
        }
        System.out.println(Character.forDigit(11, 16) + " " + (int) Character.forDigit(16, 16) + " " + Character.digit('f', 16) + " " + Character.digit('g', 16)
            + " " + Character.valueOf('x').compareTo('z') + " " + Character.reverseBytes('\u1234') + " " + Character.MIN_RADIX + Character.MAX_RADIX);
        System.out.println(Character.getName('a') + ", " + Character.getName(0x4e2d));
        System.out.println(Character.isLetter(0x1f600) + " " + Character.isSupplementaryCodePoint(0x10000) + " " + Character.isValidCodePoint(0x110000)
            + " " + Character.isIdeographic(0x4e2d));
        int letters = 0, digits = 0, upper = 0, spaces = 0;
        long hash = 0;
        for (int c = 0; c < 0x3000; c++) {
            letters += Character.isLetter(c) ? 1 : 0;
            digits += Character.isDigit(c) ? 1 : 0;
            upper += Character.isUpperCase(c) ? 1 : 0;
            spaces += Character.isWhitespace(c) ? 1 : 0;
            hash = hash * 31 + Character.toUpperCase(c) * 7 + Character.toLowerCase(c) + Character.getType(c);
        }
        System.out.println(letters + " " + digits + " " + upper + " " + spaces + " " + hash);
        System.out.println(Character.UnicodeBlock.of('\u03b1') + " " + Character.UnicodeScript.of('\u0416') + " " + Character.getDirectionality('\u05d0'));
    }
}
