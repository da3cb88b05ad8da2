//! Arrays of an applet: one block of bytes, from the beginning on in the order in which they were made, with a table of where they
//! are that grows down from its end.
//!
//! ```text
//! │ header, elements │ header, elements │ …        used     … │ offset, length of 2 │ of 1 │
//! ```
//!
//! A reference is the number of a row of the table, and 0 is null; so arrays can be moved. They contain no references: what is
//! in fields, variables and stack is all that keeps them. A number there that happens to be a reference keeps an array, too;
//! that costs its owner memory and nobody else anything.

use crate::Stop;

/// In front of an array's elements: four times its reference, and the logarithm of an element's size.
const HEADER: usize = 4;

/// Offset and length of an array.
const ROW: usize = 8;

/// The offset in a row that is free. Its length is then the next free row.
const FREE: u32 = u32::MAX;

/// Stands in the length of arrays that something refers to, while what nothing refers to is looked for.
const MARK: u32 = 1 << 31;

/// No more is used.
const SIZE_MAX: usize = 1 << 30;

/// Arrays.
#[derive(Debug)]
pub struct Heap<'m> {
    bytes: &'m mut [u8],
    /// Where the next array begins.
    used: usize,
    /// Rows of the table.
    rows: u32,
    /// The first free row.
    free: u32,
}

impl<'m> Heap<'m> {
    pub(crate) fn new(bytes: &'m mut [u8]) -> Heap<'m> {
        let size = bytes.len().min(SIZE_MAX);
        let bytes = bytes.get_mut(..size).unwrap_or_default();
        Heap { bytes, used: 0, rows: 0, free: 0 }
    }

    /// How many bytes arrays take, with what stands around them.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used + self.rows as usize * ROW
    }

    /// The elements of an array, each in the order of bytes that the machine has.
    ///
    /// # Errors
    /// If there is none.
    pub fn array(&mut self, reference: u32) -> Result<&mut [u8], Stop> {
        let (at, length) = self.row(reference).filter(|row| row.0 != FREE).ok_or(Stop::Null)?;
        let elements = self.bytes.get_mut(at as usize..).and_then(|rest| rest.get_mut(..length as usize));
        elements.ok_or(Stop::Unverified)
    }

    fn word(&self, at: usize) -> u32 {
        self.bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_ne_bytes(*word))
    }

    fn set_word(&mut self, at: usize, word: u32) {
        if let Some(to) = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *to = word.to_ne_bytes();
        }
    }

    fn place(&self, reference: u32) -> usize {
        self.bytes.len().wrapping_sub(reference as usize * ROW)
    }

    fn row(&self, reference: u32) -> Option<(u32, u32)> {
        let at = self.place(reference);
        (1..=self.rows).contains(&reference).then(|| (self.word(at), self.word(at + 4)))
    }

    fn set_row(&mut self, reference: u32, offset: u32, length: u32) {
        let at = self.place(reference);
        self.set_word(at, offset);
        self.set_word(at + 4, length);
    }

    /// Where an array of so many bytes would end, if there is room for it.
    fn end_of(&self, bytes: usize) -> Option<usize> {
        let end = self.used.checked_add(HEADER)?.checked_add(bytes.checked_next_multiple_of(4)?)?;
        let rows = self.rows as usize + usize::from(self.free == 0);
        (end.checked_add(rows * ROW)? <= self.bytes.len()).then_some(end)
    }

    /// Whether an array of so many bytes has room.
    pub(crate) fn fits(&self, bytes: usize) -> bool {
        self.end_of(bytes).is_some()
    }

    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// How many elements an array has.
    pub(crate) fn length(&mut self, reference: u32) -> Result<u32, Stop> {
        let bytes = self.array(reference)?.len() as u32;
        let at = self.row(reference).map_or(0, |row| row.0 as usize);
        Ok(bytes >> (self.word(at.wrapping_sub(HEADER)) & 3))
    }

    /// Makes an array of so many bytes, all 0, for elements whose size has this logarithm: 0 for byte, 1 for short, 2 for int. It
    /// lasts while something of the applet refers to it; where there is no room, nothing is collected for it.
    ///
    /// # Errors
    /// [`Stop::Memory`].
    pub fn make(&mut self, bytes: usize, log: u32) -> Result<u32, Stop> {
        let end = self.end_of(bytes).ok_or(Stop::Memory)?;
        let reference = match self.free {
            0 => {
                self.rows += 1;
                self.rows
            }
            free => {
                self.free = self.row(free).map_or(0, |row| row.1);
                free
            }
        };
        let at = self.used + HEADER;
        self.bytes.get_mut(at..end).unwrap_or_default().fill(0);
        self.set_word(self.used, reference << 2 | log & 3);
        self.set_row(reference, at as u32, bytes as u32);
        self.used = end;
        Ok(reference)
    }

    /// Something may refer to an array.
    pub(crate) fn mark(&mut self, reference: u32) {
        if let Some((at, length)) = self.row(reference).filter(|row| row.0 != FREE) {
            self.set_row(reference, at, length | MARK);
        }
    }

    /// Drops the arrays that were not marked, and moves the others together.
    pub(crate) fn sweep(&mut self) {
        let (mut from, mut to) = (0, 0);
        while from < self.used {
            let reference = self.word(from) >> 2;
            let length = self.row(reference).map_or(0, |row| row.1);
            let size = HEADER + ((length & !MARK) as usize).next_multiple_of(4);
            if length & MARK == 0 {
                self.set_row(reference, FREE, self.free);
                self.free = reference;
            } else {
                for at in (0..size).step_by(4) {
                    self.set_word(to + at, self.word(from + at));
                }
                self.set_row(reference, (to + HEADER) as u32, length & !MARK);
                to += size;
            }
            from += size;
        }
        self.used = to;
    }

    /// The element at an index, of `N` bytes.
    pub(crate) fn element<const N: usize>(
        &mut self,
        reference: u32,
        index: u32,
    ) -> Result<&mut [u8; N], Stop> {
        let array = self.array(reference)?;
        array.as_chunks_mut().0.get_mut(index as usize).ok_or(Stop::Bounds)
    }
}
