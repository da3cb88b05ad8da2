//! Statements. Each may be followed by another: what leaves a block stands behind a condition.

use super::grammar::{CATCHES, EACH, NUMBERS, STORES, SWITCHES, THROWS, TYPES, ty};
use super::{Gen, Use};

impl Gen<'_, '_> {
    pub(super) fn stmt(&mut self, depth: usize) {
        if self.left == 0 {
            return self.check();
        }
        self.left -= 1;
        match self.entropy.below(if depth == 0 { 14 } else { 27 }) {
            0..3 => self.variable(),
            3 | 4 => self.assign(),
            5 => self.compound(),
            6 | 7 => self.filled(STORES),
            8 => self.step(),
            9 => self.jump(),
            10 => self.filled(THROWS),
            11..14 => self.check(),
            14 | 15 => self.branch(depth - 1),
            16..19 => self.counted(depth - 1),
            19 => self.repeated(depth - 1),
            20 => self.each(depth - 1),
            21 | 22 => self.switch(depth - 1),
            23..26 => self.guarded(depth - 1),
            _ => self.locked(depth - 1),
        }
    }

    /// Some statements with variables of their own.
    fn block(&mut self, depth: usize) {
        let outer = self.vars.len();
        self.indent += 1;
        for _ in 0..1 + self.entropy.below(3) {
            self.stmt(depth);
        }
        self.indent -= 1;
        self.vars.truncate(outer);
    }

    fn filled(&mut self, forms: &[&str]) {
        let form = *self.entropy.pick(forms);
        let text = self.fill(form, 2);
        self.line(&text);
    }

    pub(super) fn check(&mut self) {
        let letter = self.entropy.pick(TYPES).letter;
        let value = self.expr(letter, 3);
        self.given += 1;
        let place = self.given;
        self.line(&format!("sum.add({place}, {value});"));
    }

    fn variable(&mut self) {
        let ty = self.entropy.pick(TYPES);
        let (value, name) = (self.expr(ty.letter, 3), self.name("v"));
        let (how, word) = if self.entropy.one_in(3) { (Use::Final, "final ") } else { (Use::Local, "") };
        self.line(&format!("{word}{} {name} = {value};", ty.name));
        self.declare(&name, ty.letter, how);
    }

    fn assign(&mut self) {
        let letter = self.entropy.pick(TYPES).letter;
        let Some(var) = self.assignable(&[letter]) else { return self.check() };
        let value = self.expr(letter, 3);
        self.line(&format!("{} = {value};", var.name));
    }

    /// `a += b`, with the types that Java casts without saying so.
    fn compound(&mut self) {
        let Some(var) = self.assignable(&['B', 'S', 'C', 'I', 'J', 'F', 'D', 'Z', 'T']) else { return };
        let name = var.name;
        match var.ty {
            'T' => {
                let value = self.fill("$O", 2);
                self.line(&format!("{name} += {value} instanceof Integer ? 1 : \"o\";"));
                self.line(&format!("{name} = Sum.cut({name});"));
            }
            'Z' => {
                let (op, value) = (*self.entropy.pick(&["&", "|", "^"]), self.expr('Z', 2));
                self.line(&format!("{name} {op}= {value};"));
            }
            'F' | 'D' => self.arithmetic(&name),
            _ if self.entropy.one_in(2) => self.arithmetic(&name),
            _ => {
                let op = *self.entropy.pick(&["&", "|", "^", "<<", ">>", ">>>"]);
                let value = *self.entropy.pick(&['B', 'C', 'I', 'J']);
                let value = self.expr(value, 2);
                self.line(&format!("{name} {op}= {value};"));
            }
        }
    }

    fn arithmetic(&mut self, name: &str) {
        let (op, letter) = (*self.entropy.pick(&["+", "-", "*", "/", "%"]), *self.entropy.pick(&NUMBERS));
        let value = self.expr(letter, 2);
        self.line(&format!("{name} {op}= {value};"));
    }

    fn step(&mut self) {
        let Some(var) = self.assignable(&NUMBERS) else { return self.check() };
        let op = *self.entropy.pick(&["++", "--"]);
        let text =
            if self.entropy.one_in(2) { format!("{op}{};", var.name) } else { format!("{}{op};", var.name) };
        self.line(&text);
    }

    /// Leaves the method, a loop or a switch, sometimes.
    fn jump(&mut self) {
        let on = self.expr('Z', 2);
        let labels: Vec<String> = self.inside.iter().flatten().cloned().collect();
        let text = match self.entropy.below(6) {
            0 | 1 if !labels.is_empty() => format!("continue {};", self.entropy.pick(&labels)),
            2 | 3 if !labels.is_empty() => format!("break {};", self.entropy.pick(&labels)),
            4 if !self.inside.is_empty() => "break;".to_owned(),
            _ if self.entropy.one_in(3) => format!("return {};", self.expr(self.result, 2)),
            _ => return self.check(),
        };
        self.line(&format!("if ({on}) {text}"));
    }

    fn branch(&mut self, depth: usize) {
        let on = self.expr('Z', 3);
        self.line(&format!("if ({on}) {{"));
        self.block(depth);
        if self.entropy.one_in(2) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    /// The body of a loop, which `label` names.
    fn looped(&mut self, label: &str, depth: usize) {
        self.inside.push(Some(label.to_owned()));
        self.block(depth);
        self.inside.pop();
    }

    fn counted(&mut self, depth: usize) {
        let (name, label, times) = (self.name("k"), self.name("loop"), 2 + self.entropy.below(5));
        let (letter, head) = match self.entropy.below(4) {
            0 => ('J', format!("long {name} = {times}; {name} > 0 && fuel-- > 0; {name}--")),
            1 => ('B', format!("byte {name} = 0; {name} < {times} && fuel-- > 0; {name} += 2")),
            _ => ('I', format!("int {name} = 0; {name} < {times} && fuel-- > 0; {name}++")),
        };
        self.line(&format!("{label}: for ({head}) {{"));
        let outer = self.vars.len();
        self.declare(&name, letter, Use::Counter);
        self.looped(&label, depth);
        self.vars.truncate(outer);
        self.line("}");
    }

    fn repeated(&mut self, depth: usize) {
        let (name, label, times) = (self.name("k"), self.name("loop"), 1 + self.entropy.below(6));
        self.line(&format!("int {name} = {times};"));
        self.declare(&name, 'I', Use::Counter);
        if self.entropy.one_in(2) {
            self.line(&format!("{label}: while ({name}-- > 0 && fuel-- > 0) {{"));
            self.looped(&label, depth);
            self.line("}");
        } else {
            self.line(&format!("{label}: do {{"));
            self.looped(&label, depth);
            self.line(&format!("}} while (--{name} > 0 && fuel-- > 0);"));
        }
    }

    fn each(&mut self, depth: usize) {
        let (letter, all) = *self.entropy.pick(EACH);
        let (name, label, all) = (self.name("e"), self.name("loop"), self.fill(all, 2));
        self.line(&format!("{label}: for ({} {name} : {all}) {{", ty(letter).name));
        self.line("    if (fuel-- <= 0) break;");
        let outer = self.vars.len();
        self.declare(&name, letter, Use::Local);
        self.looped(&label, depth);
        self.vars.truncate(outer);
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let (on, labels) = *self.entropy.pick(SWITCHES);
        let (on, arrows) = (self.fill(on, 2), self.entropy.one_in(3));
        self.line(&format!("switch ({on}) {{"));
        self.inside.push(None);
        let mut arms: Vec<String> = labels.iter().map(|label| format!("case {label}")).collect();
        arms.retain(|_| !self.entropy.one_in(4));
        arms.push("default".to_owned());
        for arm in arms {
            self.line(&format!("{arm} {} {{", if arrows { "->" } else { ":" }));
            self.block(depth);
            // Without it, the next one goes on.
            let leaves = !arrows && !self.entropy.one_in(3);
            self.line(if leaves { "} break;" } else { "}" });
        }
        self.inside.pop();
        self.line("}");
    }

    /// `try`, with a resource, with what is caught, with `finally`.
    pub(super) fn guarded(&mut self, depth: usize) {
        let resource =
            if self.entropy.one_in(4) { self.fill("(Door $_ = new Door($I)) ", 2) } else { String::new() };
        self.line(&format!("try {resource}{{"));
        let checked = self.entropy.one_in(4);
        if checked {
            let text = self.fill("    toss($I);", 2);
            self.line(&text);
        }
        self.block(depth);
        let mut caught: Vec<&str> = CATCHES.iter().copied().filter(|_| self.entropy.one_in(3)).collect();
        if checked {
            caught.insert(0, "Trouble");
        }
        if !self.entropy.one_in(3) {
            caught.push("RuntimeException");
        }
        let finally = caught.is_empty() || self.entropy.one_in(3);
        for class in caught {
            self.given += 1;
            let place = self.given;
            self.line(&format!("}} catch ({class} x{place}) {{"));
            self.line(&format!("    sum.caught({place}, x{place});"));
            self.block(depth);
        }
        if finally {
            self.line("} finally {");
            self.block(depth);
        }
        self.line("}");
    }

    fn locked(&mut self, depth: usize) {
        let on = self.fill("$i", 1);
        self.line(&format!("synchronized ({on}) {{"));
        self.block(depth);
        self.line("}");
    }
}
