//! Unions that a call gives back, and lists within other values: what is there is held against the interface before the program sees it.
//!
//! In a program a union is what it is in a message, its discriminant and words that its arms share: integers of 64 bits, and bytes. So
//! nothing that moves words knows of unions, and reading one as an arm has it is an instruction of its own
//! ([`Op::As`](crate::bytecode::Op::As)), which looks whether it can be. A list within another value is [bytes](crate::packed) in the same way. Sessions and relays see these words alone: that the discriminant is
//! one, and that the words are what its arm says, only who knows the interface can tell.

use carnet_idl::descriptor::{Mode, Module, Operation, Type, UnionId, Word};
use carnet_portal::call::{Area, Areas, Failure, Ref};

use crate::bytecode::PORTALS_MAX;
use crate::float::Precision;
use crate::import::range;
use crate::packed;
use crate::verify::BoundOp;

/// Whether unions, lists within other values, or lists of portals are among what an operation gives back.
pub(crate) fn are_given(module: &Module, operation: &Operation) -> bool {
    given(operation).any(|ty| module.has_union_or_list(element_of(ty)) || lists_portals(module, ty))
}

/// Whether it is a list of portals, or of values that hold some.
fn lists_portals(module: &Module, ty: &Type) -> bool {
    matches!(ty, Type::List { .. }) && module.holds_portals(ty)
}

/// What of these is among what it takes or gives back, for a message.
pub(crate) fn are_in(module: &Module, operation: &Operation) -> Option<&'static str> {
    let params = operation.params.iter().map(|param| &param.ty);
    let mut found = params.chain(&operation.result).filter_map(|ty| match ty {
        ty if lists_portals(module, ty) => Some("a list of portals"),
        ty if !module.has_union_or_list(element_of(ty)) => None,
        ty if module.has_union(ty) => Some("a union"),
        _ => Some("a list within another value"),
    });
    found.next()
}

/// What of a parameter or result is a part: of a list its elements, since that is no bytes.
fn element_of(ty: &Type) -> &Type {
    match ty {
        Type::List { of, .. } => of,
        ty => ty,
    }
}

/// What comes back, in the order of the message.
fn given(operation: &Operation) -> impl Iterator<Item = &Type> {
    let of = |mode| operation.params.iter().filter(move |param| param.mode == mode).map(|param| &param.ty);
    of(Mode::InOut).chain(&operation.result).chain(of(Mode::Out))
}

/// Whether all unions and lists of a reply are ones of their interface.
///
/// # Errors
/// The service broke it.
pub(crate) fn fit(op: &BoundOp, reply: &[u64], areas: &Areas) -> Result<(), Failure> {
    let mut at = 0;
    for ty in given(op.operation) {
        let within = Within { module: op.module, data: Data::Areas(areas) };
        let value = match ty {
            Type::List { of, max } if op.module.holds_portals(of) => {
                let list = reply.get(at).and_then(|word| areas.list.get(Ref(*word).area()));
                let elements = within.elements(of, reply, &mut at);
                let found = list.map_or(0, |list| list.words.len() / op.module.word_count(of).max(1));
                if found <= *max as usize && found > PORTALS_MAX as usize {
                    let most = format!("{found} portals in a list, a program takes at most {PORTALS_MAX}");
                    return Err(Failure::service(&format!("{} gave back {most}", op.name())));
                }
                list.filter(|_| found <= *max as usize).and(elements)
            }
            Type::List { of, .. } => within.elements(of, reply, &mut at),
            ty => within.value(ty, reply, &mut at),
        };
        if value.is_none() {
            let what = if op.module.has_union(ty) { "union" } else { "list" };
            let message = format!("{} gave back a {what} that its interface does not have", op.name());
            return Err(Failure::service(&message));
        }
    }
    Ok(())
}

/// Makes unions of results of zeros. Those that go both ways have the arm that was sent.
pub(crate) fn pretend(op: &BoundOp, results: &mut [u64]) {
    let mut at = 0;
    let outs = op.operation.params.iter().filter(|param| param.mode == Mode::Out).map(|param| &param.ty);
    op.operation.result.iter().chain(outs).for_each(|ty| pretended(op.module, ty, results, &mut at));
}

fn pretended(module: &Module, ty: &Type, words: &mut [u64], at: &mut usize) {
    match ty {
        Type::Struct(id) => {
            module.structs[id.index()]
                .fields
                .iter()
                .for_each(|field| pretended(module, &field.ty, words, at));
        }
        Type::Array { of, len } if ty.octets().is_none() => {
            (0..*len).for_each(|_| pretended(module, of, words, at));
        }
        Type::Union(id) => {
            if let Some(case) = words.get_mut(*at) {
                *case = module.unions[id.index()].first_case().cast_unsigned();
            }
            *at += module.word_count(ty);
        }
        _ => *at += 1,
    }
}

/// What words refer to.
#[derive(Clone, Copy)]
enum Data<'a> {
    Areas(&'a Areas),
    /// Those of a list.
    List(&'a Area),
}

#[derive(Clone, Copy)]
struct Within<'a> {
    module: &'a Module,
    data: Data<'a>,
}

impl<'a> Within<'a> {
    /// Goes over the elements of a list that is a parameter or result.
    fn elements(self, of: &Type, words: &[u64], at: &mut usize) -> Option<()> {
        let word = *words.get(*at)?;
        *at += 1;
        if self.module.has_union_or_list(of) { self.list(of, word) } else { Some(()) }
    }

    /// Goes over a value whose words begin at `at`; nothing if a union or list in it is none.
    fn value(self, ty: &Type, words: &[u64], at: &mut usize) -> Option<()> {
        match ty {
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                fields.iter().try_for_each(|field| self.value(&field.ty, words, at))
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                (0..*len).try_for_each(|_| self.value(of, words, at))
            }
            Type::List { of, max } => {
                let word = *words.get(*at)?;
                *at += 1;
                self.packed(of, *max, self.text(word)?)
            }
            Type::Union(_) => {
                let count = self.module.word_count(ty);
                let mut words = words.get(*at..*at + count)?;
                *at += count;
                self.whole(ty, &mut words)
            }
            _ => {
                *at += 1;
                Some(())
            }
        }
    }

    fn list(self, of: &Type, word: u64) -> Option<()> {
        let Data::Areas(areas) = self.data else { return None };
        let list = areas.list.get(Ref(word).area())?;
        let mut elements = list.words.chunks_exact(self.module.word_count(of));
        let within = Within { data: Data::List(list), ..self };
        elements.try_for_each(|words| within.value(of, words, &mut 0))
    }

    /// Whether the first of these words are a value, every part of it.
    fn whole(self, ty: &Type, words: &mut &[u64]) -> Option<()> {
        match ty {
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                fields.iter().try_for_each(|field| self.whole(&field.ty, words))
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                (0..*len).try_for_each(|_| self.whole(of, words))
            }
            Type::Union(id) => {
                let own = words.split_off(..self.module.word_count(ty))?;
                let (scalars, texts) = own.split_at(1 + self.module.unions[id.index()].shape.scalars);
                self.union(*id, scalars, texts)
            }
            ty => self.word(ty, *words.split_off_first()?),
        }
    }

    /// A union of these words, the discriminant first.
    fn union(self, id: UnionId, scalars: &[u64], texts: &[u64]) -> Option<()> {
        let of = &self.module.unions[id.index()];
        let (case, mut scalars) = scalars.split_first()?;
        self.scalar(&of.switch, *case)?;
        let arm = of.arm(case.cast_signed())?;
        let mut texts = texts;
        self.arm(&arm.ty, &mut scalars, &mut texts)
    }

    /// A value in an arm takes the first words that are left.
    fn arm(self, ty: &Type, scalars: &mut &[u64], texts: &mut &[u64]) -> Option<()> {
        match ty {
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                fields.iter().try_for_each(|field| self.arm(&field.ty, scalars, texts))
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                (0..*len).try_for_each(|_| self.arm(of, scalars, texts))
            }
            Type::Union(id) => {
                let shape = self.module.unions[id.index()].shape;
                let own = scalars.split_off(..=shape.scalars)?;
                self.union(*id, own, texts.split_off(..shape.references)?)
            }
            ty if ty.is_plain() => self.word(ty, *scalars.split_off_first()?),
            ty => self.word(ty, *texts.split_off_first()?),
        }
    }

    /// One word that is a value, or refers to one.
    fn word(self, ty: &Type, word: u64) -> Option<()> {
        match ty {
            Type::String { max } => {
                let text = self.text(word)?;
                (text.len() <= *max as usize && !text.contains(&0)).then_some(())
            }
            Type::Bytes { max } => (self.text(word)?.len() <= *max as usize).then_some(()),
            Type::Array { len, .. } => (self.text(word)?.len() == *len as usize).then_some(()),
            Type::List { of, max } => self.packed(of, *max, self.text(word)?),
            ty => self.scalar(ty, word),
        }
    }

    /// A list within another value. What is in its elements nobody else has looked at.
    fn packed(self, of: &Type, max: u32, bytes: &[u8]) -> Option<()> {
        let mut words = Vec::new();
        self.module.flatten_part(of, &mut words);
        let is_text = |k: usize| matches!(words[k % words.len()], Word::String { .. } | Word::Bytes { .. });
        let list = packed::opened(bytes, words.len(), is_text)?;
        let mut elements = list.words.chunks_exact(words.len());
        if elements.len() > max as usize {
            return None;
        }
        let within = Within { data: Data::List(&list), ..self };
        elements.try_for_each(|mut words| within.whole(of, &mut words))
    }

    fn text(self, word: u64) -> Option<&'a [u8]> {
        let r = Ref(word);
        let area = match self.data {
            Data::Areas(areas) => areas.list.get(r.area())?,
            Data::List(list) => list,
        };
        area.bytes.get(r.offset()..r.offset() + r.len())
    }

    fn scalar(self, ty: &Type, word: u64) -> Option<()> {
        let fits = match *ty {
            Type::Bool => word <= 1,
            Type::Char | Type::Int { .. } => {
                range(ty).is_none_or(|(least, greatest)| (least..=greatest).contains(&word.cast_signed()))
            }
            Type::Float { bits } => Precision::of_bits(bits).holds(word),
            Type::Enum(id) => word < self.module.enums[id.index()].values.len() as u64,
            _ => false,
        };
        fits.then_some(())
    }
}
