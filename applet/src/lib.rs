//! Applets: reader, verifier and interpreter for [the applet profile](../../docs/support/java.md#the-applet-profile) alone, small
//! enough for a network interface.
//!
//! ```text
//! class file ─ read ─► tables ─ verify ─► Applet ─ call ─► result, or why it stopped
//!                        │                  │
//!            memory.words: constants │ fields │ frames of calls ─►
//!            memory.bytes: arrays ─►            ◄─ where each array is
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | `read` | from bytes to tables of offsets into them; what the file names is looked up once |
//! | `verify` | verification by type checking (JVMS 4.10.1), of the nine types that the profile has |
//! | `interpret` | runs the bytecode where it stands in the file |
//! | `heap` | arrays, and their collection |
//! | `opcode` | the instructions of the profile |
//!
//! It needs `core` and nothing else: an applet has the memory that it is given, tables and all, and a call has so many
//! [instructions](Applet::instructions). Whatever a class file contains, the answer is a value: nothing here panics.
//!
//! What it does not do: it knows no other class, has no exceptions (what would be one ends the call) and no classes of faults
//! for people; a [refusal](Refused) is a rule and an offset. `carnet java verify --profile applet` says more about the same file.
//! Source: Welsh, Oppenheimer and Culler, "U-Net/SLE: A Java-based User-Customizable Virtual Network Interface", section 3;
//! section numbers are those of the JVMS, Java SE 17 Edition.

#![no_std]

mod heap;
mod interpret;
mod opcode;
mod read;
mod verify;

pub use heap::Heap;

/// Instructions that a call has, unless its owner says otherwise.
pub const INSTRUCTIONS: u64 = 1 << 20;

/// The memory of an applet. There is no other.
#[derive(Debug)]
pub struct Memory<'m> {
    /// One for each constant and field; what is left is for the frames of calls.
    pub words: &'m mut [u32],
    /// Arrays, with twelve bytes for each. The verifier uses it before they do.
    pub bytes: &'m mut [u8],
}

/// A rule that a class file breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The file is laid out as a class file, of 65,535 bytes at most (4.1).
    Layout,
    /// Versions 50 to 69 without preview features.
    Version,
    /// A constant is of the kind that is needed where it is used (4.4).
    Constant,
    /// A class that extends Object, with no interfaces (profile).
    Class,
    /// A descriptor of the profile's types (4.3).
    Descriptor,
    /// Flags that go together and that the profile has (4.5, 4.6).
    Flags,
    /// A field or method is there once, and a method's name, too (profile).
    Duplicate,
    /// A method has Code, unless it is native and its host has it (4.7.3).
    Code,
    /// Nothing is caught (profile).
    Handler,
    /// At most 255 local variables and stack slots, fields and methods, and what fits the memory.
    Limit,
    /// An instruction is one of the profile's (4.9.1).
    Instruction,
    /// An operand is one that the instruction takes; what it names is the applet's own (4.9.1).
    Operand,
    /// Control goes to frames, and not out of the code (4.10.1.6).
    Target,
    /// The StackMapTable is well formed, of types of the profile (4.7.4).
    Frame,
    /// The frame fits what flows to it (4.10.1.5).
    Mismatch,
    /// The stack is within its limits (4.10.1.4).
    Stack,
    /// A value has the type that the instruction takes (4.10.1.9).
    Type,
}

/// Why a class file is no applet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it breaks.
    pub rule: Rule,
    /// Where, in bytes from the beginning of the file.
    pub at: u32,
}

/// Why a call did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Of the caller: there is no such method.
    NoMethod,
    /// Of the caller: they are not ints, or not so many.
    Arguments,
    /// More instructions than it has.
    Instructions,
    /// Calls that are nested more deeply than `words` has room for.
    Depth,
    /// Arrays that `bytes` has no room for.
    Memory,
    /// An index that the array does not have.
    Bounds,
    /// An array of less than no elements.
    NegativeSize,
    /// A division by zero.
    Division,
    /// An array or object that is null.
    Null,
    /// Of the host: a native method refused, for a reason of its own.
    Native(u8),
    /// Of ours: the verifier accepted what cannot be run.
    Unverified,
}

/// A call that did not return. What it changed stays changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub why: Stop,
    /// The method that it stopped in, by its index in the file.
    pub method: u8,
    /// The instruction, by its offset in the method's code.
    pub at: u16,
}

/// What native methods do. It is the applet's only way out.
pub trait Natives {
    /// The number of a native method, if there is one of this name and descriptor.
    fn find(&self, name: &[u8], descriptor: &[u8]) -> Option<u16>;

    /// Calls it. Arrays are what [`Heap::array`] takes; `this` is not among the arguments.
    ///
    /// # Errors
    /// [`Stop`], which ends the call of the applet.
    fn call(&mut self, number: u16, arguments: &[u32], heap: &mut Heap<'_>) -> Result<u32, Stop>;
}

/// No native methods.
#[derive(Debug)]
pub struct Alone;

impl Natives for Alone {
    fn find(&self, _: &[u8], _: &[u8]) -> Option<u16> {
        None
    }

    fn call(&mut self, _: u16, _: &[u32], _: &mut Heap<'_>) -> Result<u32, Stop> {
        Err(Stop::Unverified)
    }
}

/// A class that was verified, and its one object.
#[derive(Debug)]
pub struct Applet<'m> {
    class: read::Class<'m>,
    /// The values of fields, static and not.
    values: &'m mut [u32],
    /// The frames of calls.
    frames: &'m mut [u32],
    heap: Heap<'m>,
    /// What each call may run. Clearing or moving 64 bytes counts as one.
    pub instructions: u64,
}

impl<'m> Applet<'m> {
    /// Reads and verifies a class file. Nothing of it has run then: its owner calls `<clinit>` and `<init>`, if there are such.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn load(file: &'m [u8], memory: Memory<'m>, natives: &dyn Natives) -> Result<Applet<'m>, Refused> {
        let (class, words) = read::read(file, memory.words, natives)?;
        let (values, frames) =
            words.split_at_mut_checked(class.fields().len()).ok_or(Refused { rule: Rule::Limit, at: 0 })?;
        for method in class.methods() {
            verify::verify(&class, method, memory.bytes)?;
        }
        class.initial(values)?;
        Ok(Applet { class, values, frames, heap: Heap::new(memory.bytes), instructions: INSTRUCTIONS })
    }

    /// Calls a method by its name; that of a method without a result gives 0.
    ///
    /// # Errors
    /// [`Stopped`].
    pub fn call(
        &mut self,
        name: &[u8],
        arguments: &[i32],
        natives: &mut dyn Natives,
    ) -> Result<i32, Stopped> {
        interpret::call(self, name, arguments, natives)
    }

    /// Its arrays.
    pub fn heap(&mut self) -> &mut Heap<'m> {
        &mut self.heap
    }
}
