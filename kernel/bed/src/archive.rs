//! What the kernel in the emulator finds as its first file system: an archive of cpio in the form `newc`.

/// An archive that grows file by file.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    number: u32,
}

impl Archive {
    /// Adds a directory.
    pub fn folder(&mut self, name: &str) {
        self.entry(name, 0o040_755, &[]);
    }

    /// Adds a file that can be run.
    pub fn file(&mut self, name: &str, content: &[u8]) {
        self.entry(name, 0o100_755, content);
    }

    /// All of it, with its end.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }

    fn entry(&mut self, name: &str, mode: u32, content: &[u8]) {
        self.number += 1;
        let size = u32::try_from(content.len()).unwrap_or(u32::MAX);
        let name_size = u32::try_from(name.len() + 1).unwrap_or(u32::MAX);
        // Number, mode, user, group, links, time, size, devices of the file and of what it is, length of the name, sum.
        let head = [self.number, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name_size, 0];
        self.bytes.extend(b"070701");
        head.iter().for_each(|word| self.bytes.extend(format!("{word:08x}").bytes()));
        self.bytes.extend(name.bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend(content);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::Archive;

    #[test]
    fn entries_are_padded_and_ended() {
        let mut archive = Archive::default();
        archive.folder("a");
        archive.file("a/b", b"xyz");
        let bytes = archive.finish();
        assert_eq!(bytes.len() % 4, 0);
        assert_eq!(bytes.windows(6).filter(|six| six == b"070701").count(), 3);
        assert!(bytes.windows(10).any(|ten| ten == b"TRAILER!!!"));
        assert!(bytes.windows(4).any(|four| four == b"xyz\0"));
    }
}
