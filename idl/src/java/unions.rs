//! Unions: a sealed interface each, with a record for each arm.
//!
//! An arm with one label is a record of its value; one with several, or the default, has the discriminant before it.

use super::Java;
use super::code::File;
use super::names::{Scope, camel};
use super::types::Component;
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
        let value: Component<'_> = ("value".to_owned(), &arm.ty);
        let labels = |labels: &[i64], file: &mut File<'_>| -> String {
            let labels: Vec<String> =
                labels.iter().map(|label| self.label(file, &new.switch, *label)).collect();
            labels.join(", ")
        };
        let tail = format!(" implements {of}");
        let doc = format!("The arm {{@code {}}}.", arm.name);
        if let [label] = &arm.labels[..] {
            file.doc("", &doc, &self.tags(std::slice::from_ref(&value)));
            self.record(file, head, &tail, std::slice::from_ref(&value));
            let (switch, mark) = (self.ty(file, &new.switch), file.library("java.lang.Override"));
            let label = self.value(file, &new.switch, &Value::Word(label.cast_unsigned()));
            if !file.is_at_start() {
                file.blank();
            }
            file.line(&format!("@{mark}"));
            file.open(&format!("public {switch} discriminant() {{"));
            file.line(&format!("return {label};"));
            file.close("}");
            return file.close("}");
        }
        let others: Vec<i64> = new.arms.iter().flat_map(|arm| arm.labels.iter().copied()).collect();
        let is_default = arm.labels.is_empty();
        let function = if is_default { "noneOf" } else { "oneOf" };
        let listed = labels(if is_default { &others } else { &arm.labels }, file);
        let bounds = file.library("carnet.Bounds");
        let list = file.library("java.util.List");
        let components = [("discriminant".to_owned(), &new.switch), value];
        file.doc("", &doc, &self.tags(&components));
        let params = self.params(file, &components);
        file.call(head, &params, &format!("{tail} {{"));
        file.right();
        let mut checks: Vec<String> =
            components.iter().filter_map(|(name, ty)| self.check(file, name, ty)).collect();
        checks.push(format!("{bounds}.{function}(discriminant, {list}.of({listed}));"));
        self.constructor(file, head.trim_start_matches("record "), &checks);
        file.close("}");
    }
}
