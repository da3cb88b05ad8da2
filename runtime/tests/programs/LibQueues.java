import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Stack;
import java.util.Vector;

public class LibQueues {
    record Task(String name, int priority) {}

    public static void main(String[] args) {
        PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingInt(Task::priority).thenComparing(Task::name));
        String[] names = {"wash", "cook", "sleep", "code", "eat", "read"};
        for (int i = 0; i < names.length; i++) {
            tasks.add(new Task(names[i], i * 7 % 4));
        }
        System.out.println(tasks.peek() + " " + tasks.size());
        tasks.remove(new Task("eat", 0));
        while (!tasks.isEmpty()) {
            System.out.print(tasks.poll() + " ");
        }
        System.out.println(tasks.poll());
        PriorityQueue<Integer> heap = new PriorityQueue<>(Comparator.reverseOrder());
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            heap.offer(random.nextInt(10_000));
        }
        long hash = 0;
        while (heap.size() > 5) {
            hash = hash * 31 + heap.poll();
        }
        System.out.println(hash + " " + heap);
        Deque<Integer> deque = new ArrayDeque<>(2);
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 0) {
                deque.addFirst(i);
            } else {
                deque.addLast(i);
            }
            if (i % 5 == 4) {
                deque.pollFirst();
                deque.removeLast();
            }
        }
        System.out.println(deque + " " + deque.peekFirst() + " " + deque.peekLast() + " " + deque.contains(8));
        deque.removeFirstOccurrence(8);
        deque.removeIf(n -> n > 20);
        System.out.println(deque + " " + deque.size());
        Stack<String> stack = new Stack<>();
        stack.push("a");
        stack.push("b");
        stack.push("c");
        System.out.println(stack.pop() + stack.peek() + stack.search("a") + stack + stack.empty());
        Vector<Integer> vector = new Vector<>();
        vector.addElement(1);
        vector.insertElementAt(0, 0);
        System.out.println(vector + " " + vector.elementAt(1) + vector.capacity());
        BitSet bits = new BitSet();
        bits.set(1);
        bits.set(5, 10);
        bits.set(100);
        bits.clear(7);
        bits.flip(0, 3);
        BitSet other = new BitSet();
        other.set(0, 8);
        System.out.println(bits + " " + bits.cardinality() + " " + bits.length() + " " + bits.size() + " " + bits.nextSetBit(10) + " " + bits.nextClearBit(5));
        BitSet and = (BitSet) bits.clone();
        and.and(other);
        BitSet or = (BitSet) bits.clone();
        or.or(other);
        BitSet xor = (BitSet) bits.clone();
        xor.xor(other);
        bits.andNot(other);
        System.out.println(and + " " + or + " " + xor + " " + bits + " " + and.intersects(bits) + " " + or.hashCode());
        System.out.println(BitSet.valueOf(new long[] {0b1011, 1}).stream().sum() + " " + java.util.Arrays.toString(or.toLongArray()));
    }
}
