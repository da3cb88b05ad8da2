//! What the verifier knows of the class that it looks at, and of others.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::class::{ClassFile, PoolIndex, flags, shown};
use crate::descriptor;
use crate::fault::Rule;
use crate::hierarchy::{Declared, Hierarchy, Outline};

use super::types::{CLONEABLE, Component, NameId, Names, OBJECT, SERIALIZABLE, Type};

/// A class has no more superclasses; what has more, or itself, is refused.
const SUPERS_MAX: usize = 1024;

/// Steps that may be taken for each byte of the file, and for any file.
const STEPS_EACH_BYTE: u64 = 256;
const STEPS_ANY: u64 = 1 << 20;

/// Work of which the hierarchy is not told yet.
const UNTOLD_MAX: usize = 1 << 16;

/// A broken rule, whose place the caller knows.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) rule: Rule,
    pub(super) found: String,
    pub(super) expected: String,
}

pub(super) type Checked<T = ()> = Result<T, Box<Broken>>;

/// A rule is broken.
pub(super) fn broken<T>(rule: Rule, found: impl Into<String>, expected: impl Into<String>) -> Checked<T> {
    Err(Box::new(Broken { rule, found: found.into(), expected: expected.into() }))
}

/// The types of a method's parameters and result, or of a field (as result), in slots.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) parameters: Box<[Type]>,
    pub(super) result: Box<[Type]>,
}

pub(super) struct Context<'a, 'h> {
    pub(super) class: &'h ClassFile<'a>,
    hierarchy: &'h dyn Hierarchy,
    pub(super) names: Names<'a>,
    /// This class.
    pub(super) this: NameId,
    own: Option<Arc<Outline>>,
    /// The superclasses, from the direct one on, once asked for.
    supers: Option<Rc<[Arc<Outline>]>>,
    /// Numbers of Class constants, by index.
    classes: Vec<Option<NameId>>,
    /// Signatures of NameAndType constants, by index.
    signatures: Vec<Option<Rc<Signature>>>,
    /// What was answered already: whether the first is assignable to the second.
    answers: HashMap<(NameId, NameId), bool>,
    /// Steps that are left.
    steps: u64,
    /// What was done since the hierarchy was told.
    untold: usize,
}

impl<'a, 'h> Context<'a, 'h> {
    pub(super) fn new(class: &'h ClassFile<'a>, hierarchy: &'h dyn Hierarchy) -> Context<'a, 'h> {
        let mut names = Names::new();
        let this = names.id(Cow::Borrowed(class.name()));
        let count = class.pool.count();
        Context {
            class,
            hierarchy,
            names,
            this,
            own: None,
            supers: None,
            classes: vec![None; count],
            signatures: vec![None; count],
            answers: HashMap::new(),
            steps: STEPS_ANY + STEPS_EACH_BYTE * class.bytes as u64,
            untold: 0,
        }
    }

    /// Something is done: it is told from time to time.
    pub(super) fn work(&mut self, count: usize) -> Checked {
        self.untold += count;
        if self.untold < UNTOLD_MAX || self.hierarchy.goes_on(std::mem::take(&mut self.untold)) {
            return Ok(());
        }
        broken(Rule::Stopped, "more work than was to be done", "a verdict at another time")
    }

    /// What was done and not told yet.
    pub(super) fn tell(&mut self) {
        self.hierarchy.goes_on(std::mem::take(&mut self.untold));
    }

    /// Takes steps. What is done once for each byte of the file needs none.
    pub(super) fn step(&mut self, count: usize) -> Checked {
        match self.steps.checked_sub(count as u64) {
            Some(rest) => {
                self.steps = rest;
                self.work(count)
            }
            None => broken(
                Rule::Effort,
                "types that take long to compare",
                format!("at most {STEPS_EACH_BYTE} comparisons for each byte of the file"),
            ),
        }
    }

    /// The class or array type at an index.
    pub(super) fn class_at(&mut self, at: PoolIndex) -> Checked<NameId> {
        if let Some(Some(id)) = self.classes.get(usize::from(at.0)) {
            return Ok(*id);
        }
        let Some(name) = self.class.pool.class(at) else {
            return self.constant(at, "a Class");
        };
        let id = self.names.id(Cow::Borrowed(name));
        self.classes[usize::from(at.0)] = Some(id);
        Ok(id)
    }

    /// A constant is of the wrong kind.
    pub(super) fn constant<T>(&self, at: PoolIndex, expected: &str) -> Checked<T> {
        broken(Rule::Operand, format!("#{} {}", at.0, self.class.pool.get(at).kind()), expected)
    }

    /// Name, descriptor and types at an index of a NameAndType.
    pub(super) fn typed(&mut self, at: PoolIndex) -> Checked<(&'a [u8], &'a [u8], Rc<Signature>)> {
        let Some((name, text)) = self.class.pool.name_and_type(at) else {
            return self.constant(at, "a NameAndType");
        };
        if let Some(Some(signature)) = self.signatures.get(usize::from(at.0)) {
            return Ok((name, text, Rc::clone(signature)));
        }
        let signature = Rc::new(self.signature(text)?);
        self.signatures[usize::from(at.0)] = Some(Rc::clone(&signature));
        Ok((name, text, signature))
    }

    /// The types of a descriptor.
    pub(super) fn signature(&mut self, text: &'a [u8]) -> Checked<Signature> {
        let (mut parameters, mut result) = (Vec::new(), Vec::new());
        if text.first() == Some(&b'(') {
            let Some(method) = descriptor::method(text) else {
                return broken(Rule::Descriptor, shown(text), "the descriptor of a method");
            };
            method.parameters.iter().for_each(|parameter| self.names.push(parameter, &mut parameters));
            self.names.push(method.result, &mut result);
        } else {
            self.names.push(text, &mut result);
        }
        Ok(Signature { parameters: parameters.into(), result: result.into() })
    }

    /// What is known of a class.
    pub(super) fn outline(&mut self, name: &[u8]) -> Checked<Arc<Outline>> {
        if name == self.class.name() {
            return Ok(Arc::clone(self.own.get_or_insert_with(|| Arc::new(Outline::of(self.class)))));
        }
        match self.hierarchy.outline(name) {
            Ok(outline) => Ok(outline),
            Err(absent) => broken(Rule::Missing, absent.to_string(), "a class that can be read"),
        }
    }

    /// The superclasses, from the direct one on.
    pub(super) fn supers(&mut self) -> Checked<Rc<[Arc<Outline>]>> {
        if let Some(supers) = &self.supers {
            return Ok(Rc::clone(supers));
        }
        let mut list: Vec<Arc<Outline>> = Vec::new();
        let mut next = self.class.super_name().map(Box::from);
        while let Some(name) = next.take() {
            let outline = self.outline(&name)?;
            self.climb(list.len())?;
            next.clone_from(&outline.super_class);
            list.push(outline);
        }
        let list: Rc<[Arc<Outline>]> = list.into();
        self.supers = Some(Rc::clone(&list));
        Ok(list)
    }

    /// One superclass further up.
    fn climb(&mut self, so_far: usize) -> Checked {
        self.step(1)?;
        if so_far < SUPERS_MAX {
            return Ok(());
        }
        broken(
            Rule::Superclass,
            format!("more than {SUPERS_MAX} superclasses"),
            "a class that is not its own superclass",
        )
    }

    /// Whether a value of one type may be where another is expected (JVMS 4.10.1.2).
    pub(super) fn assignable(&mut self, from: Type, to: Type) -> Checked<bool> {
        match (from, to) {
            _ if from == to => Ok(true),
            (_, Type::Top) | (Type::Null, Type::Object(_)) => Ok(true),
            (Type::Object(from), Type::Object(to)) => self.reference_assignable(from, to),
            _ => Ok(false),
        }
    }

    fn reference_assignable(&mut self, from: NameId, to: NameId) -> Checked<bool> {
        if from == to || to == OBJECT {
            return Ok(true);
        }
        if let Some(answer) = self.answers.get(&(from, to)) {
            return Ok(*answer);
        }
        let answer = match (self.names.is_array(from), self.names.is_array(to)) {
            (true, true) => match (self.names.component(from), self.names.component(to)) {
                (Some(Component::Reference(from)), Some(Component::Reference(to))) => {
                    self.reference_assignable(from, to)?
                }
                // Equal ones were found equal above.
                _ => false,
            },
            (true, false) => matches!(to, CLONEABLE | SERIALIZABLE),
            (false, true) => false,
            (false, false) => self.class_assignable(from, to)?,
        };
        self.answers.insert((from, to), answer);
        Ok(answer)
    }

    /// An interface is treated like Object; else it is a matter of superclasses.
    fn class_assignable(&mut self, from: NameId, to: NameId) -> Checked<bool> {
        let to: Box<[u8]> = self.names.text(to).into();
        if self.outline(&to)?.is_interface() {
            return Ok(true);
        }
        let mut name: Box<[u8]> = self.names.text(from).into();
        for climbed in 0.. {
            self.climb(climbed)?;
            let outline = self.outline(&name)?;
            match &outline.super_class {
                Some(above) if *above == to => return Ok(true),
                Some(above) => name.clone_from(above),
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Whether a member of `of` is protected and of another package, so that it may be used on objects of this class
    /// only (JVMS 4.10.1.8). That is asked of superclasses only; of all others, access is decided when they are linked.
    pub(super) fn is_protected_elsewhere(
        &mut self,
        of: NameId,
        find: impl Fn(&Outline) -> Option<&Declared>,
    ) -> Checked<bool> {
        let supers = self.supers()?;
        let of = self.names.text(of);
        let Some(first) = supers.iter().position(|outline| *outline.name == *of) else { return Ok(false) };
        let holder = supers[first..].iter().find_map(|outline| find(outline).map(|member| (outline, member)));
        Ok(holder.is_some_and(|(outline, member)| {
            member.has(flags::PROTECTED)
                && descriptor::package(&outline.name) != descriptor::package(self.class.name())
        }))
    }
}
