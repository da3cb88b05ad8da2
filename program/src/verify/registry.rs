//! The interfaces that a server knows. What the verifier asks of an operation at every call of every program is found
//! once, when the registry is made.

use carnet_idl::descriptor::{InterfaceId, Layout, Mode, Module, OpHash, Operation, Param, Short, Word};

use super::{BoundOp, Effect, IN_LISTS, Step, owns};
use crate::bytecode::{NONE, WORDS_MAX};

/// The interfaces that a server knows, found by the names and hashes that programs use.
#[derive(Debug, Default)]
pub struct Registry {
    /// A server knows few interfaces: looking at each is quicker than hashing a name.
    interfaces: Vec<Known>,
}

/// An interface of the registry.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) module: &'static Module,
    pub(crate) id: InterfaceId,
    /// Of its operations, in their order.
    signatures: Vec<Signature>,
}

/// What a call of an operation must look like, and what it counts as.
#[derive(Debug)]
pub(crate) struct Signature {
    hash: OpHash,
    pub(crate) op: BoundOp,
    /// Programs have all its types.
    pub(crate) in_programs: bool,
    /// Flags of a [`Step`] that calls it once.
    pub(crate) flags: u8,
    /// Words in front of the block: what is sent of inouts, if one of them is more than scalars, or a union.
    pub(crate) apart: usize,
    /// Words of its block, and those before the reply.
    pub(crate) words: usize,
    pub(crate) reply_at: usize,
    /// Word of the piece that a short call carries.
    pub(crate) piece_at: usize,
    /// Which of the first 64 words are integers, the first in the lowest bit.
    integers: u64,
    /// Most bytes that one call can write.
    pub(crate) written_max: u64,
}

impl Registry {
    /// A registry of all interfaces of these modules. One that comes twice is that of several services.
    #[must_use]
    pub fn new(modules: &[&'static Module]) -> Registry {
        let first = |at: usize| !modules[..at].iter().any(|module| std::ptr::eq(*module, modules[at]));
        let modules = (0..modules.len()).filter(|at| first(*at)).map(|at| &modules[at]);
        let of = |module: &&'static Module| {
            let module: &'static Module = module;
            (0..module.interfaces.len() as u16).map(move |k| (module, InterfaceId(k)))
        };
        let all = (0..=u16::MAX).zip(modules.flat_map(of));
        Registry { interfaces: all.map(|(number, (module, id))| Known::new(number, module, id)).collect() }
    }

    /// Looks an interface up: its number.
    pub(crate) fn find(&self, module: &[u8], name: &[u8]) -> Option<u16> {
        let named = |known: &Known| {
            known.described().name.as_bytes() == name && known.module.name.as_bytes() == module
        };
        self.interfaces.iter().position(named).and_then(|number| u16::try_from(number).ok())
    }

    /// The interface of this number.
    pub(crate) fn known(&self, number: u16) -> &Known {
        &self.interfaces[number as usize]
    }

    /// What is known of an operation that was bound to this registry.
    pub(crate) fn signature(&self, op: &BoundOp) -> &Signature {
        &self.interfaces[op.known as usize].signatures[op.number as usize]
    }

    /// All its modules; one that has several interfaces comes as often.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &'static Module> {
        self.interfaces.iter().map(|known| known.module)
    }
}

/// See [`BoundOp::owners`].
fn owners(operation: &Operation) -> u64 {
    let Layout { ins, inouts, outs, .. } = &operation.layout;
    let words = (ins.len()..).zip(inouts.iter().chain(outs));
    words.filter(|(_, word)| owns(word)).fold(0, |bits, (k, _)| bits | 1 << k)
}

impl Known {
    fn new(known: u16, module: &'static Module, id: InterfaceId) -> Known {
        let operations = (0..=u16::MAX).zip(&module.interfaces[id.index()].operations);
        let bound = |(number, operation): (u16, &'static Operation)| {
            let cost_word = cost_word(module, operation);
            let owners = owners(operation);
            let gives_unions = crate::unions::are_given(module, operation);
            Signature::new(BoundOp {
                module,
                interface: id,
                number,
                operation,
                cost_word,
                known,
                owners,
                gives_unions,
            })
        };
        Known { module, id, signatures: operations.map(bound).collect() }
    }

    /// Its description.
    pub(crate) fn described(&self) -> &'static carnet_idl::descriptor::Interface {
        &self.module.interfaces[self.id.index()]
    }

    /// Says why a program cannot call the operation of this hash: rule and message.
    #[cold]
    pub(crate) fn no_operation(&self, hash: u64, found: Option<&Signature>) -> (&'static str, String) {
        let (module, name) = (self.module, &self.described().name);
        let what =
            found.and_then(|found| Some((found.op.operation, module.not_in_programs(found.op.operation)?)));
        match what {
            Some((operation, what)) => {
                let message = format!("{name}.{} is not supported in programs: {what}", operation.name);
                ("not-in-programs", message)
            }
            None => {
                let message = format!(
                    "{name} of this server has no operation {hash:016x}: it was made for another version of {}",
                    module.name
                );
                ("unknown-operation", message)
            }
        }
    }

    /// Looks an operation up by its stable hash.
    pub(crate) fn by_hash(&self, hash: OpHash) -> Option<&Signature> {
        self.signatures.iter().find(|signature| signature.hash == hash)
    }
}

impl Signature {
    fn new(op: BoundOp) -> Signature {
        let operation = op.operation;
        let layout = &operation.layout;
        let writes = operation.effect == Effect::Writes;
        let slow = operation.cost.is_some()
            || operation.blocks
            || op.gives_unions
            || writes && layout.ins.iter().any(|word| matches!(word, Word::Bytes { .. } | Word::List { .. }))
            || layout.inouts.iter().chain(&layout.outs).any(|word| !is_scalar(word));
        // A union that comes back may be none, and is then to be sent again as it was.
        let is_union = |param: &Param| param.mode == Mode::InOut && op.module.has_union(&param.ty);
        let is_apart =
            layout.inouts.iter().any(|word| !is_scalar(word)) || operation.params.iter().any(is_union);
        let mut flags = Step::CALL;
        flags |= if slow { Step::SLOW } else { 0 };
        flags |= if writes { Step::WRITES } else { 0 };
        flags |= if is_apart { Step::APART } else { 0 };
        let (way, piece_at) = match layout.short {
            None | Some(Short::Both(..)) => (0, 0),
            Some(Short::Words) => (Step::SHORT, 0),
            Some(Short::In(at)) => (Step::PIECE, at),
            Some(Short::Out(at)) => (Step::PIECE | Step::FILLS, at),
        };
        let words = layout.ins.iter().chain(&layout.inouts).chain(&layout.outs).take(WORDS_MAX);
        let integer = |(k, word): (usize, &Word)| u64::from(matches!(word, Word::Int { .. })) << k;
        Signature {
            hash: operation.hash,
            in_programs: op.module.not_in_programs(operation).is_none(),
            flags: flags | way,
            piece_at,
            apart: if is_apart { layout.inouts.len() } else { 0 },
            words: layout.words(),
            reply_at: layout.ins.len(),
            integers: words.enumerate().map(integer).sum(),
            written_max: op.written_max(),
            op,
        }
    }

    /// Whether word `k` of the block, less than 64, is an integer.
    pub(crate) fn is_integer(&self, k: usize) -> bool {
        self.integers >> k & 1 == 1
    }
}

/// Where in the block the `in` parameter of `@cost` is; [`IN_LISTS`] if there is none, and lists or inouts hold what a call writes.
fn cost_word(module: &Module, operation: &Operation) -> u16 {
    let Some(word) = module.cost_word(operation) else {
        let holds_data = |word: &Word| match word {
            Word::List { element, .. } => element.iter().any(|word| matches!(word, Word::Bytes { .. })),
            _ => false,
        };
        let Layout { ins, inouts, .. } = &operation.layout;
        let elsewhere = |word: &Word| matches!(word, Word::Bytes { .. }) || holds_data(word);
        return if ins.iter().any(holds_data) || inouts.iter().any(elsewhere) { IN_LISTS } else { NONE };
    };
    word as u16
}

/// Whether a word is one of its own.
fn is_scalar(word: &Word) -> bool {
    matches!(word, Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_))
}
