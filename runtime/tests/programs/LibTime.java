import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

public class LibTime {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 28);
        System.out.println(d + " " + d.plusDays(2) + " " + d.plusMonths(12) + " " + d.isLeapYear() + " " + d.getDayOfWeek() + " " + d.getDayOfYear() + " " + d.lengthOfMonth());
        System.out.println(d.with(TemporalAdjusters.lastDayOfMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.withDayOfMonth(1).minusDays(1));
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(1970, 1, 1), d) + " " + d.toEpochDay() + " " + Period.between(LocalDate.of(2000, 5, 17), d) + " "
            + LocalDate.parse("2023-12-31").plusDays(1) + " " + d.compareTo(LocalDate.MIN) + " " + d.isBefore(LocalDate.MAX));
        LocalTime t = LocalTime.of(23, 59, 30, 5_000_000);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.toSecondOfDay() + " " + LocalTime.parse("10:15") + " " + LocalTime.MIDNIGHT + " " + t.truncatedTo(ChronoUnit.HOURS));
        LocalDateTime dt = LocalDateTime.of(d, t);
        System.out.println(dt + " " + dt.plus(Duration.ofHours(1)) + " " + dt.toLocalDate().equals(d) + " " + dt.toEpochSecond(ZoneOffset.ofHours(2)));
        Duration u = Duration.ofMinutes(135).plusMillis(1500);
        System.out.println(u + " " + u.toHours() + " " + u.toMinutesPart() + " " + Duration.ofSeconds(-1, 5) + " " + Duration.between(t, LocalTime.NOON) + " " + Duration.ZERO + " "
            + Duration.parse("PT1H30M").getSeconds() + " " + u.multipliedBy(3).compareTo(u));
        System.out.println(Instant.ofEpochSecond(1_700_000_000) + " " + Instant.EPOCH.plusNanos(1) + " " + Instant.parse("2020-01-01T00:00:00Z").toEpochMilli());
        OffsetDateTime o = OffsetDateTime.of(dt, ZoneOffset.ofHoursMinutes(5, 30));
        System.out.println(o + " " + o.toInstant() + " " + o.withOffsetSameInstant(ZoneOffset.UTC) + " " + ZonedDateTime.of(dt, ZoneOffset.UTC));
        DateTimeFormatter f = DateTimeFormatter.ofPattern("dd/MM/yyyy HH:mm:ss");
        System.out.println(dt.format(f) + " " + LocalDateTime.parse("01/02/2003 04:05:06", f) + " " + d.format(DateTimeFormatter.BASIC_ISO_DATE) + " " + DateTimeFormatter.ISO_DATE.format(d));
        System.out.println(Year.isLeap(1900) + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + Month.MARCH.plus(11) + " " + MonthDay.of(2, 29).isValidYear(2023) + " " + DayOfWeek.of(7));
        try {
            LocalDate.of(2023, 2, 29);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            LocalDate.parse("2023-13-01");
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage());
        }
    }
}
