public class LangClasses {
    static class Animal {
        String name = "animal";
        static String kind() {
            return "animals";
        }

        Animal() {
            System.out.println("new " + describe());
        }

        String describe() {
            return "an " + name;
        }

        String over(Object o) {
            return "object";
        }

        String over(String s) {
            return "string";
        }

        private String secret() {
            return "animal secret";
        }

        String tell() {
            return secret();
        }

        protected Object result() {
            return "animal result";
        }

        final int twice(int n) {
            return 2 * n;
        }
    }

    static class Dog extends Animal {
        String name = "dog";
        int legs = 4;

        static String kind() {
            return "dogs";
        }

        Dog() {
            this(3);
            legs++;
        }

        Dog(int legs) {
            super();
            this.legs = legs;
        }

        @Override String describe() {
            return "a " + name + " with " + legs + ", " + super.name;
        }

        @Override String over(Object o) {
            return "dog " + super.over(o);
        }

        private String secret() {
            return "dog secret";
        }

        @Override protected String result() {
            return "dog result, " + super.result();
        }
    }

    static final class Puppy extends Dog {
        @Override String describe() {
            return "small " + super.describe();
        }
    }

    abstract static class Shape {
        abstract double area();

        public String toString() {
            return getClass().getSimpleName() + " " + area();
        }
    }

    static class Square extends Shape {
        final double side;

        Square(double side) {
            this.side = side;
        }

        double area() {
            return side * side;
        }
    }

    static class Cube extends Square {
        Cube(double side) {
            super(side);
        }

        @Override double area() {
            return 6 * super.area();
        }
    }

    public static void main(String[] args) {
        Animal a = new Dog();
        System.out.println(a.name + " " + ((Dog) a).name + " " + a.describe());
        System.out.println(Animal.kind() + " " + Dog.kind() + " " + Puppy.kind());
        Object s = "text";
        System.out.println(a.over(s) + " " + a.over("text") + " " + a.over(null));
        System.out.println(a.tell() + ", " + a.result() + ", " + a.twice(21));
        Puppy p = new Puppy();
        System.out.println(p.describe() + " " + (p instanceof Dog) + " " + p.getClass().getName());
        Shape[] shapes = {new Square(1.5), new Cube(2), new Shape() {
            double area() {
                return -1;
            }
        }};
        double total = 0;
        for (Shape shape : shapes) {
            total += shape.area();
            System.out.println(shape);
        }
        System.out.println(total);
        System.out.println(new LangClassesOther().value() + LangClassesOther.counter);
    }
}

class LangClassesOther {
    static int counter;
    private final int mine = ++counter;

    int value() {
        return mine * 10;
    }
}
