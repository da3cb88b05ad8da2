//! A folder of one benchmark.

use std::path::{Path, PathBuf};

/// In the system's own place for what is temporary. It is removed when this is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(of: &str) -> Result<Folder, String> {
        let folder = std::env::temp_dir().join(format!("carnet-{of}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        Ok(Folder(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left there is harmless.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
