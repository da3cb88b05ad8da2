import java.text.Collator;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/** Parts of the library that ask the runtime for something rare. */
public class LibServices {
    public static void main(String[] words) {
        for (Normalizer.Form form : Normalizer.Form.values()) {
            StringBuilder units = new StringBuilder();
            Normalizer.normalize("\u00e9\ufb01\u1e9b\u0323", form).chars().forEach(unit -> units.append(' ').append(unit));
            System.out.println(form.name() + units);
        }
        String[] names = {"\u00c4pfel", "Zebra", "apfel", "Apfel", "\u00e4pfel"};
        Arrays.sort(names, Collator.getInstance(Locale.GERMAN));
        for (String name : names) {
            System.out.println(name.codePointAt(0) + name.substring(1));
        }
        System.out.println(System.console());
        System.runFinalization();
        System.out.println(new org.xml.sax.InputSource("x").getSystemId() + " " + org.w3c.dom.Node.class);
    }
}
