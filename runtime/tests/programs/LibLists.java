import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Random;

public class LibLists {
    static void exercise(List<Integer> list) {
        for (int i = 0; i < 10; i++) {
            list.add(i * i);
        }
        list.add(3, -1);
        list.addAll(2, List.of(100, 200));
        list.remove(0);
        list.remove(Integer.valueOf(64));
        list.set(1, 7);
        System.out.println(list + " " + list.size() + " " + list.indexOf(200) + " " + list.lastIndexOf(9) + " " + list.contains(81) + " " + list.get(4));
        list.removeIf(n -> n % 2 == 1);
        System.out.println(list);
        list.replaceAll(n -> n + 1);
        ListIterator<Integer> it = list.listIterator();
        while (it.hasNext()) {
            int index = it.nextIndex();
            int n = it.next();
            if (n == 201) {
                it.remove();
            } else if (n == 17) {
                it.add(index);
            } else {
                it.set(-n);
            }
        }
        while (it.hasPrevious()) {
            System.out.print(it.previous() + " ");
        }
        System.out.println();
        List<Integer> sub = list.subList(1, 4);
        sub.set(0, 55);
        sub.remove(1);
        System.out.println(sub + " " + list + " " + sub.hashCode());
        sub.clear();
        list.sort(null);
        System.out.println(list + " " + list.equals(new ArrayList<>(list)) + " " + list.hashCode());
        list.retainAll(List.of(-1, -5, 55, -37));
        System.out.println(list + " " + list.containsAll(List.of(-37)) + " " + list.isEmpty());
        Object[] plain = list.toArray();
        Integer[] typed = list.toArray(new Integer[0]);
        Integer[] roomy = list.toArray(new Integer[] {9, 9, 9, 9, 9});
        System.out.println(plain.length + " " + typed.getClass().getSimpleName() + " " + java.util.Arrays.toString(roomy));
        list.clear();
        System.out.println(list + "" + list.isEmpty());
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        List<String> names = new ArrayList<>(List.of("delta", "alpha", "Charlie", "bravo", "echo", "Alpha"));
        Collections.sort(names);
        System.out.println(names);
        names.sort(String.CASE_INSENSITIVE_ORDER.reversed());
        System.out.println(names);
        names.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        System.out.println(names);
        Collections.reverse(names);
        Collections.swap(names, 0, 5);
        Collections.rotate(names, 2);
        System.out.println(names + " " + Collections.max(names) + " " + Collections.min(names) + " " + Collections.frequency(names, "echo"));
        Collections.shuffle(names, new Random(1));
        System.out.println(names);
        List<Integer> sorted = new ArrayList<>();
        for (int i = 0; i < 100; i += 7) {
            sorted.add(i);
        }
        System.out.println(Collections.binarySearch(sorted, 49) + " " + Collections.binarySearch(sorted, 50) + " " + Collections.nCopies(3, "x")
            + Collections.emptyList() + Collections.singletonList(1) + Collections.disjoint(sorted, List.of(1, 2)));
        Collections.fill(sorted, 1);
        Collections.addAll(sorted, 2, 3);
        System.out.println(sorted + " " + Collections.indexOfSubList(sorted, List.of(1, 2)) + " " + new ArrayList<>(Collections.unmodifiableList(sorted)).size());
        List<Integer> many = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 3000; i++) {
            many.add(random.nextInt(1000));
        }
        many.sort(Comparator.comparingInt(n -> n % 100));
        System.out.println(many.hashCode() + " " + many.subList(0, 10));
        LinkedList<Integer> linked = new LinkedList<>(List.of(1, 2, 3));
        linked.addFirst(0);
        linked.addLast(4);
        linked.push(-1);
        System.out.println(linked.pop() + " " + linked.peekLast() + " " + linked.pollFirst() + " " + linked.removeLast() + " " + linked + " " + linked.descendingIterator().next());
        System.out.println(List.copyOf(linked) + " " + List.of(1, 2).equals(linked) + " " + List.of(1, 2, 3).equals(linked));
    }
}
