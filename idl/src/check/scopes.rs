//! What a name stands for where it is used (IDL 4.2, section 7.5): in the scope itself and the interfaces that it
//! inherits from, then in the scope around it, and so on. Of `A::B` only `A` is sought so.

use super::{Checker, Of, Wanted};
use crate::descriptor::Module;
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::syntax::{DefinitionKind, Path, ScopeId, ScopeKind};

impl Checker<'_> {
    /// The definition that `path` names in `scope`.
    pub(super) fn find(&self, path: &Path, scope: ScopeId) -> Option<usize> {
        let (last, before) = path.parts.split_last()?;
        if path.is_absolute {
            return self.descend(ScopeId::FILES, before, &last.text);
        }
        let mut scope = scope;
        loop {
            let found = match before.split_first() {
                None => self.member(scope, &last.text),
                Some((first, rest)) => match self.scope_in(scope, &first.text) {
                    // What is found nearest hides what is farther.
                    Some(inner) => return self.descend(inner, rest, &last.text),
                    None => None,
                },
            };
            if found.is_some() || scope == ScopeId::FILES {
                return found;
            }
            scope = self.tree.scopes[scope.0].within;
        }
    }

    fn descend(&self, scope: ScopeId, through: &[crate::syntax::Name], last: &str) -> Option<usize> {
        let inner = through.iter().try_fold(scope, |scope, name| self.scope_in(scope, &name.text))?;
        self.member(inner, last)
    }

    /// A definition in a scope or in what it inherits from.
    fn member(&self, scope: ScopeId, name: &str) -> Option<usize> {
        self.with_bases(scope).find_map(|scope| self.names.get(&(scope, name)).copied())
    }

    fn scope_in(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        self.with_bases(scope).find_map(|scope| self.scopes.get(&(scope, name)).copied())
    }

    fn with_bases(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.base_scopes.get(scope).copied())
    }

    /// Finds what interfaces inherit from. A base stands before what inherits from it, so there are no circles.
    pub(super) fn bases(&mut self) {
        let mut depths = vec![0_usize; self.tree.definitions.len()];
        for (index, definition) in self.tree.definitions.iter().enumerate() {
            let DefinitionKind::Interface { base: Some(path), scope, .. } = &definition.kind else {
                continue;
            };
            let found = self.find(path, definition.scope).filter(|found| *found < index);
            let Some(found) = found else {
                self.unknown(path, "unknown-interface", Wanted::Interface);
                continue;
            };
            let DefinitionKind::Interface { scope: base, .. } = &self.tree.definitions[found].kind else {
                let message = format!("`{}` is no interface", path.text());
                let noun = self.tree.definitions[found].kind.noun();
                let fault = Diagnostic::error("not-an-interface", path.span, message);
                self.faults.push(fault.label(format!("found {noun}, expected an interface")));
                continue;
            };
            depths[index] = depths[found] + 1;
            if depths[index] > limits::DEPTH_MAX {
                let fault =
                    Diagnostic::error("depth", path.span, "too many interfaces inherit from each other");
                self.faults.push(fault.label(format!("expected at most {} levels", limits::DEPTH_MAX)));
                continue;
            }
            self.base_scopes.insert(*scope, *base);
            let (number, base) = (self.interfaces[&index], self.interfaces[&found]);
            self.module.interfaces[number.index()].base = Some(base);
        }
    }

    /// Name, version and documentation of the modules that are wanted; reports annotations of all.
    pub(super) fn heads(&mut self, of: &Of<'_>) -> Vec<Module> {
        let (mut heads, mut named) = (vec![], 0);
        for scope in self.tree.scopes.iter().filter(|scope| scope.kind == ScopeKind::Module) {
            if scope.within != ScopeId::FILES {
                self.misplaced(&scope.lead.annotations, "a module within another");
                continue;
            }
            let mut head = super::project::empty(scope.name.text.clone());
            head.doc.clone_from(&scope.lead.doc);
            self.module_annotations(&scope.lead.annotations, &mut head);
            let is_wanted = match of {
                Of::Named => scope.is_named,
                Of::Included(names) => !scope.is_named && names.contains(&head.name.as_str()),
            };
            heads.extend(is_wanted.then_some(head));
            named += usize::from(scope.is_named);
            if named > limits::MODULES_MAX {
                let fault =
                    super::too_many(named, limits::MODULES_MAX, scope.name.span, "modules in one file");
                self.faults.push(fault);
                return vec![];
            }
        }
        heads
    }
}
