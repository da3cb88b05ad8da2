//! Random Java programs that are well typed, end, and say what they computed.
//!
//! Each is a class with a method `run(PrintStream)`, which adds most of what is computed to a [checksum](java/programs/Sum.java) and prints
//! that often. Exceptions are thrown and caught all over. Whoever runs Java prints the same lines.
//!
//! | file | what it makes |
//! | --- | --- |
//! | `programs.rs` | the frame: classes, methods, what calls them; expressions |
//! | `programs/grammar.rs` | types, literals, and forms of expressions, as tables |
//! | `programs/stmt.rs` | statements |
//!
//! A program ends because every loop and every method takes from the same `fuel`, because a method calls only those behind it,
//! and because what can be called through objects calls nothing. Texts and arrays are short. Nothing depends on time, on
//! identity hash codes, or on messages that are not specified.

mod grammar;
mod stmt;

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::entropy::{Entropy, mixed};
use grammar::ty;

const SUM: &str = include_str!("java/programs/Sum.java");

/// The class whose `main` runs all programs, one after the other.
pub const DRIVER: &str = "Driver";

/// Writes the programs of some seeds to a folder and compiles them there, by one call of javac.
///
/// # Errors
/// Why it is not possible.
pub fn compile(seeds: Range<u64>, folder: &Path) -> Result<(), String> {
    let mut run = String::new();
    let mut files = vec![("Sum.java".to_owned(), SUM.to_owned())];
    for seed in seeds {
        let name = format!("P{seed}");
        let _ = write!(
            run,
            "        System.out.println(\"{name}\");\n        \
             try {{ {name}.run(System.out); }} catch (Throwable thrown) {{ System.out.println(thrown); }}\n"
        );
        files.push((format!("{name}.java"), program(&name, &mut Entropy::of_seed(mixed(seed)))));
    }
    let main =
        format!("final class {DRIVER} {{\n    public static void main(String[] words) {{\n{run}    }}\n}}\n");
    files.push((format!("{DRIVER}.java"), main));
    for (file, text) in &files {
        std::fs::write(folder.join(file), text).map_err(|error| error.to_string())?;
    }
    let javac = Command::new("javac")
        .args(["-nowarn", "-Xlint:none", "-proc:none", "-Xmaxerrs", "20", "-d", "."])
        .args(files.iter().map(|(file, _)| file))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("there is no javac: {error}"))?;
    if javac.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&javac.stderr).into_owned()) }
}

/// What may be done with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Of a method: read and assigned.
    Local,
    /// Of the class or object: read and assigned, anywhere.
    Field,
    /// Never assigned: read, also in lambdas.
    Final,
    /// Assigned by its loop only.
    Counter,
}

/// A variable in scope.
#[derive(Clone)]
struct Var {
    name: String,
    ty: char,
    how: Use,
}

/// A static method.
struct Method {
    params: Vec<char>,
    result: char,
}

struct Gen<'g, 'e> {
    entropy: &'g mut Entropy<'e>,
    class: String,
    text: String,
    /// In levels.
    indent: usize,
    vars: Vec<Var>,
    /// Names and places that were given.
    given: usize,
    /// Statements that may still be made in this method.
    left: usize,
    /// What `break` would leave: loops, by their labels, and switches.
    inside: Vec<Option<String>>,
    result: char,
    methods: Vec<Method>,
    /// The first method that may be called; none where nothing may.
    callable: Option<usize>,
}

/// A program, as the text of the class `name`. It needs `Sum`.
#[must_use]
pub fn program(name: &str, entropy: &mut Entropy<'_>) -> String {
    let mut making = Gen {
        entropy,
        class: name.to_owned(),
        text: String::new(),
        indent: 0,
        vars: Vec::new(),
        given: 0,
        left: 0,
        inside: Vec::new(),
        result: 'I',
        methods: Vec::new(),
        callable: None,
    };
    making.line(&format!("final class {name} {{"));
    making.indent = 1;
    making.statics();
    making.classes();
    making.methods();
    making.text += "}\n";
    making.text
}

impl Gen<'_, '_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", self.indent * 4);
    }

    /// A name that no other variable of the program has.
    fn name(&mut self, stem: &str) -> String {
        self.given += 1;
        format!("{stem}{}", self.given)
    }

    fn declare(&mut self, name: &str, ty: char, how: Use) {
        self.vars.push(Var { name: name.to_owned(), ty, how });
    }

    fn statics(&mut self) {
        self.line("static int fuel;");
        self.line("static Sum sum;");
        for letter in [
            'Z', 'B', 'S', 'C', 'I', 'J', 'F', 'D', 'T', 'N', 'O', 'P', 'K', 'A', 'H', 'i', 'j', 'b', 'd',
            't', 'g',
        ] {
            let (name, first) = (self.name("s"), self.leaf(letter));
            self.line(&format!("static {} {name} = {first};", ty(letter).name));
            self.declare(&name, letter, Use::Field);
        }
    }

    /// The result of a method of a class, with its parameters; and with the fields of Base, if it has them.
    fn body(&mut self, fields: &[(&str, char)], params: &[(&str, char)], letter: char) -> String {
        let outer = self.vars.len();
        fields.iter().for_each(|(name, ty)| self.declare(name, *ty, Use::Field));
        params.iter().for_each(|(name, ty)| self.declare(name, *ty, Use::Final));
        let body = self.expr(letter, 3);
        self.vars.truncate(outer);
        body
    }

    /// The classes that every program has, with bodies of its own.
    fn classes(&mut self) {
        let fields = [("fI", 'I'), ("fJ", 'J'), ("fD", 'D'), ("fS", 'T'), ("fA", 'i')];
        let name: &[_] = &[("of", 'F'), ("by", 'B')];
        let bodies = [
            self.body(&[], &[("x", 'J')], 'J'),
            self.body(&[], &[("x", 'J'), ("on", 'Z')], 'Z'),
            self.body(&fields, &[("of", 'I')], 'I'),
            self.body(&fields, &[("of", 'I')], 'I'),
            self.body(&fields, name, 'D'),
            self.body(&fields, name, 'D'),
            self.body(&fields, &[("x", 'J')], 'J'),
            self.body(&[], &[("of", 'N')], 'I'),
            self.body(&[], &[("of", 'I')], 'I'),
        ];
        let mut text = CLASSES.replace("$@", &self.class);
        for (index, body) in bodies.iter().enumerate() {
            text = text.replace(&format!("${index}$"), body);
        }
        self.text += &text;
    }

    fn methods(&mut self) {
        let types =
            ['Z', 'B', 'S', 'C', 'I', 'I', 'J', 'F', 'D', 'T', 'N', 'A', 'i', 'O', 'H', 'K', 'P', 'g', 't'];
        for _ in 0..4 + self.entropy.below(4) {
            let params = (0..self.entropy.below(10)).map(|_| *self.entropy.pick(&types)).collect();
            let result = *self.entropy.pick(&types);
            self.methods.push(Method { params, result });
        }
        for index in 0..self.methods.len() {
            self.method(index);
        }
        self.recursive();
        self.run();
    }

    fn method(&mut self, index: usize) {
        let Method { params, result } = &self.methods[index];
        let (params, result) = (params.clone(), *result);
        let outer = self.vars.len();
        let mut list = Vec::new();
        for param in params {
            let name = self.name("a");
            list.push(format!("{} {name}", ty(param).name));
            self.declare(&name, param, Use::Local);
        }
        let monitor = if self.entropy.one_in(6) { "synchronized " } else { "" };
        self.line(&format!("static {monitor}{} m{index}({}) {{", ty(result).name, list.join(", ")));
        let none = match result {
            'Z' => "false",
            'B' | 'S' | 'C' | 'I' | 'J' | 'F' | 'D' => "0",
            _ => "null",
        };
        self.indent += 1;
        self.line(&format!("if (fuel-- <= 0) return {none};"));
        (self.callable, self.left, self.result) = (Some(index + 1), 25, result);
        for _ in 0..4 + self.entropy.below(6) {
            if self.entropy.one_in(2) { self.guarded(2) } else { self.stmt(3) }
        }
        let last = self.expr(result, 3);
        self.line(&format!("return {last};"));
        self.indent -= 1;
        self.line("}");
        self.vars.truncate(outer);
    }

    /// The one method that calls itself.
    fn recursive(&mut self) {
        self.callable = None;
        self.line("static long rec(int depth, int of, long by) {");
        self.indent += 1;
        self.line("if (depth <= 0 || fuel-- <= 0) return by;");
        let outer = self.vars.len();
        self.declare("depth", 'I', Use::Final);
        self.declare("of", 'I', Use::Local);
        self.declare("by", 'J', Use::Local);
        (self.left, self.result) = (6, 'J');
        self.stmt(1);
        let (first, second, third) = (self.expr('I', 2), self.expr('J', 2), self.expr('J', 2));
        self.line(&format!("return rec(depth - 1, {first}, {second}) + {third};"));
        self.vars.truncate(outer);
        self.indent -= 1;
        self.line("}");
    }

    /// Calls all methods some times, with what the calls before have left.
    fn run(&mut self) {
        self.line("static void run(java.io.PrintStream out) {");
        self.indent += 1;
        self.line("sum = new Sum(out);");
        self.line("for (int round = 0; round < 4; round++) {");
        self.indent += 1;
        self.callable = Some(0);
        for index in 0..self.methods.len() {
            let call = self.call(index, 1);
            self.given += 1;
            let place = self.given;
            self.line(&format!("fuel = 400;\n            try {{ sum.add({place}, {call}); }}"));
            self.line(&format!("catch (RuntimeException thrown) {{ sum.caught({place}, thrown); }}"));
        }
        self.indent -= 1;
        self.line("}");
        self.line("sum.end();");
        self.indent -= 1;
        self.line("}");
    }

    fn call(&mut self, index: usize, depth: usize) -> String {
        let params = self.methods[index].params.clone();
        let arguments: Vec<String> = params.into_iter().map(|param| self.expr(param, depth)).collect();
        format!("m{index}({})", arguments.join(", "))
    }

    fn expr(&mut self, letter: char, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(letter);
        }
        let less = depth - 1;
        match self.entropy.below(14) {
            0..3 => self.leaf(letter),
            3 => {
                let (on, yes, no) = (self.expr('Z', less), self.expr(letter, less), self.expr(letter, less));
                format!("({on} ? {yes} : {no})")
            }
            4 | 5 => self.called(letter, less),
            6 => self.changed(letter, less),
            7 if matches!(letter, 'I' | 'J' | 'D' | 'T' | 'i') => {
                let form = self.entropy.pick(grammar::SWITCH_EXPRESSIONS);
                let form = form.replace('?', &letter.to_string()).replace("$=", ty(letter).name);
                self.fill(&form, less)
            }
            _ => {
                let form = self.entropy.pick(ty(letter).forms);
                self.fill(form, less)
            }
        }
    }

    /// A variable, or a literal.
    fn leaf(&mut self, letter: char) -> String {
        let known: Vec<&Var> = self.vars.iter().filter(|var| var.ty == letter).collect();
        if !known.is_empty() && !self.entropy.one_in(4) {
            return self.entropy.pick(&known).name.clone();
        }
        let leaf = self.entropy.pick(ty(letter).leaves);
        leaf.replace("$@", &self.class)
    }

    /// A call of one of the program's methods, where that may be.
    fn called(&mut self, letter: char, depth: usize) -> String {
        let Some(from) = self.callable else { return self.leaf(letter) };
        let fitting = (from..self.methods.len()).filter(|index| self.methods[*index].result == letter);
        let fitting: Vec<usize> = fitting.collect();
        let forms = ty(letter).calls;
        match self.entropy.below(fitting.len() + forms.len()) {
            _ if fitting.is_empty() && forms.is_empty() => self.leaf(letter),
            k if k < fitting.len() => self.call(fitting[k], depth.min(1)),
            k => self.fill(forms[k - fitting.len()], depth),
        }
    }

    /// A variable that is changed on the way.
    fn changed(&mut self, letter: char, depth: usize) -> String {
        let Some(name) = self.assignable(&[letter]).map(|var| var.name) else { return self.leaf(letter) };
        match self.entropy.below(5) {
            0 if grammar::NUMBERS.contains(&letter) => format!("({name}++)"),
            1 if grammar::NUMBERS.contains(&letter) => format!("(--{name})"),
            2 if grammar::NUMBERS.contains(&letter) => format!("({name} += {})", self.expr('I', depth)),
            3 if letter == 'Z' => format!("({name} ^= {})", self.expr('Z', depth)),
            _ => format!("({name} = {})", self.expr(letter, depth)),
        }
    }

    /// A variable of one of these types that may be assigned.
    fn assignable(&mut self, letters: &[char]) -> Option<Var> {
        let fits = |var: &&Var| letters.contains(&var.ty) && matches!(var.how, Use::Local | Use::Field);
        let all: Vec<&Var> = self.vars.iter().filter(fits).collect();
        if all.is_empty() { None } else { Some((*self.entropy.pick(&all)).clone()) }
    }

    /// Makes text of a form.
    fn fill(&mut self, form: &str, depth: usize) -> String {
        let (mut out, mut own) = (String::new(), None);
        let mut letters = form.chars();
        while let Some(letter) = letters.next() {
            if letter != '$' {
                out.push(letter);
                continue;
            }
            match letters.next() {
                Some('#') => out += &self.index(depth),
                Some('_') => out.push_str(own.get_or_insert_with(|| self.name("p"))),
                Some('@') => out += &self.class,
                Some('>') => {
                    let (param, result) = (letters.next().unwrap_or('I'), letters.next().unwrap_or('I'));
                    let name = self.name("p");
                    let body = self.captured(Some((&name, param)), result, depth);
                    out += &format!("{name} -> {body}");
                }
                Some('<') => {
                    let result = letters.next().unwrap_or('I');
                    out += &self.captured(None, result, depth);
                }
                Some(letter) => out += &self.expr(letter, depth),
                None => {}
            }
        }
        out
    }

    /// An expression that runs later: it sees what never changes, and fields, and calls nothing.
    fn captured(&mut self, param: Option<(&str, char)>, result: char, depth: usize) -> String {
        let kept =
            self.vars.iter().filter(|var| matches!(var.how, Use::Final | Use::Field)).cloned().collect();
        let outer = std::mem::replace(&mut self.vars, kept);
        let callable = self.callable.take();
        if let Some((name, ty)) = param {
            self.declare(name, ty, Use::Final);
        }
        let body = self.expr(result, depth.min(2));
        (self.vars, self.callable) = (outer, callable);
        body
    }

    /// An index: mostly one that there is.
    fn index(&mut self, depth: usize) -> String {
        let index = self.expr('I', depth.min(1));
        match self.entropy.below(24) {
            0 => index,
            1 | 2 => format!("({index} % 6)"),
            _ => format!("({index} & 3)"),
        }
    }
}

/// Classes of every program. `$0$` and so on are bodies that it makes itself.
const CLASSES: &str = r#"    interface Shape {
        int area(int of);
        default long twice(long x) { return 2L * area((int) x) + $0$; }
        default boolean test(long x, boolean on) { return $1$; }
    }
    static abstract class Base implements Shape, Sum.Stable {
        static int made;
        int fI; long fJ; double fD; String fS = "s"; int[] fA = {1, 2, 3, 4}; Base next = this;
        Base(int of, long by) { fI = of; fJ = by; fD = of * 0.5; made++; }
        public int area(int of) { return $2$; }
        abstract double name(float of, byte by);
        @Override public int hashCode() { return fI * 31 + (int) fJ; }
        @Override public String toString() { return getClass().getSimpleName() + fI; }
    }
    static class Left extends Base {
        static final int LOADED = note(1);
        Left(int of, long by) { super(of, by); }
        @Override public int area(int of) { return super.area(of + 1) ^ $3$; }
        double name(float of, byte by) { return $4$; }
    }
    static final class Right extends Left {
        static final int LOADED = note(2);
        private final int kept;
        Right(int of, long by) { this(of, by, of + 1); }
        private Right(int of, long by, int kept) { super(of, by); this.kept = kept; fA = new int[] {of, kept, 3, 4, 5}; }
        @Override double name(float of, byte by) { return super.name(of, by) - kept + $5$; }
        @Override public long twice(long x) { return super.twice(x) + $6$; }
    }
    record Pair(int a, long b) {}
    interface Maker<T> { T make(T of); }
    static final class Twice implements Maker<Integer> {
        public Integer make(Integer of) { return $7$; }
    }
    static final class Box<T> {
        private final T value;
        Box(T value) { this.value = value; }
        T get() { return value; }
        <U> Box<U> map(java.util.function.Function<? super T, ? extends U> by) { return new Box<U>(by.apply(value)); }
    }
    enum Color {
        RED(3), GREEN(5) { @Override int weight() { return -super.weight(); } }, BLUE(7);
        private final int weight;
        Color(int weight) { this.weight = weight; }
        int weight() { return weight * 3 + ordinal(); }
        Color next() { return values()[(ordinal() + 1) % values().length]; }
    }
    static final class Trouble extends Exception {
        Trouble(String message) { super(message); }
    }
    static final class Door implements AutoCloseable {
        private final int of;
        Door(int of) { this.of = of; if (of % 7 == 3) throw new IllegalStateException("stuck"); }
        @Override public void close() { sum.add(2, of); if (of % 5 == 2) throw new IllegalArgumentException("jammed"); }
    }
    static int note(int of) { if (sum != null) sum.add(3, of); return of; }
    static int twist(int of) { return $8$; }
    static void toss(int of) throws Trouble { if ((of & 1) == 0) throw new Trouble("t" + of); }
    static <T> T choose(boolean first, T a, T b) { return first ? a : b; }
    static <T> T made(Maker<T> maker, T of) { return maker.make(of); }
"#;
