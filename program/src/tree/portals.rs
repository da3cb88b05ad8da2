//! Types that portals are in, and where.

use super::{Expr, ExprKind, InterfaceId, Tree, Ty};

impl Ty {
    /// Interface and capacity, if it is a list of portals.
    #[must_use]
    pub fn portals(&self) -> Option<(InterfaceId, u32)> {
        let Ty::List(of, most) = self else { return None };
        if let Ty::Portal(id) = **of { Some((id, *most)) } else { None }
    }

    /// Whether it is a list of portals.
    #[must_use]
    pub fn is_of_portals(&self) -> bool {
        self.portals().is_some()
    }
}

impl Tree {
    /// Whether it is a portal, or a record that holds one.
    #[must_use]
    pub fn holds_portals(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Portal(_) => true,
            Ty::Record(id) => self.records[id.index()].fields.iter().any(|(_, ty)| self.holds_portals(ty)),
            _ => false,
        }
    }

    /// Whether it is a list of portals, or of structs that hold some.
    #[must_use]
    pub fn lists_portals(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::List(of, _) if self.holds_portals(of))
    }

    /// Whether it is a list of structs that hold portals. Of a list of portals the registers themselves are passed.
    #[must_use]
    pub fn lists_structs(&self, ty: &Ty) -> bool {
        self.lists_portals(ty) && !ty.is_of_portals()
    }

    /// The words of an element that are portals, and how many elements there may be, of a list that [has some](Tree::lists_portals).
    #[must_use]
    pub fn listed_words(&self, ty: &Ty) -> Option<(Vec<(u16, InterfaceId)>, u32)> {
        let Ty::List(of, most) = ty else { return None };
        let words = self.portal_words(of);
        (!words.is_empty()).then_some((words, *most))
    }

    /// The words of a value that are portals: which, and of what interface.
    #[must_use]
    pub fn portal_words(&self, ty: &Ty) -> Vec<(u16, InterfaceId)> {
        fn find(tree: &Tree, ty: &Ty, at: &mut u16, found: &mut Vec<(u16, InterfaceId)>) {
            match ty {
                Ty::Record(id) => {
                    let fields = tree.records[id.index()].fields.iter();
                    return fields.for_each(|(_, ty)| find(tree, ty, at, found));
                }
                Ty::Portal(id) => found.push((*at, *id)),
                _ => {}
            }
            *at += 1;
        }
        let mut found = Vec::new();
        find(self, ty, &mut 0, &mut found);
        found
    }

    /// The interface of the portal that a field is of an element of a list, or of what such an element holds.
    #[must_use]
    pub fn portal_field(&self, expr: &Expr) -> Option<InterfaceId> {
        match (&expr.kind, self.type_of_element(expr)?) {
            (ExprKind::Field(..), Ty::Portal(id)) => Some(*id),
            _ => None,
        }
    }

    fn type_of_element(&self, expr: &Expr) -> Option<&Ty> {
        match &expr.kind {
            ExprKind::Var(var) => Some(&self.vars[var.index()].ty),
            ExprKind::Index(list, _) => match &self.vars[list.index()].ty {
                Ty::List(of, _) => Some(of),
                _ => None,
            },
            ExprKind::Field(of, field) => match self.type_of_element(of)? {
                Ty::Record(id) => Some(self.field(*id, *field).1),
                _ => None,
            },
            _ => None,
        }
    }
}
