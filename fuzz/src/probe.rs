//! A service that logs every call and every release, and answers from a seed.
//!
//! It is driven by the descriptor alone: the same code serves every interface file. Equal programs see equal
//! answers, since an answer depends on the seed and the number of calls before it, and on nothing else.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use carnet_idl::descriptor::{InterfaceId, Mode, Module, Operation, Type, UnionId, Word};
use carnet_portal::call::{Area, Call, Failure, Object, Ref};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::direct::{self, Entry};
use carnet_program::float::Precision;
use carnet_program::verify::Registry;

use crate::entropy::{Entropy, mixed};

/// The interface file `probe.idl`.
///
/// # Panics
/// If it does not compile.
#[must_use]
pub fn module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        carnet_idl::compile_str("probe.idl", include_str!("probe.idl"))
            .unwrap_or_else(|faults| panic!("probe.idl: {faults:?}"))
    });
    &MODULE
}

/// The interfaces that generated programs are verified against.
#[must_use]
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&[module()]));
    &REGISTRY
}

/// What all objects of one run share.
#[derive(Debug)]
pub struct World {
    module: &'static Module,
    seed: u64,
    calls: AtomicU64,
    objects: AtomicU64,
    log: Mutex<Vec<String>>,
    revocation: Option<(u64, Grant)>,
}

impl World {
    /// A world that answers from `seed`; with `revocation`, that switch is thrown in the call of that number.
    #[must_use]
    pub fn new(module: &'static Module, seed: u64, revocation: Option<(u64, Grant)>) -> Arc<World> {
        Arc::new(World {
            module,
            seed,
            calls: AtomicU64::new(0),
            objects: AtomicU64::new(0),
            log: Mutex::default(),
            revocation,
        })
    }

    /// A new object.
    #[must_use]
    pub fn object(self: &Arc<World>, interface: InterfaceId) -> Arc<dyn Object> {
        let id = self.objects.fetch_add(1, Ordering::Relaxed);
        Arc::new(Thing { world: Arc::clone(self), interface, id })
    }

    /// What was done so far.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, line: String) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

struct Thing {
    world: Arc<World>,
    interface: InterfaceId,
    id: u64,
}

impl Drop for Thing {
    fn drop(&mut self) {
        self.world.note(format!("release #{}", self.id));
    }
}

impl Object for Thing {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.world.module, self.interface)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let world = &self.world;
        let described = &world.module.interfaces[self.interface.index()];
        let operation = described
            .operations
            .get(op as usize)
            .unwrap_or_else(|| panic!("operation {op} of {}, which has none", described.name));
        let number = world.calls.fetch_add(1, Ordering::Relaxed);
        let line = self.line(operation, call);
        crate::steps::add(1 + line.as_ref().map_or(0, |line| line.len() as u64 / 64));
        world.note(format!("{number}: #{}.{}({})", self.id, operation.name, line?));
        if let Some((_, grant)) = world.revocation.as_ref().filter(|(at, _)| *at == number) {
            grant.revoke();
        }
        let mut entropy = Entropy::of_seed(mixed(world.seed ^ mixed(number)));
        if !operation.raises.is_empty() && entropy.one_in(12) {
            let message = "what was asked for is not there: ä".chars().cycle().take(entropy.below(50));
            if self.world.module.plain_exception(operation).is_none() {
                let place = entropy.below(operation.raises.len()) as u16;
                return Err(Failure::raised_members(place, vec![1; 8], message.collect()));
            }
            return Err(Failure::raised(entropy.below(3) as u16, message.collect()));
        }
        self.answer(operation, call, &mut entropy)
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// What an arm of a union has in a word.
enum ArmWord {
    Scalar(u64),
    Text(Vec<u8>),
}

impl Thing {
    /// The arguments as text, checked as a stub checks them.
    fn line(&self, operation: &Operation, call: &Call<'_>) -> Result<String, Failure> {
        let layout = &operation.layout;
        assert_eq!(call.words.len(), layout.words(), "the block of {} has another length", operation.name);
        let mut line = String::new();
        let mut words = call.words.iter().copied();
        for word in layout.ins.iter().chain(&layout.inouts) {
            let value = words.next().unwrap_or(0);
            match word {
                Word::Bool if value > 1 => return Err(Failure::bad_argument("no truth value")),
                Word::Int { bits: 32, .. } if i32::try_from(value.cast_signed()).is_err() => {
                    return Err(Failure::bad_argument("no 32-bit integer"));
                }
                Word::Float { bits } if !Precision::of_bits(*bits).holds(value) => {
                    return Err(Failure::bad_argument("no float"));
                }
                Word::Enum(id) if value >= self.world.module.enums[id.index()].values.len() as u64 => {
                    return Err(Failure::bad_argument("no value of the enum"));
                }
                Word::String { max } => {
                    let _ = write!(line, "{} ", shown(call.areas.string(value, *max)?));
                }
                Word::Bytes { max } => {
                    let _ = write!(line, "{} ", shown(call.areas.bytes(value, *max)?));
                }
                Word::List { element, max } => {
                    let area = call
                        .areas
                        .list
                        .get(Ref(value).area())
                        .ok_or_else(|| Failure::bad_argument("no list"))?;
                    let rows = area.words.chunks(element.len());
                    if rows.len() > *max as usize || !area.words.len().is_multiple_of(element.len()) {
                        return Err(Failure::bad_argument("a list that is too long"));
                    }
                    for (word, value) in rows.flat_map(|row| element.iter().zip(row)) {
                        let text = match word {
                            Word::String { max } | Word::Bytes { max } => Some((area.string(*value), *max)),
                            _ => None,
                        };
                        let of = match word {
                            Word::Portal(id) => Some(self.thing(call, *id, *value)?),
                            _ => None,
                        };
                        let _ = match text {
                            _ if let Some(of) = of => write!(line, "#{of},"),
                            Some((text, max)) if text.len() > max as usize => {
                                return Err(Failure::bad_argument("a text of a list that is too long"));
                            }
                            Some((text, _)) => write!(line, "{},", shown(text)),
                            None => write!(line, "{},", value.cast_signed()),
                        };
                    }
                    line.push_str("; ");
                }
                Word::Portal(id) => {
                    let _ = write!(line, "#{} ", self.thing(call, *id, value)?);
                }
                _ => {
                    let _ = write!(line, "{} ", value.cast_signed());
                }
            }
        }
        Ok(line)
    }

    /// The number of the thing that a word hands over.
    fn thing(&self, call: &Call<'_>, id: InterfaceId, word: u64) -> Result<u64, Failure> {
        let module = self.world.module;
        let portal = call.portal(word, &module.name, &module.interfaces[id.index()].name)?;
        Ok(portal.object().service().downcast_ref::<Thing>().map_or(u64::MAX, |thing| thing.id))
    }

    fn answer(
        &self,
        operation: &Operation,
        call: &mut Call<'_>,
        entropy: &mut Entropy<'_>,
    ) -> Result<(), Failure> {
        let layout = &operation.layout;
        for (k, word) in layout.inouts.iter().chain(&layout.outs).enumerate() {
            let at = layout.ins.len() + k;
            call.words[at] = match word {
                Word::Portal(id) => call.make(self.world.object(*id)),
                Word::String { max } | Word::Bytes { max } => {
                    let mut area = call.areas.take(call.words[at])?;
                    area.bytes = entropy.text(*max as usize);
                    call.areas.put(call.words[at], area)?
                }
                Word::List { element, max } => {
                    let mut area = call.areas.take(call.words[at])?;
                    for _ in 0..entropy.below(*max as usize + 1) {
                        for word in element {
                            let Word::Portal(id) = word else {
                                self.element(word, &mut area, entropy);
                                continue;
                            };
                            // Sometimes one that was made before, of whatever interface.
                            let made = call.made.len();
                            let again = made > 0 && entropy.one_in(6);
                            let word = if again {
                                entropy.below(made) as u64
                            } else {
                                call.make(self.world.object(*id))
                            };
                            area.words.push(word);
                        }
                    }
                    call.areas.put(call.words[at], area)?
                }
                word => self.scalar(word, entropy),
            };
        }
        if entropy.one_in(16) {
            return Ok(());
        }
        let module = self.world.module;
        let of =
            |mode| operation.params.iter().filter(move |param| param.mode == mode).map(|param| &param.ty);
        let mut at = layout.ins.len();
        for ty in of(Mode::InOut).chain(&operation.result).chain(of(Mode::Out)) {
            match ty {
                Type::Union(id) => self.arm(*id, call, at, entropy)?,
                Type::List { of, .. } if module.has_union(of) => self.arms_of(of, call, at, entropy)?,
                _ => {}
            }
            at += module.word_count(ty);
        }
        Ok(())
    }

    /// Makes the words of a union those of one of its arms.
    fn arm(
        &self,
        id: UnionId,
        call: &mut Call<'_>,
        at: usize,
        entropy: &mut Entropy<'_>,
    ) -> Result<(), Failure> {
        let (case, words) = self.words_of_arm(id, entropy);
        call.words[at] = case;
        for (k, word) in words {
            let at = at + 1 + k;
            call.words[at] = match word {
                ArmWord::Scalar(n) => n,
                ArmWord::Text(text) => {
                    let mut area = call.areas.take(call.words[at])?;
                    area.bytes = text;
                    call.areas.put(call.words[at], area)?
                }
            };
        }
        Ok(())
    }

    /// The same for each element of a list of unions.
    fn arms_of(
        &self,
        of: &Type,
        call: &mut Call<'_>,
        at: usize,
        entropy: &mut Entropy<'_>,
    ) -> Result<(), Failure> {
        let Type::Union(id) = of else { return Ok(()) };
        let mut area = call.areas.take(call.words[at])?;
        for first in (0..area.words.len()).step_by(self.world.module.word_count(of)) {
            let (case, words) = self.words_of_arm(*id, entropy);
            area.words[first] = case;
            for (k, word) in words {
                area.words[first + 1 + k] = match word {
                    ArmWord::Scalar(n) => n,
                    ArmWord::Text(text) => area.add_string(&text).unwrap_or(Ref::default().0),
                };
            }
        }
        call.words[at] = call.areas.put(call.words[at], area)?;
        Ok(())
    }

    /// A case, and what its arm has in which of the words behind.
    fn words_of_arm(&self, id: UnionId, entropy: &mut Entropy<'_>) -> (u64, Vec<(usize, ArmWord)>) {
        let union = &self.world.module.unions[id.index()];
        let arm = entropy.pick(&union.arms);
        let other = (0..100).find(|case| union.arm(*case) == Some(arm)).unwrap_or(0);
        let case = if arm.labels.is_empty() { other } else { *entropy.pick(&arm.labels) };
        let mut flat = Vec::new();
        self.world.module.flatten_part(&arm.ty, &mut flat);
        let (mut scalar, mut text) = (0, union.shape.scalars);
        let mut words = Vec::new();
        // A list is one word of bytes there, and an empty one has none.
        let flat = if let Type::List { .. } = arm.ty { vec![Word::Bytes { max: 0 }] } else { flat };
        for word in flat {
            match word {
                Word::String { max } | Word::Bytes { max } => {
                    words.push((text, ArmWord::Text(entropy.text(max as usize))));
                    text += 1;
                }
                word => {
                    words.push((scalar, ArmWord::Scalar(self.scalar(&word, entropy))));
                    scalar += 1;
                }
            }
        }
        (case.cast_unsigned(), words)
    }

    fn element(&self, word: &Word, area: &mut Area, entropy: &mut Entropy<'_>) {
        let value = match word {
            Word::String { max } | Word::Bytes { max } => {
                area.add_string(&entropy.text(*max as usize)).unwrap_or(Ref::default().0)
            }
            word => self.scalar(word, entropy),
        };
        area.words.push(value);
    }

    fn scalar(&self, word: &Word, entropy: &mut Entropy<'_>) -> u64 {
        match word {
            Word::Bool => entropy.below(2) as u64,
            Word::Enum(id) => entropy.below(self.world.module.enums[id.index()].values.len()) as u64,
            Word::Int { bits: 64, .. } => entropy.int().cast_unsigned(),
            Word::Float { bits } => entropy.float(Precision::of_bits(*bits)).word,
            _ => entropy.below(100) as u64,
        }
    }
}

/// A text, so that different ones look different; of a long one the beginning, its length and a sum, since a log of
/// many calls would else be larger than what the run may hold.
fn shown(text: &[u8]) -> String {
    if text.len() <= 100 {
        return format!("{:?}", text.escape_ascii().to_string());
    }
    let sum = text.iter().fold(0, |sum, byte| mixed(sum ^ u64::from(*byte)));
    format!("{:?}… {} bytes, {sum:016x}", text[..20].escape_ascii().to_string(), text.len())
}

/// A right to a new object, with the switch that ends it.
#[must_use]
pub fn capability(world: &Arc<World>, interface: InterfaceId, grant: &Grant) -> Capability {
    Capability::under(world.object(interface), grant)
}
