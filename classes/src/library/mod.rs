//! Classes by name: the installed JDK first, then those that were given, then the folders and jars of a class path, in order.
//!
//! | part | what it is |
//! | --- | --- |
//! | `given` | classes whose bytes somebody has |
//! | `folder` | classes in a folder, each in its file |
//! | `jar` | classes in a jar |
//! | `image` | the class library of a JDK, `lib/modules` |
//!
//! Nothing is read before it is asked for. What is read is bounded ([`BYTES_MAX`]) before memory is taken for it. Classes in
//! `META-INF/versions` of a jar are not looked for.

mod folder;
mod given;
mod image;
mod jar;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::class::shown;
use crate::descriptor::is_class_name;
use crate::format;
use crate::hierarchy::{Absent, Hierarchy, Outline};
use crate::read::{BYTES_MAX, read};

pub use image::Image;
pub use jar::{JAR_BYTES_MAX, Jar};

/// Why a place for classes cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", place.display())]
pub struct OpenError {
    /// The file or folder.
    pub place: PathBuf,
    /// Why.
    pub reason: String,
}

impl OpenError {
    fn new(place: &Path, reason: impl ToString) -> OpenError {
        OpenError { place: place.to_owned(), reason: reason.to_string() }
    }
}

/// There is a class of this name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a class {0} already")]
pub struct Duplicate(pub String);

/// Where classes come from.
trait Source: Send + Sync {
    /// The bytes of a class, if it is here; the name is that of a class.
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// A resource, if it is here, of the module that a package is in.
    fn resource(&self, _package: &str, _path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }

    /// Whether there is a resource, wherever a package is.
    fn has_resource(&self, _path: &str) -> bool {
        false
    }
}

/// What kind of place a class was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The class library of the JDK.
    Library,
    /// The class path.
    Guest,
}

/// Finds classes by name.
pub struct Library {
    /// How many sources are of the JDK; they come first.
    of_jdk: usize,
    jdk: Option<PathBuf>,
    /// The file of time zones, when it was read.
    time_zones: OnceLock<Arc<[u8]>>,
    sources: Vec<Arc<dyn Source>>,
    /// One of them.
    given: Arc<given::Given>,
    /// Of classes that were asked for and found.
    outlines: Mutex<HashMap<Box<[u8]>, Arc<Outline>>>,
}

impl Library {
    /// Classes of a JDK, if one is given, then of the folders and jars of a class path.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(jdk: Option<&Path>, class_path: &[PathBuf]) -> Result<Library, OpenError> {
        let mut sources: Vec<Arc<dyn Source>> = Vec::new();
        if let Some(jdk) = jdk {
            sources.push(Arc::new(Image::open(&jdk.join("lib/modules"))?));
        }
        let of_jdk = sources.len();
        let given = Arc::default();
        sources.push(Arc::clone(&given) as Arc<dyn Source>);
        for place in class_path {
            if place.is_dir() {
                sources.push(Arc::new(folder::Folder::new(place)));
            } else {
                sources.push(Arc::new(Jar::open(place)?));
            }
        }
        Ok(Library {
            of_jdk,
            jdk: jdk.map(Path::to_owned),
            time_zones: OnceLock::new(),
            sources,
            given,
            outlines: Mutex::default(),
        })
    }

    /// Adds a class of which somebody has the bytes. They are looked at when the class is asked for.
    ///
    /// # Errors
    /// If there is a class of this name.
    pub fn give(&self, name: &str, bytes: Vec<u8>) -> Result<(), Duplicate> {
        let is_new = self.find(name.as_bytes()).is_err() && self.given.give(name, bytes);
        if is_new { Ok(()) } else { Err(Duplicate(name.to_owned())) }
    }

    /// How many places are looked through for what is nowhere.
    #[must_use]
    pub fn places(&self) -> usize {
        self.sources.len()
    }

    /// The bytes of the class of a name, for example `java/lang/Object`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn bytes(&self, name: &[u8]) -> Result<Vec<u8>, Absent> {
        self.find(name).map(|(bytes, _)| bytes)
    }

    /// The bytes of the class of a name, and where they were found.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn find(&self, name: &[u8]) -> Result<(Vec<u8>, Origin), Absent> {
        let absent = |reason: String| Absent { class: shown(name), reason };
        let text = std::str::from_utf8(name).ok().filter(|text| is_class_name(text.as_bytes()));
        let text = text.filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| absent("no name that a file could have".to_owned()))?;
        for (at, source) in self.sources.iter().enumerate() {
            if let Some(bytes) = source.bytes(text).map_err(absent)? {
                let origin = if at < self.of_jdk { Origin::Library } else { Origin::Guest };
                return Ok((bytes, origin));
            }
        }
        Err(absent("not found".to_owned()))
    }

    /// A resource of the JDK that is no class: `java/lang/uniName.dat`, for example, of the module that has classes in `package`.
    /// None if there is no such resource.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn resource(&self, package: &str, path: &str) -> Result<Option<Vec<u8>>, String> {
        match self.sources.first().filter(|_| self.of_jdk > 0) {
            Some(source) => source.resource(package, path),
            None => Ok(None),
        }
    }

    /// A resource of the class path: an entry of a jar. What lies in a folder beside classes is nobody's business.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn guest_resource(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.sources[self.of_jdk..]
            .iter()
            .find_map(|source| source.resource("", path).transpose())
            .transpose()
    }

    /// Whether the class path has a resource, which may still be one that cannot be read.
    #[must_use]
    pub fn has_guest_resource(&self, path: &str) -> bool {
        self.sources[self.of_jdk..].iter().any(|source| source.has_resource(path))
    }

    /// The JDK's rules of time zones, `lib/tzdb.dat`; none if there is no JDK.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn time_zones(&self) -> Result<Option<Arc<[u8]>>, String> {
        let Some(jdk) = &self.jdk else { return Ok(None) };
        if let Some(known) = self.time_zones.get() {
            return Ok(Some(Arc::clone(known)));
        }
        let file = open_regular(&jdk.join("lib/tzdb.dat")).map_err(|error| error.to_string())?;
        let bytes = read_bounded(file)?;
        Ok(Some(Arc::clone(self.time_zones.get_or_init(|| bytes.into()))))
    }

    fn read_outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        let absent = |reason: String| Absent { class: shown(name), reason };
        let bytes = self.bytes(name)?;
        let class = read(&bytes).map_err(|error| absent(error.to_string()))?;
        format::check(&class).map_err(|faults| absent(faults[0].to_string()))?;
        if class.name() != name {
            return Err(absent(format!("its file contains {}", shown(class.name()))));
        }
        Ok(Arc::new(Outline::of(&class)))
    }
}

impl Hierarchy for Library {
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        let mut outlines = self.outlines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outline) = outlines.get(name) {
            return Ok(Arc::clone(outline));
        }
        let outline = self.read_outline(name)?;
        outlines.insert(name.into(), Arc::clone(&outline));
        Ok(outline)
    }
}

/// The folder of the installed JDK: that of `JAVA_HOME`, else of the `java` on the path.
#[must_use]
pub fn installed_jdk() -> Option<PathBuf> {
    let is_jdk = |folder: &PathBuf| folder.join("lib/modules").is_file();
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(is_jdk);
    home.or_else(|| {
        let path = std::env::var_os("PATH")?;
        let programs = std::env::split_paths(&path).map(|folder| folder.join("java"));
        let mut homes =
            programs.filter_map(|java| java.canonicalize().ok()?.parent()?.parent().map(PathBuf::from));
        homes.find(is_jdk)
    })
}

/// Opens a regular file: a pipe would wait for whoever writes to it.
fn open_regular(path: &Path) -> std::io::Result<File> {
    let file_type = std::fs::metadata(path)?.file_type();
    if file_type.is_file() {
        return File::open(path);
    }
    Err(std::io::Error::other("not a regular file"))
}

/// Reads all of something, but no more than a class file may have.
fn read_bounded(from: impl std::io::Read) -> Result<Vec<u8>, String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    from.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > BYTES_MAX {
        return Err(format!("more than {BYTES_MAX} bytes"));
    }
    Ok(bytes)
}
