//! Classes in a jar.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use zip::ZipArchive;

use super::{OpenError, Source, read_bounded};

/// A jar may not be longer: the list of its entries is kept in memory.
pub const JAR_BYTES_MAX: u64 = 512 << 20;

/// A jar of the class path.
pub struct Jar(Mutex<ZipArchive<BufReader<File>>>);

impl Jar {
    /// Opens a jar and reads the list of its entries.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(path: &Path) -> Result<Jar, OpenError> {
        let file = super::open_regular(path).map_err(|error| OpenError::new(path, error))?;
        let length = file.metadata().map_err(|error| OpenError::new(path, error))?.len();
        if length > JAR_BYTES_MAX {
            return Err(OpenError::new(path, format!("more than {JAR_BYTES_MAX} bytes")));
        }
        let archive = ZipArchive::new(BufReader::new(file));
        let archive = archive.map_err(|error| OpenError::new(path, format!("not a jar: {error}")))?;
        Ok(Jar(Mutex::new(archive)))
    }

    /// The names of its classes, in its order; what describes modules and what is for other versions is left out.
    #[must_use]
    pub fn classes(&self) -> Vec<String> {
        let archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names =
            archive.file_names().filter_map(|name| Some(name.ok()?.strip_suffix(".class")?.to_owned()));
        names.filter(|name| !name.starts_with("META-INF/") && !name.ends_with("module-info")).collect()
    }

    /// The bytes of an entry, if it is there.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn entry(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let mut archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // By the bytes of the name, which are hashed. By its text, all entries would be looked at for one that is not there.
        let Some(at) = archive.index_for_name_raw(name.as_bytes()) else { return Ok(None) };
        archive.by_index(at).map_err(|error| error.to_string()).and_then(read_bounded).map(Some)
    }
}

impl Source for Jar {
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        self.entry(&format!("{name}.class"))
    }

    fn resource(&self, _package: &str, path: &str) -> Result<Option<Vec<u8>>, String> {
        if path.ends_with('/') { Ok(None) } else { self.entry(path) }
    }

    fn has_resource(&self, path: &str) -> bool {
        let archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !path.ends_with('/') && archive.index_for_name_raw(path.as_bytes()).is_some()
    }
}
