import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.chrono.ThaiBuddhistEra;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.util.Base64;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import java.util.zip.GZIPInputStream;

public class LibLocales {
    public static void main(String[] args) throws Exception {
        ZonedDateTime berlin = LocalDateTime.of(2024, 3, 31, 1, 30).atZone(ZoneId.of("Europe/Berlin"));
        System.out.println(berlin + " " + berlin.plusHours(1) + " " + berlin.withZoneSameInstant(ZoneId.of("America/New_York")));
        System.out.println(Instant.ofEpochSecond(1_700_000_000).atZone(ZoneId.of("Asia/Kolkata")));
        System.out.println(TimeZone.getTimeZone("Australia/Sydney").getOffset(1_700_000_000_000L));
        LocalDate day = LocalDate.of(2024, 2, 29);
        for (Locale locale : new Locale[] {Locale.ROOT, Locale.ENGLISH, Locale.US, Locale.UK, Locale.GERMANY, Locale.FRANCE, Locale.JAPAN}) {
            NumberFormat number = NumberFormat.getInstance(locale);
            System.out.println(locale + " " + number.format(-1234567.891) + " " + NumberFormat.getPercentInstance(locale).format(0.256)
                + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(locale).format(day)
                + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.SHORT).withLocale(locale).format(day)
                + " " + String.format(locale, "%,d %.3f %tA", 9_876_543, 2.5, day));
        }
        for (String tag : new String[] {"en", "de", "fr", "ja", "th-TH", "pl", "fa", "zh-CN"}) {
            DateTimeFormatter eras = DateTimeFormatter.ofPattern("G GGGG GGGGG QQQQ LLLL", Locale.forLanguageTag(tag));
            System.out.println(tag + " " + eras.format(day) + " " + ThaiBuddhistEra.BE.getDisplayName(TextStyle.SHORT, Locale.forLanguageTag(tag)));
        }
        System.out.println(NumberFormat.getCurrencyInstance(Locale.US).format(1234.5) + " " + Currency.getInstance("JPY").getDefaultFractionDigits()
            + " " + Currency.getInstance(Locale.GERMANY) + " " + Locale.GERMANY.getDisplayCountry(Locale.ENGLISH));
        SimpleDateFormat format = new SimpleDateFormat("EEE, d MMM yyyy HH:mm:ss Z", Locale.US);
        format.setTimeZone(TimeZone.getTimeZone("GMT"));
        System.out.println(format.format(new Date(0)) + " " + new DecimalFormat("#,##0.00").format(1e6));
        byte[] zipped = Base64.getDecoder().decode("H4sIAAAAAAACA8tIzcnJVyjPL8pJUUjOzytJzSvRUcjAKQgAicLfPS8AAAA=");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
            System.out.println(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
        System.out.println(new File("/no/such/file").exists());
    }
}
