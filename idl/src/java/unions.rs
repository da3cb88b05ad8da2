//! Unions: a sealed interface each, with a record for each arm.
//!
//! An arm with one label is a record of its value; one with several, or the default, has the discriminant before it.

use super::Java;
use super::code::File;
use crate::backend::{Scope, camel};
use crate::descriptor::{Arm, Union, Value};

impl Java<'_> {
    pub(super) fn union(&self, index: usize, new: &Union) -> (String, String) {
        let class = &self.names.unions[index];
        let mut taken = Scope::default();
        // A class may not have the name of one that it stands in.
        taken.reserve(&class.name);
        let arms: Vec<String> = new.arms.iter().map(|arm| taken.take(&camel(&arm.name))).collect();
        let mut file = self.file(class, &arms);
        file.doc(&new.doc, &format!("The union {{@code {}}}.", new.name), &[]);
        file.open(&format!("public sealed interface {} {{", class.name));
        let words = self.words(&new.switch);
        file.doc("", "What says which arm it is.", &[format!("@return {words}")]);
        let switch = self.ty(&mut file, &new.switch);
        file.line(&format!("{switch} discriminant();"));
        for (arm, name) in new.arms.iter().zip(&arms) {
            file.blank();
            self.arm(&mut file, new, arm, &format!("record {name}"), &class.name);
        }
        file.close("}");
        file.finish()
    }

    fn arm(&self, file: &mut File<'_>, new: &Union, arm: &Arm, head: &str, of: &str) {
        match &arm.labels[..] {
            [label] => self.single(file, new, (arm, *label), head, of),
            labels => self.several(file, new, (arm, labels), head, of),
        }
        file.close("}");
    }

    fn single(&self, file: &mut File<'_>, new: &Union, (arm, label): (&Arm, i64), head: &str, of: &str) {
        let components = [("value".to_owned(), &arm.ty)];
        file.doc("", &format!("The arm {{@code {}}}.", arm.name), &self.tags(&components));
        self.record(file, head, &format!(" implements {of}"), &components);
        let (switch, mark) = (self.ty(file, &new.switch), file.imported("java.lang.Override"));
        let label = self.value(file, &new.switch, &Value::Word(label.cast_unsigned()));
        if !file.is_at_start() {
            file.blank();
        }
        file.line(&format!("@{mark}"));
        file.open(&format!("public {switch} discriminant() {{"));
        file.line(&format!("return {label};"));
        file.close("}");
    }

    fn several(&self, file: &mut File<'_>, new: &Union, (arm, own): (&Arm, &[i64]), head: &str, of: &str) {
        let components = [("discriminant".to_owned(), &new.switch), ("value".to_owned(), &arm.ty)];
        file.doc("", &format!("The arm {{@code {}}}.", arm.name), &self.tags(&components));
        let params = self.params(file, &components);
        file.call(head, &params, &format!(" implements {of} {{"));
        file.indent();
        let mut checks: Vec<String> =
            components.iter().filter_map(|(name, ty)| self.check(file, name, ty)).collect();
        let all: Vec<i64> = new.arms.iter().flat_map(|arm| arm.labels.iter().copied()).collect();
        let (is_default, bounds) = (own.is_empty(), file.imported("carnet.Bounds"));
        let function = if is_default { "noneOf" } else { "oneOf" };
        let labels = if is_default { &all } else { own };
        let labels: Vec<String> = labels.iter().map(|label| self.label(file, &new.switch, *label)).collect();
        let list = file.imported("java.util.List");
        checks.push(format!("{bounds}.{function}(discriminant, {list}.of({}));", labels.join(", ")));
        self.constructor(file, head.trim_start_matches("record "), &checks);
    }
}
