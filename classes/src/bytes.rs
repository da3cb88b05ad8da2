//! Big-endian numbers out of bytes that may end at any place.

/// The bytes ended too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short;

/// Reads from the front.
#[derive(Clone, Debug)]
pub struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    /// Begins to read.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor(bytes)
    }

    /// Whether all was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The next bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Short> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(Short)?;
        self.0 = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Short> {
        let (head, rest) = self.0.split_first_chunk().ok_or(Short)?;
        self.0 = rest;
        Ok(*head)
    }

    /// One byte.
    ///
    /// # Errors
    /// If there is none.
    pub fn u8(&mut self) -> Result<u8, Short> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn u16(&mut self) -> Result<u16, Short> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn u32(&mut self) -> Result<u32, Short> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn u64(&mut self) -> Result<u64, Short> {
        self.array().map(u64::from_be_bytes)
    }
}
