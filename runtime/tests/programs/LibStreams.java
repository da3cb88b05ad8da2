import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.*;

public class LibStreams {
    record Person(String name, int age, String city) {}

    public static void main(String[] args) {
        List<Integer> ns = List.of(5, 3, 8, 1, 9, 2, 8);
        show(ns.stream().filter(n -> n > 2).map(n -> n * n).sorted().distinct().collect(Collectors.toList()));
        show(ns.stream().reduce(0, Integer::sum) + " " + ns.stream().reduce(Math::max) + " " + ns.stream().mapToInt(n -> n).summaryStatistics());
        show(IntStream.rangeClosed(1, 5).mapToObj(i -> "n" + i).collect(Collectors.joining(", ", "[", "]")));
        show(Stream.iterate(1, n -> n * 2).limit(10).skip(3).toList() + " " + Stream.iterate(1, n -> n < 50, n -> n * 3).toList());
        show(Stream.of("a,b", "c").flatMap(s -> Arrays.stream(s.split(","))).toList() + " " + Stream.concat(Stream.of(1), Stream.of(2, 3)).count());
        show(ns.stream().anyMatch(n -> n == 9) + " " + ns.stream().allMatch(n -> n > 0) + " " + ns.stream().noneMatch(n -> n > 100));
        show(ns.stream().sorted(Comparator.reverseOrder()).findFirst().get() + " " + ns.stream().min(Comparator.naturalOrder()).get() + " "
            + Stream.empty().findAny() + " " + ns.stream().takeWhile(n -> n != 1).toList() + ns.stream().dropWhile(n -> n != 1).toList());
        StringBuilder trace = new StringBuilder();
        Optional<Integer> first = ns.stream().peek(n -> trace.append("p").append(n)).filter(n -> {
            trace.append("f").append(n);
            return n % 2 == 0;
        }).map(n -> {
            trace.append("m").append(n);
            return n + 1;
        }).findFirst();
        show(first + " " + trace);
        show(IntStream.range(0, 20).boxed().collect(Collectors.partitioningBy(n -> n % 3 == 0, Collectors.counting())));
        List<Person> people = List.of(new Person("Ann", 30, "Rome"), new Person("Bob", 25, "Oslo"), new Person("Cid", 35, "Rome"), new Person("Dan", 25, "Bern"),
            new Person("Eve", 41, "Oslo"));
        show(people.stream().collect(Collectors.groupingBy(Person::city, java.util.TreeMap::new, Collectors.mapping(Person::name, Collectors.toList()))));
        show(people.stream().collect(Collectors.groupingBy(Person::age, java.util.TreeMap::new, Collectors.averagingInt(p -> p.name().length() + p.age()))));
        show(people.stream().sorted(Comparator.comparing(Person::age).thenComparing(Person::name, Comparator.reverseOrder())).map(Person::name).toList());
        show(new java.util.TreeMap<>(people.stream().collect(Collectors.toMap(Person::city, Person::age, Integer::sum))));
        try {
            people.stream().collect(Collectors.toMap(Person::city, Person::age));
        } catch (IllegalStateException e) {
            show(e.getMessage());
        }
        show(people.stream().map(Person::age).collect(Collectors.teeing(Collectors.counting(), Collectors.summingInt(n -> n), (c, s) -> s + "/" + c)));
        show(people.stream().collect(Collectors.collectingAndThen(Collectors.maxBy(Comparator.comparingInt(Person::age)), o -> o.get().name())));
        show(DoubleStream.of(1, 2.5, 3).map(Math::sqrt).sum() + " " + LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b) + " "
            + IntStream.of(3, 1, 2).sorted().boxed().toList() + " " + IntStream.range(0, 5).average().getAsDouble() + " " + "hello".chars().filter(c -> c == 'l').count());
        show(Stream.of(1, 2, 3, 4).mapMulti((Integer n, java.util.function.Consumer<Object> c) -> {
            if (n % 2 == 0) {
                c.accept(n);
                c.accept("x" + n);
            }
        }).toList());
        show(Arrays.toString(Stream.of("b", "a").sorted().toArray(String[]::new)) + Arrays.toString(IntStream.iterate(1, i -> i + i).limit(5).toArray()));
        show(IntStream.rangeClosed(2, 50).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0)).boxed().toList());
        show(Stream.of("x", "yy", "zzz").collect(StringBuilder::new, (b, s) -> b.append(s.length()), StringBuilder::append));
        show(Stream.generate(() -> "g").limit(3).collect(Collectors.joining()) + Stream.ofNullable(null).count() + Stream.of(1, 2, 3).mapToLong(n -> n).max().getAsLong());
        Stream<String> closing = Stream.of("c").onClose(() -> show("closed"));
        try (closing) {
            show(closing.toList());
        }
        Optional<String> o = Optional.of("value");
        show(o.map(String::length).filter(n -> n > 3).orElse(0) + " " + o.flatMap(s -> Optional.<String>empty()).isPresent() + " " + Optional.ofNullable((String) null).or(() -> o).get()
            + " " + o + " " + Optional.empty() + " " + none() + " " + o.equals(Optional.of("value")) + " " + o.stream().count());
        o.ifPresentOrElse(s -> show("present " + s), () -> show("absent"));
        Iterable<Integer> lazy = () -> IntStream.range(0, 3).iterator();
        for (int i : lazy) {
            System.out.print(i);
        }
        show(StreamSupport.stream(lazy.spliterator(), false).map(String::valueOf).collect(Collectors.joining("+")));
    }

    static void show(Object o) {
        System.out.println(o);
    }

    static java.util.OptionalInt none() {
        return IntStream.empty().max();
    }
}
