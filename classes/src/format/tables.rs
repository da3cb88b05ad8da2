//! Attributes of Code: the tables for debuggers (JVMS 4.7.12 to 4.7.14). Frames are the verifier's.

use crate::bytes::{Cursor, Short};
use crate::class::{Attribute, Code, PoolIndex, shown};
use crate::descriptor;
use crate::fault::Rule;

use super::{Checker, Spot};

/// A row of a LocalVariableTable or LocalVariableTypeTable: start, length, name, slot, so that rows can be sorted.
type Variable = (u16, u16, PoolIndex, u16);

impl<'a> Checker<'a, '_> {
    pub(super) fn code_attributes(&mut self, code: &Code<'a>, place: Spot<'a>) {
        let (mut frames, mut variables, mut generic) = (0, Vec::new(), Vec::new());
        for attribute in &code.attributes {
            let Some(name) = self.text(place, attribute.name, "an attribute's name") else { continue };
            let read = match name {
                b"StackMapTable" => {
                    frames += 1;
                    Ok(true)
                }
                b"LineNumberTable" => self.lines(attribute, code, place),
                b"LocalVariableTable" => {
                    self.variables(attribute, code, place, &mut variables, Self::slots_of_descriptor)
                }
                b"LocalVariableTypeTable" => {
                    self.variables(attribute, code, place, &mut generic, Self::slots_of_signature)
                }
                _ => continue,
            };
            if read != Ok(true) {
                let found = format!("{} of {} bytes", shown(name), attribute.content.len());
                self.fault(place, Rule::Attribute, found, "one that is used up exactly");
            }
        }
        if frames > 1 {
            self.fault(place, Rule::Duplicate, "StackMapTable twice", "one StackMapTable");
        }
        // As HotSpot, which asks nothing of generic types where there is no table that they add to.
        if variables.is_empty() {
            return;
        }
        for list in [&mut variables, &mut generic] {
            list.sort_unstable();
            if list.windows(2).any(|pair| pair[0] == pair[1]) {
                self.fault(place, Rule::Duplicate, "a variable twice", "each variable once");
            }
        }
        if let Some(variable) = generic.iter().find(|variable| variables.binary_search(variable).is_err()) {
            let found = format!("a generic type of a variable from {} on", variable.0);
            self.fault(place, Rule::Attribute, found, "the same variable in LocalVariableTable");
        }
    }

    fn lines(&mut self, table: &Attribute<'a>, code: &Code<'a>, place: Spot<'a>) -> Result<bool, Short> {
        let mut cursor = Cursor::new(table.content);
        for _ in 0..cursor.u16()? {
            let (start, _line) = (cursor.u16()?, cursor.u16()?);
            if usize::from(start) >= code.bytes.len() {
                self.fault(place, Rule::Attribute, format!("a line at {start}"), "one within the code");
            }
        }
        Ok(cursor.is_empty())
    }

    /// Rows of variables. `slots` looks at what a row says of the variable beside its name, and tells how many slots it takes.
    fn variables(
        &mut self,
        table: &Attribute<'a>,
        code: &Code<'a>,
        place: Spot<'a>,
        seen: &mut Vec<Variable>,
        slots: fn(&mut Self, Spot<'a>, PoolIndex) -> usize,
    ) -> Result<bool, Short> {
        let mut cursor = Cursor::new(table.content);
        for _ in 0..cursor.u16()? {
            let (variable, text) = self.variable(&mut cursor, code, place)?;
            if usize::from(variable.3) + slots(self, place, text) > usize::from(code.max_locals) {
                let found = format!("variable {} of {} slots", variable.3, code.max_locals);
                self.fault(place, Rule::LocalIndex, found, "a local variable");
            }
            seen.push(variable);
        }
        Ok(cursor.is_empty())
    }

    fn slots_of_descriptor(&mut self, place: Spot<'a>, text: PoolIndex) -> usize {
        let text = self.text(place, text, "a descriptor").unwrap_or(b"I");
        if !descriptor::is_field(text) {
            self.fault(place, Rule::Descriptor, shown(text), "the descriptor of a variable");
        }
        descriptor::slots(text)
    }

    /// A signature is generic: it is of an object.
    fn slots_of_signature(&mut self, place: Spot<'a>, text: PoolIndex) -> usize {
        self.text(place, text, "a signature");
        1
    }

    fn variable(
        &mut self,
        cursor: &mut Cursor<'a>,
        code: &Code<'a>,
        place: Spot<'a>,
    ) -> Result<(Variable, PoolIndex), Short> {
        let (start, length, name) = (cursor.u16()?, cursor.u16()?, PoolIndex(cursor.u16()?));
        let (text, slot) = (PoolIndex(cursor.u16()?), cursor.u16()?);
        let end = usize::from(start) + usize::from(length);
        if usize::from(start) >= code.bytes.len() || end > code.bytes.len() {
            let found = format!("a variable from {start} to {end}");
            self.fault(place, Rule::Attribute, found, format!("one within {} bytes", code.bytes.len()));
        }
        let name_text = self.text(place, name, "a variable's name");
        if let Some(name) = name_text.filter(|name| !descriptor::is_unqualified(name)) {
            self.fault(place, Rule::Name, shown(name), "the name of a variable");
        }
        Ok(((start, length, name, slot), text))
    }
}
