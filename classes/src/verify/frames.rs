//! The attribute StackMapTable (JVMS 4.7.4): the frames that the compiler says hold where control comes together.
//!
//! All frames of a method share one list of slots; a frame that has the variables of the one before it, or the first of
//! them, has them at the same place. So the list is no longer than the attribute, but for frames that append, each of which may
//! copy what is there; [`SLOTS_MAX`] bounds that.

use std::cell::Cell;
use std::ops::Range;

use crate::bytes::{Cursor, Short};
use crate::class::{Code, PoolIndex};
use crate::fault::Rule;

use super::context::{Broken, Checked, Context, broken};
use super::types::Type;

/// All frames of a method have no more slots together.
const SLOTS_MAX: usize = 1 << 21;

/// What is known where an instruction begins.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) offset: u32,
    locals: Range<u32>,
    stack: Range<u32>,
    /// Whether `this` is still to be initialized.
    pub(super) flag_this_uninit: bool,
    /// The version of the variables that were found to fit last; 0 for none.
    pub(super) fitting: Cell<u32>,
}

/// The frames of a method, by offset.
#[derive(Debug, Default)]
pub(super) struct Frames {
    slots: Vec<Type>,
    pub(super) list: Vec<Frame>,
}

impl Frames {
    pub(super) fn locals(&self, frame: &Frame) -> &[Type] {
        &self.slots[frame.locals.start as usize..frame.locals.end as usize]
    }

    pub(super) fn stack(&self, frame: &Frame) -> &[Type] {
        &self.slots[frame.stack.start as usize..frame.stack.end as usize]
    }

    /// The frame at an offset.
    pub(super) fn at(&self, offset: u32) -> Option<&Frame> {
        self.list.binary_search_by_key(&offset, |frame| frame.offset).ok().map(|at| &self.list[at])
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.list.clear();
    }
}

/// Whether an offset is that of an instruction, and of `new`.
pub(super) trait Starts {
    fn is_start(&self, offset: u32) -> bool;
    fn is_new(&self, offset: u32) -> bool;
}

pub(super) struct Reader<'r, 'a, 'h, S> {
    pub(super) context: &'r mut Context<'a, 'h>,
    pub(super) code: &'r Code<'a>,
    pub(super) starts: &'r S,
    pub(super) frames: &'r mut Frames,
    /// Whether the method is `<init>`.
    pub(super) in_initializer: bool,
}

impl<S: Starts> Reader<'_, '_, '_, S> {
    /// Reads all frames behind the first one, whose variables are `locals`.
    pub(super) fn read(&mut self, table: &[u8], locals: &[Type]) -> Checked {
        self.frames.slots.extend_from_slice(locals);
        let mut cursor = Cursor::new(table);
        let count = cursor.u16().map_err(ended)?;
        let mut last: Option<Frame> = None;
        for _ in 0..count {
            let frame = self.frame(&mut cursor, last.as_ref(), locals)?;
            self.frames.list.push(frame.clone());
            last = Some(frame);
        }
        if cursor.is_empty() { Ok(()) } else { broken(Rule::StackMap, "bytes behind the last frame", "none") }
    }

    fn frame(&mut self, cursor: &mut Cursor<'_>, last: Option<&Frame>, first: &[Type]) -> Checked<Frame> {
        let kind = cursor.u8().map_err(ended)?;
        let delta = match kind {
            0..=63 => u16::from(kind),
            64..=127 => u16::from(kind - 64),
            128..=246 => {
                return broken(Rule::StackMap, format!("a frame of type {kind}"), "one that is not reserved");
            }
            _ => cursor.u16().map_err(ended)?,
        };
        let offset = last.map_or(0, |last| last.offset + 1) + u32::from(delta);
        if !self.starts.is_start(offset) {
            return broken(Rule::StackMap, format!("a frame at {offset}"), "one where an instruction begins");
        }
        let before = last.map_or(0..first.len() as u32, |last| last.locals.clone());
        let mut flag =
            last.map_or_else(|| first.contains(&Type::UninitializedThis), |last| last.flag_this_uninit);
        let (mut locals, mut stack) = (before.clone(), 0..0);
        match kind {
            0..=63 | 251 => {}
            64..=127 | 247 => stack = self.list(cursor, 1, self.code.max_stack)?,
            248..=250 => {
                locals.end = self.chopped(&before, 251 - kind)?;
                flag = flag && self.has_uninitialized_this(&locals)?;
            }
            252..=254 => {
                let begin = self.copied(&before)?;
                let added = self.list(cursor, u16::from(kind - 251), self.code.max_locals)?;
                flag = flag || self.has_uninitialized_this(&added)?;
                locals = begin..added.end;
            }
            _ => {
                let count = cursor.u16().map_err(ended)?;
                locals = self.list(cursor, count, self.code.max_locals)?;
                flag = self.has_uninitialized_this(&locals)?;
                let count = cursor.u16().map_err(ended)?;
                stack = self.list(cursor, count, self.code.max_stack)?;
            }
        }
        if locals.len() > usize::from(self.code.max_locals) {
            return broken(
                Rule::StackMap,
                format!("a frame at {offset} of {} local variables", locals.len()),
                format!("at most {}", self.code.max_locals),
            );
        }
        Ok(Frame { offset, locals, stack, flag_this_uninit: flag, fitting: Cell::new(0) })
    }

    /// The variables that are left when so many are taken from the end.
    fn chopped(&self, locals: &Range<u32>, count: u8) -> Checked<u32> {
        let mut end = locals.end;
        for _ in 0..count {
            if end == locals.start {
                return broken(Rule::StackMap, "a frame that takes away more than is there", "fewer");
            }
            let second = self.frames.slots[end as usize - 1].is_second();
            end -= if second { 2 } else { 1 };
        }
        Ok(end)
    }

    /// Copies variables to the end, unless they are there.
    fn copied(&mut self, locals: &Range<u32>) -> Checked<u32> {
        let slots = &mut self.frames.slots;
        if locals.end as usize == slots.len() {
            return Ok(locals.start);
        }
        let begin = slots.len() as u32;
        slots.extend_from_within(locals.start as usize..locals.end as usize);
        self.bounded()?;
        Ok(begin)
    }

    fn bounded(&self) -> Checked {
        if self.frames.slots.len() <= SLOTS_MAX {
            return Ok(());
        }
        broken(Rule::Effort, "frames of very many slots", format!("at most {SLOTS_MAX} in a method"))
    }

    fn has_uninitialized_this(&mut self, slots: &Range<u32>) -> Checked<bool> {
        self.context.step(slots.len())?;
        Ok(self.frames.slots[slots.start as usize..slots.end as usize].contains(&Type::UninitializedThis))
    }

    /// Reads so many types, which may take no more than `max` slots.
    fn list(&mut self, cursor: &mut Cursor<'_>, count: u16, max: u16) -> Checked<Range<u32>> {
        let begin = self.frames.slots.len();
        for _ in 0..count {
            let ty = self.ty(cursor)?;
            self.frames.slots.push(ty);
            self.frames.slots.extend(ty.second());
        }
        self.bounded()?;
        let end = self.frames.slots.len();
        if end - begin > usize::from(max) {
            return broken(
                Rule::StackMap,
                format!("{} slots in a frame", end - begin),
                format!("at most {max}"),
            );
        }
        Ok(begin as u32..end as u32)
    }

    fn ty(&mut self, cursor: &mut Cursor<'_>) -> Checked<Type> {
        Ok(match cursor.u8().map_err(ended)? {
            0 => Type::Top,
            1 => Type::Integer,
            2 => Type::Float,
            3 => Type::Double,
            4 => Type::Long,
            5 => Type::Null,
            6 if self.in_initializer => Type::UninitializedThis,
            6 => return broken(Rule::StackMap, "uninitializedThis", "it in <init> only"),
            7 => Type::Object(self.context.class_at(PoolIndex(cursor.u16().map_err(ended)?))?),
            8 => {
                let offset = cursor.u16().map_err(ended)?;
                if !self.starts.is_new(u32::from(offset)) {
                    return broken(
                        Rule::StackMap,
                        format!("uninitialized({offset})"),
                        "the offset of a `new`",
                    );
                }
                Type::Uninitialized(offset)
            }
            tag => return broken(Rule::StackMap, format!("a type of tag {tag}"), "a tag from 0 to 8"),
        })
    }
}

fn ended(_: Short) -> Box<Broken> {
    Box::new(Broken {
        rule: Rule::StackMap,
        found: "the end of the table within a frame".to_owned(),
        expected: "as many frames as it says".to_owned(),
    })
}
