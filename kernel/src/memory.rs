//! What a program needs of its caller: the variable table, and the arena that holds its texts.
//!
//! ```text
//! variables  one word for each slot; then, for each operation, calls and failed calls
//! arena      a zero byte; literals, in order of their slots, each with a zero byte behind it
//!            for each variable that owns text, from a multiple of 8: as many bytes as it can hold, and one
//!            from a multiple of 8: 512 bytes for the structs of calls
//! ```

use carnet_portal::call::Ref;
use carnet_program::bytecode::{NONE, ParamPlace, ResultKind, SlotType};
use carnet_program::eval::{Arg, Value};
use carnet_program::interp::{fits_scalar, fits_text};
use carnet_program::verify::Loaded;

/// Bytes behind the areas.
const STRUCTS: usize = 512;

/// Variables and arena of one run.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The variable table, and the counts of calls behind it.
    pub variables: Vec<u64>,
    /// The arena, in words, since it begins at a multiple of eight.
    pub arena: Vec<u64>,
    /// Where in the arena each area begins, and how much it holds; that of the literals first.
    areas: Vec<(usize, usize)>,
}

/// Why an argument does not go into the memory of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// There are more or fewer than parameters.
    #[error("found {found} arguments, expected {expected}")]
    Number {
        /// How many there are.
        found: usize,
        /// How many there are parameters.
        expected: usize,
    },
    /// One is of another kind than its parameter.
    #[error("argument {0} is of another kind than its parameter")]
    Kind(usize),
    /// One is not of its parameter's type, or is longer than that allows.
    #[error("argument {0}: {1}")]
    Unfit(usize, String),
    /// The program needs more memory than there is.
    #[error("the program needs too much memory")]
    Memory,
}

/// An argument that fits, and where it goes.
pub(crate) enum Given<'a> {
    /// Into a register.
    Portal(u16),
    /// Into a slot.
    Word(u16, i64),
    /// Into the variable of a slot.
    Text(u16, &'a [u8]),
}

/// Holds arguments against the parameters of a program.
pub(crate) fn given<'a>(program: &Loaded, args: &'a [Arg]) -> Result<Vec<Given<'a>>, Misfit> {
    if args.len() != program.params.len() {
        return Err(Misfit::Number { found: args.len(), expected: program.params.len() });
    }
    let one = |(k, (place, arg)): (usize, (&ParamPlace, &'a Arg))| {
        let (slot, value) = match (place, arg) {
            (ParamPlace::Register(register), Arg::Portal(_)) => return Ok(Given::Portal(*register)),
            (ParamPlace::Slot(slot), Arg::Value(value)) => (*slot, value),
            _ => return Err(Misfit::Kind(k)),
        };
        let (ty, unfit) = (program.slots[usize::from(slot)], |why| Misfit::Unfit(k, why));
        let word = match (value, ty) {
            (Value::Text(text), _) => {
                fits_text(ty, text).map_err(unfit)?;
                return Ok(Given::Text(slot, text));
            }
            (Value::Int(n), SlotType::Int) => *n,
            (Value::Bool(b), SlotType::Bool) => i64::from(*b),
            (Value::Enum(n), SlotType::Enum(_)) => i64::from(*n),
            (Value::Float(float), SlotType::Float(precision)) if float.precision == precision => {
                float.word.cast_signed()
            }
            _ => return Err(Misfit::Kind(k)),
        };
        fits_scalar(ty, word).map_err(unfit)?;
        Ok(Given::Word(slot, word))
    };
    program.params.iter().zip(args).enumerate().map(one).collect()
}

impl Memory {
    /// Lays the memory of `program` out, with its literals and `args` in it; `started` is the time, in ns.
    ///
    /// # Errors
    /// An argument that does not fit its parameter.
    pub fn new(program: &Loaded, args: &[Arg], started: i64) -> Result<Memory, Misfit> {
        let literals = program.slots.iter().filter_map(|ty| match ty {
            SlotType::Literal { len, .. } => Some(usize::from(*len) + 1),
            _ => None,
        });
        let literals = 1 + literals.sum::<usize>();
        let (mut areas, mut end) = (vec![(0, literals)], literals);
        for area in program.areas.iter().skip(1) {
            let begin = end.next_multiple_of(8);
            areas.push((begin, area.max as usize));
            end = begin + area.max as usize + 1;
        }
        let words = (end.next_multiple_of(8) + STRUCTS) / 8;
        let mut arena = Vec::new();
        arena.try_reserve_exact(words).map_err(|_| Misfit::Memory)?;
        arena.resize(words, 0);
        let variables = vec![0; program.slots.len() + 2 * program.ops.len()];
        let mut memory = Memory { variables, arena, areas };
        let mut at = 1;
        for ty in &program.slots {
            if let SlotType::Literal { len, offset } = ty {
                let (from, len) = (*offset as usize, usize::from(*len));
                memory.write(at, &program.literals[from..from + len]);
                at += len + 1;
            }
        }
        if program.started != NONE {
            memory.variables[usize::from(program.started)] = started as u64;
        }
        memory.arguments(program, args)?;
        Ok(memory)
    }

    fn arguments(&mut self, program: &Loaded, args: &[Arg]) -> Result<(), Misfit> {
        for (k, given) in given(program, args)?.into_iter().enumerate() {
            match given {
                Given::Portal(_) => {}
                Given::Word(slot, word) => self.variables[usize::from(slot)] = word.cast_unsigned(),
                Given::Text(slot, text) => {
                    let word = self.text_argument(program, slot, text).ok_or(Misfit::Kind(k))?;
                    self.variables[usize::from(slot)] = word;
                }
            }
        }
        Ok(())
    }

    /// Puts a text into the area of its variable; the reference to it.
    fn text_argument(&mut self, program: &Loaded, slot: u16, text: &[u8]) -> Option<u64> {
        let area = 1 + program.areas.iter().skip(1).position(|area| area.slot == slot)?;
        let (at, room) = self.areas[area];
        let word = Ref::new(area, 0, text.len()).filter(|_| text.len() <= room)?;
        self.write(at, text);
        Some(word.0)
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        for (k, byte) in (at..).zip(bytes) {
            let shift = k % 8 * 8;
            self.arena[k / 8] = self.arena[k / 8] & !(0xff << shift) | u64::from(*byte) << shift;
        }
    }

    /// The text in a slot; what leaves the arena is cut off.
    #[must_use]
    pub fn text(&self, slot: u16) -> Vec<u8> {
        let word = Ref(self.variables.get(usize::from(slot)).copied().unwrap_or(0));
        let Some((at, _)) = self.areas.get(word.area()) else { return Vec::new() };
        let byte = |k: usize| Some((self.arena.get(k / 8)? >> (k % 8 * 8)) as u8);
        let from = at + word.offset();
        (from..from + word.len()).map_while(byte).collect()
    }

    /// The result that begins at `slot`, as a server sends it: words as u64, texts as u32 and bytes.
    #[must_use]
    pub fn result(&self, program: &Loaded, slot: u16) -> Vec<u8> {
        let mut out = Vec::new();
        if program.result != ResultKind::Words {
            return out;
        }
        for (ty, slot) in program.result_words.iter().zip(slot..) {
            match ty.text_max() {
                Some(_) => {
                    let text = self.text(slot);
                    out.extend(u32::try_from(text.len()).unwrap_or(0).to_le_bytes());
                    out.extend(text);
                }
                None => out.extend(self.variables[usize::from(slot)].to_le_bytes()),
            }
        }
        out
    }
}
