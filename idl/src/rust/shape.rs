//! Which word of a block belongs to which parameter, and how values become words and back.

use std::collections::HashSet;

use super::Rust;
use super::names::{Method, Trio, is_data, snake};
use crate::backend::Scope;
use crate::descriptor::{Interface, InterfaceId, Mode, Operation, Short, StructId, Type, Word};

/// An interface, ready to be written.
pub(super) struct Face<'a, 'n> {
    pub(super) id: InterfaceId,
    pub(super) interface: &'a Interface,
    pub(super) names: Trio<'n>,
    pub(super) base: Option<Trio<'n>>,
    /// Those that it does not inherit.
    pub(super) operations: Vec<Shape<'a>>,
}

/// An operation, ready to be written.
pub(super) struct Shape<'a> {
    pub(super) operation: &'a Operation,
    pub(super) number: usize,
    /// Type of what it raises, if it does.
    pub(super) raised: Option<String>,
    /// Name of the method.
    pub(super) method: String,
    /// Name of the client's method that fills buffers of the caller's, if there is one.
    pub(super) into: Option<String>,
    /// `Dir.open`, for messages.
    pub(super) title: String,
    /// Parameters and result, in the order of the message.
    pub(super) slots: Vec<Slot<'a>>,
    /// Words of the block.
    pub(super) words: usize,
}

/// A parameter or the result.
pub(super) struct Slot<'a> {
    /// Rust name; that of the result is `result`.
    pub(super) name: String,
    /// IDL name.
    pub(super) title: &'a str,
    pub(super) mode: Mode,
    pub(super) ty: &'a Type,
    /// Its first word in the block.
    pub(super) word: usize,
    /// Whether it holds portals.
    pub(super) has_portal: bool,
    /// Name of the local that holds its area, if it is written into one.
    pub(super) area: String,
    /// Name of the local that holds its packed lists, if it is more than a list and has some.
    pub(super) packed: String,
    /// Name of the buffer that it lands in, if it does and is no result alone.
    pub(super) back: String,
    /// Index in the operation's declaration; the result is before all parameters.
    pub(super) order: usize,
}

/// What a part of a value is in a block: an expression and the word it takes.
pub(super) struct Leaf {
    pub(super) expr: String,
    /// `None` if it is a word of a union, all of which the expression makes.
    pub(super) ty: Option<Type>,
    /// Which of its union's.
    pub(super) at: usize,
    /// Whether it stands in an array.
    pub(super) is_element: bool,
    /// Whether the expression makes the bytes, as a `Result` with `Wrong`: those of a packed list.
    pub(super) is_made: bool,
}

impl Leaf {
    pub(super) fn new(expr: String, ty: Type) -> Leaf {
        Leaf { expr, ty: Some(ty), at: 0, is_element: false, is_made: false }
    }

    /// An object as a value of its own: nothing is moved out of an array.
    pub(super) fn moved(&self) -> String {
        if self.is_element { format!("{}.clone()", self.expr) } else { self.expr.clone() }
    }
}

/// Where a value with portals is: what a portal is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// At the client: a client of its own.
    Client,
    /// Handed to a service.
    Given,
    /// Returned by a service: an object.
    Returned,
}

impl<'a> Rust<'a> {
    /// The operations that an interface does not inherit.
    pub(super) fn operations(&self, id: InterfaceId, interface: &'a Interface) -> Vec<Shape<'a>> {
        let first = usize::from(interface.inherited);
        let names = self.names.methods[id.index()].iter();
        let shape = |(at, (operation, method)): (usize, (&'a Operation, &Method))| Shape {
            operation,
            number: first + at,
            raised: self.raised(id, at, operation),
            method: method.name.clone(),
            into: method.into.clone(),
            title: format!("{}.{}", interface.name, operation.name),
            slots: self.slots(operation),
            words: operation.layout.words(),
        };
        interface.own().iter().zip(names).enumerate().map(shape).collect()
    }

    fn slots(&self, operation: &'a Operation) -> Vec<Slot<'a>> {
        let mut locals = Scope::with(&[
            "service", "caller", "near", "channel", "place", "call", "words", "inputs", "outputs", "portals",
            "made", "stub", "module", "result",
        ]);
        let mut slots: Vec<Slot<'a>> = Vec::new();
        if let Some(ty) = &operation.result {
            let (name, area) = ("result".to_owned(), locals.take("result_area"));
            let has_portal = self.has_portal(ty);
            slots.push(Slot {
                name,
                title: "result",
                mode: Mode::Out,
                ty,
                word: 0,
                has_portal,
                area,
                packed: String::new(),
                back: String::new(),
                order: 0,
            });
        }
        for (index, param) in operation.params.iter().enumerate() {
            let name = locals.take(&snake(&param.name));
            let area = String::new();
            let (title, mode, ty) = (param.name.as_str(), param.mode, &param.ty);
            let has_portal = self.has_portal(ty);
            let (packed, back, order) = (String::new(), String::new(), index + 1);
            slots.push(Slot { name, title, mode, ty, word: 0, has_portal, area, packed, back, order });
        }
        for slot in slots.iter_mut().filter(|slot| slot.area.is_empty()) {
            slot.area = locals.take(&format!("{}_area", stem(&slot.name)));
        }
        for slot in slots.iter_mut().filter(|slot| self.holds_list(slot.ty)) {
            slot.packed = locals.take(&format!("{}_packed", stem(&slot.name)));
        }
        for slot in slots.iter_mut().filter(|slot| slot.mode == Mode::InOut && slot.lands()) {
            slot.back = locals.take(&format!("{}_back", stem(&slot.name)));
        }
        // Stable, so that the result stays before the out parameters.
        slots.sort_by_key(|slot| slot.mode);
        let mut word = 0;
        for slot in &mut slots {
            slot.word = word;
            word += self.words(slot.ty);
        }
        slots
    }

    /// Words of a value.
    pub(super) fn words(&self, ty: &Type) -> usize {
        self.module.word_count(ty)
    }

    /// The Rust type of a value that is owned; of a portal it is the client.
    pub(super) fn owned(&self, ty: &Type) -> String {
        self.owned_on(Side::Client, ty)
    }

    /// As `owned`, on that side.
    pub(super) fn owned_on(&self, side: Side, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Char => "u8".to_owned(),
            Type::Float { bits } => format!("f{bits}"),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Type::Enum(id) => self.names.enums[id.index()].clone(),
            Type::String { .. } | Type::Bytes { .. } => "Vec<u8>".to_owned(),
            Type::Union(id) => self.names.unions[id.index()].clone(),
            Type::Array { of, len } => format!("[{}; {len}]", self.owned_on(side, of)),
            Type::List { of, .. } => format!("Vec<{}>", self.owned_on(side, of)),
            Type::Struct(id) => match side {
                Side::Given if self.has_portal(ty) => format!("{}<'_>", self.names.given[id.index()]),
                Side::Returned if self.has_portal(ty) => self.names.returned[id.index()].clone(),
                _ => self.names.structs[id.index()].clone(),
            },
            Type::Portal(id) => {
                let client = &self.names.interfaces[id.index()];
                match side {
                    Side::Client => client.clone(),
                    Side::Given => format!("stub::PortalIn<'_, {client}>"),
                    Side::Returned => format!("stub::Served<{client}>"),
                }
            }
        }
    }

    /// Name of a struct where it is made.
    pub(super) fn maker(&self, side: Side, ty: &Type) -> String {
        let name = self.owned_on(side, ty);
        name.strip_suffix("<'_>").map_or(name.clone(), str::to_owned)
    }

    /// Whether a value of `ty` holds a portal. Lists that are parts of other values hold none.
    pub(super) fn has_portal(&self, ty: &Type) -> bool {
        if let Type::List { of, .. } = ty { self.part_has_portal(of) } else { self.part_has_portal(ty) }
    }

    fn part_has_portal(&self, ty: &Type) -> bool {
        match ty {
            Type::Portal(_) => true,
            Type::Struct(id) => {
                self.module.structs[id.index()].fields.iter().any(|field| self.part_has_portal(&field.ty))
            }
            Type::Array { of, .. } => self.part_has_portal(of),
            _ => false,
        }
    }

    /// Whether a value of `ty` has a list in it, which is packed then.
    pub(super) fn holds_list(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(id) => {
                self.module.structs[id.index()].fields.iter().any(|field| self.is_or_holds_list(&field.ty))
            }
            Type::Union(id) => {
                self.module.unions[id.index()].arms.iter().any(|arm| self.is_or_holds_list(&arm.ty))
            }
            Type::Array { of, .. } => self.is_or_holds_list(of),
            _ => false,
        }
    }

    fn is_or_holds_list(&self, ty: &Type) -> bool {
        matches!(ty, Type::List { .. }) || self.holds_list(ty)
    }

    /// Whether a value of `ty` holds a float, which is not equal to itself if it is no number.
    pub(super) fn has_float(&self, ty: &Type) -> bool {
        self.has_float_beside(ty, &mut HashSet::new())
    }

    /// As [`Rust::has_float`], without what was looked at: lists hold so much that nothing is looked at twice.
    fn has_float_beside(&self, ty: &Type, seen: &mut HashSet<Type>) -> bool {
        match ty {
            Type::Float { .. } => true,
            Type::Struct(id) if seen.insert(ty.clone()) => {
                let fields = &self.module.structs[id.index()].fields;
                fields.iter().any(|field| self.has_float_beside(&field.ty, seen))
            }
            Type::Union(id) if seen.insert(ty.clone()) => {
                let arms = &self.module.unions[id.index()].arms;
                arms.iter().any(|arm| self.has_float_beside(&arm.ty, seen))
            }
            Type::Array { of, .. } | Type::List { of, .. } => self.has_float_beside(of, seen),
            _ => false,
        }
    }

    /// The Rust type of a value that is lent.
    pub(super) fn lent(&self, ty: &Type) -> String {
        self.lent_on(Side::Client, ty)
    }

    /// As `lent`, on that side.
    pub(super) fn lent_on(&self, side: Side, ty: &Type) -> String {
        match ty {
            Type::String { .. } | Type::Bytes { .. } => "&[u8]".to_owned(),
            Type::Portal(_) if side == Side::Given => self.owned_on(side, ty),
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::Portal(_) => {
                format!("&{}", self.owned_on(side, ty))
            }
            Type::List { of, .. } => format!("&[{}]", self.owned_on(side, of)),
            Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_) => self.owned(ty),
        }
    }

    /// The words that `expr` of type `ty` consists of; `check` is appended to what can fail.
    pub(super) fn leaves(&self, ty: &Type, expr: &str, check: &str) -> Vec<Leaf> {
        match ty {
            Type::Struct(id) => {
                let fields = self.module.structs[id.index()].fields.iter().zip(self.fields(*id));
                let leaves = fields.flat_map(|(field, name)| {
                    self.leaves(&field.ty, &part(&field.ty, &format!("{expr}.{name}")), check)
                });
                leaves.collect()
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                let leaves =
                    (0..*len).flat_map(|at| self.leaves(of, &part(of, &format!("{expr}[{at}]")), check));
                leaves.map(|leaf| Leaf { is_element: true, ..leaf }).collect()
            }
            Type::Union(id) => {
                let shape = self.module.unions[id.index()].shape;
                let words = (0..=shape.scalars).map(|at| Leaf {
                    expr: format!("{expr}.words(){check}"),
                    ty: None,
                    at,
                    is_element: false,
                    is_made: false,
                });
                let bytes = Type::Bytes { max: shape.bytes_max };
                let parts = (0..shape.references).map(|at| {
                    let part = Leaf::new(format!("{expr}.part({at})"), bytes.clone());
                    Leaf { is_made: self.holds_list(ty), ..part }
                });
                words.chain(parts).collect()
            }
            Type::List { of, max } => {
                let made = format!("stub::packed({expr}, {max}, {})", self.writer(Side::Client, of));
                vec![Leaf { is_made: true, ..Leaf::new(made, self.packed(ty)) }]
            }
            ty => vec![Leaf::new(expr.to_owned(), ty.clone())],
        }
    }

    /// The bytes that a list is within another value.
    fn packed(&self, list: &Type) -> Type {
        let mut words = Vec::new();
        self.module.flatten_part(list, &mut words);
        match words[..] {
            [Word::Bytes { max }] => Type::Bytes { max },
            _ => list.clone(),
        }
    }

    /// What a function that reads a packed list of `of` is given behind its bytes: the bound, the words of an element that
    /// refer to bytes, and what reads one.
    pub(super) fn unpacking(&self, of: &Type, max: u32) -> String {
        let mut words = Vec::new();
        self.module.flatten_part(of, &mut words);
        let words = words.iter().enumerate();
        let references: Vec<String> = words
            .filter(|(_, word)| matches!(word, Word::String { .. } | Word::Bytes { .. }))
            .map(|(at, _)| at.to_string())
            .collect();
        format!("{max}, &[{}], {}", references.join(", "), self.reader(Side::Client, of))
    }

    /// An expression for a value of type `ty`, of which `leaf` gives the parts, word by word from `word`; `check` is
    /// appended to what else can fail.
    pub(super) fn build(
        &self,
        side: Side,
        ty: &Type,
        word: &mut usize,
        check: &str,
        leaf: &mut dyn FnMut(&Type, usize) -> String,
    ) -> String {
        match ty {
            Type::Struct(id) => {
                self.build_struct(side, *id, &mut |ty| self.build(side, ty, word, check, leaf))
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                build_array(*len, || self.build(side, of, word, check, leaf))
            }
            Type::Union(id) => {
                let shape = self.module.unions[id.index()].shape;
                let words: Vec<String> =
                    (0..=shape.scalars).map(|at| format!("words[{}]", *word + at)).collect();
                *word += words.len();
                let bytes = Type::Bytes { max: shape.bytes_max };
                let parts: Vec<String> = (0..shape.references).map(|at| leaf(&bytes, *word + at)).collect();
                *word += parts.len();
                let name = &self.names.unions[id.index()];
                format!("{name}::read([{}], [{}]){check}", words.join(", "), parts.join(", "))
            }
            ty => {
                *word += 1;
                leaf(ty, *word - 1)
            }
        }
    }

    /// An expression for a struct, of which `field` gives the fields.
    pub(super) fn build_struct(
        &self,
        side: Side,
        id: StructId,
        field: &mut dyn FnMut(&Type) -> String,
    ) -> String {
        let fields = self.module.structs[id.index()].fields.iter().zip(self.fields(id));
        let fields: Vec<String> = fields.map(|(own, name)| format!("{name}: {}", field(&own.ty))).collect();
        format!("{} {{ {} }}", self.maker(side, &Type::Struct(id)), fields.join(", "))
    }

    /// A scalar out of `word`: the expression, and whether it can fail.
    pub(super) fn scalar(&self, ty: &Type, word: &str) -> Scalar {
        match ty {
            Type::Char => Scalar::Checked(format!("stub::int::<u8>({word})")),
            Type::Float { bits: 32 } => Scalar::Checked(format!("stub::f32({word})")),
            Type::Float { .. } => Scalar::Sure(format!("f64::from_bits({word})")),
            Type::Int { bits: 64, signed: true } => Scalar::Sure(format!("{word}.cast_signed()")),
            Type::Int { bits: 64, signed: false } => Scalar::Checked(format!("stub::u64({word})")),
            Type::Int { bits, signed } => {
                let sign = if *signed { 'i' } else { 'u' };
                Scalar::Checked(format!("stub::int::<{sign}{bits}>({word})"))
            }
            Type::Enum(id) => Scalar::Maybe(format!("{}::from_word({word})", self.names.enums[id.index()])),
            _ => Scalar::Checked(format!("stub::bool({word})")),
        }
    }

    /// The word of a scalar that always has one, and 0 for that of a union, which [`put_unions`] puts there; `None` for others.
    pub(super) fn sure_word(ty: Option<&Type>, expr: &str) -> Option<String> {
        // A method is called on `(*a)`, a function on `*a`.
        let bare = expr.strip_prefix('(').and_then(|expr| expr.strip_suffix(')')).unwrap_or(expr);
        match ty {
            None => Some("0".to_owned()),
            Some(Type::Bool | Type::Char) => Some(format!("u64::from({bare})")),
            Some(Type::Float { bits: 32 }) => Some(format!("u64::from({expr}.to_bits())")),
            Some(Type::Float { .. }) => Some(format!("{expr}.to_bits()")),
            Some(Type::Int { bits: 64, signed: true }) => Some(format!("{expr}.cast_unsigned()")),
            Some(Type::Int { bits: 64, signed: false }) => None,
            Some(Type::Int { .. }) => Some(format!("stub::word({bare})")),
            Some(Type::Enum(_)) => Some(format!("{expr}.to_word()")),
            Some(_) => None,
        }
    }
}

/// An expression for an array, of which `item` gives the elements.
pub(super) fn build_array(len: u32, item: impl FnMut() -> String) -> String {
    let items: Vec<String> = std::iter::repeat_with(item).take(len as usize).collect();
    format!("[{}]", items.join(", "))
}

/// Statements that put the words of unions where they stand among these leaves, whose words begin at `word`: each union's are made once.
pub(super) fn put_unions(leaves: &[Leaf], mut word: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for one in leaves.chunk_by(|_, next| next.at > 0) {
        let begins = word;
        word += one.len();
        if one[0].ty.is_none() {
            lines.push(format!("words[{begins}..{word}].copy_from_slice(&{});", one[0].expr));
        }
    }
    lines
}

/// A part of a value: lent if it is bytes or a list.
pub(super) fn part(ty: &Type, expr: &str) -> String {
    let is_lent = matches!(ty, Type::String { .. } | Type::Bytes { .. } | Type::List { .. });
    format!("{}{expr}", if is_lent || ty.octets().is_some() { "&" } else { "" })
}

/// An expression that makes a scalar of a word.
pub(super) enum Scalar {
    /// It is one.
    Sure(String),
    /// A `Result` with `Wrong`.
    Checked(String),
    /// An `Option`.
    Maybe(String),
}

impl Scalar {
    /// The value; `check` is appended to what can fail.
    pub(super) fn or(self, check: &str) -> String {
        match self {
            Scalar::Sure(expr) => expr,
            Scalar::Checked(expr) | Scalar::Maybe(expr) => format!("{expr}{check}?"),
        }
    }

    /// A `Result` with `Wrong`.
    pub(super) fn result(self) -> String {
        match self {
            Scalar::Sure(expr) => format!("Ok({expr})"),
            Scalar::Checked(expr) => expr,
            Scalar::Maybe(expr) => format!("{expr}.ok_or(stub::Wrong::Value)"),
        }
    }

    /// The value, in a function that fails with `Wrong`.
    pub(super) fn or_wrong(self) -> String {
        match self {
            Scalar::Sure(expr) => expr,
            Scalar::Checked(expr) => format!("{expr}?"),
            Scalar::Maybe(expr) => format!("{expr}.ok_or(stub::Wrong::Value)?"),
        }
    }
}

impl Slot<'_> {
    /// Whether a service writes it into an area instead of returning it.
    pub(super) fn is_written(&self) -> bool {
        self.mode == Mode::Out
            && (matches!(self.ty, Type::String { .. } | Type::Bytes { .. })
                || matches!(self.ty, Type::List { .. }) && !self.has_portal)
    }

    /// Whether a service changes what it is given. What holds portals it is given as one thing, and gives back as another.
    pub(super) fn is_changed(&self) -> bool {
        self.mode == Mode::InOut && !self.has_portal
    }

    /// Whether a service returns it.
    fn is_returned(&self) -> bool {
        self.mode != Mode::In && !self.is_written() && !self.is_changed()
    }

    /// Whether it comes back as data that a buffer of the caller's can have.
    pub(super) fn lands(&self) -> bool {
        self.mode != Mode::In && is_data(self.ty)
    }

    /// Name of that buffer.
    pub(super) fn buffer(&self) -> &str {
        if self.mode == Mode::InOut { &self.back } else { &self.name }
    }

    /// Name of what a service returned, or changed.
    pub(super) fn given_back(&self) -> &str {
        if self.mode == Mode::InOut && self.has_portal { &self.area } else { &self.name }
    }
}

impl<'a> Shape<'a> {
    /// Set if it is a short call; one whose answer nobody waits for is none.
    pub(super) fn short(&self) -> Option<Short> {
        self.operation.layout.short.filter(|_| !self.operation.oneway)
    }

    /// The string or bytes that a short call sends.
    pub(super) fn sent(&self) -> Option<&Slot<'a>> {
        self.piece(Short::sent)
    }

    /// The string or bytes that a short call returns.
    pub(super) fn returned_piece(&self) -> Option<&Slot<'a>> {
        self.piece(Short::returned)
    }

    fn piece(&self, which: impl FnOnce(Short) -> Option<usize>) -> Option<&Slot<'a>> {
        let at = self.operation.layout.short.and_then(which)?;
        self.slots.iter().find(|slot| slot.word == at)
    }

    /// Whether a service changes it where it lies: a number that is its word, and the only inout, so that nothing else of
    /// the block is looked at meanwhile.
    pub(super) fn is_in_place(&self, slot: &Slot<'_>) -> bool {
        let inouts = self.slots.iter().filter(|slot| slot.mode == Mode::InOut).count();
        slot.mode == Mode::InOut && *slot.ty == Type::Int { bits: 64, signed: true } && inouts == 1
    }

    /// Parameters as declared, without the result.
    pub(super) fn declared(&self) -> Vec<&Slot<'a>> {
        let mut slots: Vec<&Slot<'a>> = self.slots.iter().filter(|slot| slot.order > 0).collect();
        slots.sort_by_key(|slot| slot.order);
        slots
    }

    /// What comes back, the result first.
    pub(super) fn outs(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.slots.iter().filter(|slot| slot.mode == Mode::Out)
    }

    /// What comes back as data of its own, in the order of the message.
    pub(super) fn landing(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.slots.iter().filter(|slot| slot.lands())
    }

    /// What the service returns, rather than writing it into an area or changing it: the result first, then as declared.
    pub(super) fn returned(&self) -> impl Iterator<Item = &Slot<'a>> {
        let mut slots: Vec<&Slot<'a>> = self.slots.iter().filter(|slot| slot.is_returned()).collect();
        slots.sort_by_key(|slot| slot.order);
        slots.into_iter()
    }
}

/// Name of the functions by which a short call is made.
pub(super) fn way(short: Short) -> &'static str {
    match short {
        Short::Words => "short",
        Short::In(_) => "short_in",
        Short::Out(_) | Short::Both(..) => "short_out",
    }
}

/// What names of ours begin with that are made of a name: two underscores side by side are no snake case.
pub(super) fn stem(name: &str) -> &str {
    name.trim_start_matches("r#").trim_end_matches('_')
}

/// The check of a string or bytes against its bound.
pub(super) fn bounded(ty: &Type, value: &str) -> Option<String> {
    match ty {
        Type::String { max } => Some(format!("stub::bounded_string({value}, {max})")),
        Type::Bytes { max } => Some(format!("stub::bounded({value}, {max})")),
        _ => None,
    }
}

/// `()`, `a`, or `(a, b)`.
pub(super) fn tuple(items: &[String]) -> String {
    match items {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}
