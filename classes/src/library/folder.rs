//! Classes in a folder, each in its file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Source, read_bounded};

/// A folder of the class path.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(folder: &Path) -> Folder {
        Folder(folder.to_owned())
    }
}

impl Source for Folder {
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        // A name has no dots, so it does not lead out of the folder.
        let path = self.0.join(format!("{name}.class"));
        let file = match super::open_regular(&path) {
            Ok(file) => file,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error.to_string()),
        };
        read_bounded(file).map(Some)
    }
}
