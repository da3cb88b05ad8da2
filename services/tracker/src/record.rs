//! What is stored of projects, issues and comments, as bytes.
//!
//! Numbers are 8 bytes, little-endian. A text is its length, 4 bytes, and its bytes. A list is its length, 4 bytes, and its texts.

use crate::fault;
use crate::tracker::{Error, State};

/// A project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) created: i64,
    /// The number of its last issue.
    pub(crate) last: u64,
    pub(crate) open: u64,
}

impl Project {
    pub(crate) fn write(&self) -> Vec<u8> {
        [self.created.cast_unsigned(), self.last, self.open].map(u64::to_le_bytes).concat()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Project, Error> {
        let mut rest = Rest(bytes);
        let read = Project { created: rest.int()?, last: rest.count()?, open: rest.count()? };
        if read.open > read.last {
            return Err(fault::damaged());
        }
        rest.end(read)
    }
}

/// An issue, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Issue {
    pub(crate) version: u64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// 0 if it is open.
    pub(crate) closed: i64,
    pub(crate) comments: u64,
    pub(crate) state: State,
    pub(crate) title: Vec<u8>,
    pub(crate) author: Vec<u8>,
    /// Empty if it is assigned to nobody.
    pub(crate) assignee: Vec<u8>,
    /// Sorted.
    pub(crate) labels: Vec<Vec<u8>>,
}

impl Issue {
    pub(crate) fn write(&self) -> Vec<u8> {
        let state = match self.state {
            State::Open => 0,
            State::Closed => 1,
        };
        let (created, updated, closed) = (self.created, self.updated, self.closed);
        let [created, updated, closed] = [created, updated, closed].map(i64::cast_unsigned);
        let mut bytes =
            [self.version, created, updated, closed, self.comments, state].map(u64::to_le_bytes).concat();
        put(&mut bytes, &self.title);
        put(&mut bytes, &self.author);
        put(&mut bytes, &self.assignee);
        bytes.extend((self.labels.len() as u32).to_le_bytes());
        self.labels.iter().for_each(|label| put(&mut bytes, label));
        bytes
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Issue, Error> {
        let mut rest = Rest(bytes);
        let version = rest.count()?;
        let (created, updated, closed, comments) = (rest.int()?, rest.int()?, rest.int()?, rest.count()?);
        let state = match rest.count()? {
            0 => State::Open,
            1 => State::Closed,
            _ => return Err(fault::damaged()),
        };
        let (title, author, assignee) = (rest.text()?, rest.text()?, rest.text()?);
        let labels = (0..rest.len()?).map(|_| rest.text()).collect::<Result<_, _>>()?;
        let read =
            Issue { version, created, updated, closed, comments, state, title, author, assignee, labels };
        rest.end(read)
    }
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) created: i64,
    pub(crate) author: Vec<u8>,
    pub(crate) text: Vec<u8>,
}

impl Comment {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = self.created.to_le_bytes().to_vec();
        put(&mut bytes, &self.author);
        put(&mut bytes, &self.text);
        bytes
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Comment, Error> {
        let mut rest = Rest(bytes);
        let read = Comment { created: rest.int()?, author: rest.text()?, text: rest.text()? };
        rest.end(read)
    }
}

fn put(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
}

/// What is left to be read. The file may have been changed by others: no length of it is believed.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn int(&mut self) -> Result<i64, Error> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(fault::damaged)?;
        self.0 = rest;
        Ok(i64::from_le_bytes(*number))
    }

    /// A number that is not negative as `int` either.
    fn count(&mut self) -> Result<u64, Error> {
        u64::try_from(self.int()?).map_err(|_| fault::damaged())
    }

    fn len(&mut self) -> Result<usize, Error> {
        let (len, rest) = self.0.split_first_chunk().ok_or_else(fault::damaged)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*len) as usize)
    }

    fn text(&mut self) -> Result<Vec<u8>, Error> {
        let len = self.len()?;
        let (text, rest) = self.0.split_at_checked(len).ok_or_else(fault::damaged)?;
        self.0 = rest;
        Ok(text.to_vec())
    }

    fn end<T>(self, read: T) -> Result<T, Error> {
        if self.0.is_empty() { Ok(read) } else { Err(fault::damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue() -> Issue {
        Issue {
            version: 7,
            created: 1,
            updated: 2,
            closed: -3,
            comments: 4,
            state: State::Closed,
            title: b"title".to_vec(),
            author: b"ann".to_vec(),
            assignee: Vec::new(),
            labels: vec![b"a".to_vec(), b"bug".to_vec()],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Issue::read(&issue().write()).unwrap(), issue());
        let project = Project { created: 5, last: 3, open: 2 };
        assert_eq!(Project::read(&project.write()).unwrap(), project);
        let comment = Comment { created: 5, author: b"a".to_vec(), text: b"b".to_vec() };
        assert_eq!(Comment::read(&comment.write()).unwrap(), comment);
    }

    /// No byte that others changed, and no end that is missing, does more than an error.
    #[test]
    fn what_others_changed_is_damaged_or_another_record() {
        let whole = issue().write();
        for end in 0..whole.len() {
            assert!(Issue::read(&whole[..end]).is_err(), "{end}");
        }
        for (at, bit) in (0..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            if let Ok(read) = Issue::read(&changed) {
                assert_eq!(read.write(), changed);
            }
        }
    }
}
