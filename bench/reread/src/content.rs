//! The file: 64 KiB, whose bytes tell where they belong.

use crate::reread;

/// Bytes of a record.
pub const RECORD_BYTES: usize = reread::RECORD_BYTES as usize;

/// Bytes of the file.
pub const FILE_BYTES: usize = 64 << 10;

fn byte_at(index: usize) -> u8 {
    (index % 251) as u8
}

/// The whole file.
#[must_use]
pub fn content() -> Vec<u8> {
    (0..FILE_BYTES).map(byte_at).collect()
}

/// The part of the file that is asked for, at most a record; shorter at the file's end.
#[inline]
#[must_use]
pub fn part(file: &[u8], offset: u64, length: usize) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
    &file[start..start.saturating_add(length.min(RECORD_BYTES)).min(file.len())]
}

/// Record after record, and from the start again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Course(usize);

impl Course {
    /// Where the next record begins, in bytes.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0 as u64
    }

    /// Whether this is that record; it goes on to the one behind it then. It is told by its ends: to compare all of it
    /// would be measured, too.
    #[inline]
    pub fn takes(&mut self, record: &[u8]) -> bool {
        let last = RECORD_BYTES - 1;
        let ends = (record.first(), record.get(last), record.get(last + 1));
        let is_right = ends == (Some(&byte_at(self.0)), Some(&byte_at(self.0 + last)), None);
        if is_right {
            self.0 = (self.0 + RECORD_BYTES) % FILE_BYTES;
        }
        is_right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file_ends_with_it_and_with_the_record() {
        let file = content();
        assert_eq!(part(&file, 4096, 4096), &file[4096..8192]);
        assert_eq!(part(&file, 0, 1 << 20).len(), RECORD_BYTES);
        assert_eq!(part(&file, 65_530, 4096), &file[65_530..]);
        assert!(part(&file, u64::MAX, usize::MAX).is_empty());
    }

    #[test]
    fn another_record_is_found_out() {
        let file = content();
        let mut course = Course::default();
        assert!(course.takes(part(&file, 0, RECORD_BYTES)));
        for wrong in [part(&file, 0, RECORD_BYTES), part(&file, 4096, 4095), &file[4096..8193], &[]] {
            assert!(!course.takes(wrong));
            assert_eq!(course.offset(), 4096, "it stays where it is");
        }
    }

    #[test]
    fn behind_the_last_record_comes_the_first() {
        let file = content();
        let mut course = Course::default();
        let count = FILE_BYTES / RECORD_BYTES;
        assert!((0..count).all(|_| course.takes(part(&file, course.offset(), RECORD_BYTES))));
        assert_eq!(course.offset(), 0);
    }
}
