//! The class library of a JDK: the file `lib/modules`, in the format "jimage" of the JDK's own tools.
//!
//! ```text
//! header      magic 0xCAFEDADA, version, flags, count of resources, length of tables, of locations, of strings: 7 words
//! redirects   a word for each place of the hash table: 0 nothing; n > 0 hash again with seed n; n < 0 place -1-n
//! offsets     a word for each place: where its location begins
//! locations   attributes (kind and length in a byte, then a number), up to kind 0
//! strings     each ends with 0
//! resources   at the offsets that locations say
//! ```
//!
//! Words are of the byte order of the machine, that is little-endian; numbers within locations are big-endian. The name of a resource
//! is `/module/parent/base.extension`. Which module a package is in stands in the resource `/packages/NAME`: pairs of
//! words, 0 if the package has classes there, and the offset of the module's name.
//!
//! Everything is read at its position when it is asked for, and nothing is kept but the modules of packages, and what names of many
//! resources have in common. A file that is changed meanwhile gives wrong bytes, which are judged as all bytes are.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{OpenError, Source};
use crate::read::BYTES_MAX;

const MAGIC: u32 = 0xCAFE_DADA;
const VERSION: u32 = 1 << 16;
const HEADER_BYTES: u64 = 28;
/// The first seed of the hash.
const SEED: u32 = 0x0100_0193;
/// No name is longer.
const NAME_MAX: usize = 4096;
/// No location has more attributes than there are kinds.
const KINDS: usize = 8;

/// The class library of a JDK.
pub struct Image {
    file: File,
    places: u32,
    locations: u64,
    strings: u64,
    resources: u64,
    /// The modules of packages that were asked for and found.
    modules: Mutex<HashMap<String, String>>,
    /// Modules, packages and endings, by offset.
    shared: Mutex<HashMap<u64, Arc<str>>>,
}

/// The attributes of a location, by kind.
struct Location([u64; KINDS]);

const MODULE: usize = 1;
const PARENT: usize = 2;
const BASE: usize = 3;
const EXTENSION: usize = 4;
const OFFSET: usize = 5;
const COMPRESSED: usize = 6;
const UNCOMPRESSED: usize = 7;

impl Image {
    /// Opens the file `lib/modules` of a JDK.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(path: &Path) -> Result<Image, OpenError> {
        let file = super::open_regular(path).map_err(|error| OpenError::new(path, error))?;
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact_at(&mut header, 0).map_err(|error| OpenError::new(path, error))?;
        let word = |index: usize| u32::from_le_bytes(header[index * 4..][..4].try_into().unwrap_or_default());
        if word(0) != MAGIC || word(1) != VERSION {
            return Err(OpenError::new(path, "not the class library of a JDK, in version 1.0 of its format"));
        }
        let (places, locations, strings) = (word(4), u64::from(word(5)), u64::from(word(6)));
        let begin = HEADER_BYTES + 8 * u64::from(places);
        let strings_end = begin + locations + strings;
        Ok(Image {
            file,
            places,
            locations: begin,
            strings: begin + locations,
            resources: strings_end,
            modules: Mutex::default(),
            shared: Mutex::default(),
        })
    }

    /// The names of the classes of a module, for example `java.base`; what describes the module is left out.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn classes(&self, module: &str) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for place in 0..self.places {
            let location = self.location(place)?;
            let class = self.string(location.0[EXTENSION])? == "class";
            if class && self.string(location.0[MODULE])? == module {
                let (parent, base) = (self.string(location.0[PARENT])?, self.string(location.0[BASE])?);
                names.push(if parent.is_empty() { base } else { format!("{parent}/{base}") });
            }
        }
        names.retain(|name| name != "module-info");
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, at: u64, buffer: &mut [u8]) -> Result<(), String> {
        self.file
            .read_exact_at(buffer, at)
            .map_err(|error| format!("cannot read the JDK's class library: {error}"))
    }

    fn word(&self, at: u64) -> Result<u32, String> {
        let mut bytes = [0; 4];
        self.read(at, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn string(&self, offset: u64) -> Result<String, String> {
        let mut text = Vec::new();
        while text.len() < NAME_MAX {
            let mut chunk = [0; 64];
            let at = self.strings.saturating_add(offset).saturating_add(text.len() as u64);
            let got = self.file.read_at(&mut chunk, at).map_err(|error| error.to_string())?;
            let end = chunk[..got].iter().position(|byte| *byte == 0);
            text.extend_from_slice(&chunk[..end.unwrap_or(got)]);
            if end.is_some() {
                return String::from_utf8(text).map_err(|error| error.to_string());
            }
            if got == 0 {
                break;
            }
        }
        Err("a name in the JDK's class library does not end".to_owned())
    }

    fn shared(&self, offset: u64) -> Result<Arc<str>, String> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = shared.get(&offset) {
            return Ok(Arc::clone(text));
        }
        let text: Arc<str> = self.string(offset)?.into();
        shared.insert(offset, Arc::clone(&text));
        Ok(text)
    }

    fn location(&self, place: u32) -> Result<Location, String> {
        let offset = self.word(HEADER_BYTES + 4 * (u64::from(self.places) + u64::from(place)))?;
        // Each attribute takes at most 9 bytes.
        let mut bytes = [0; KINDS * 9];
        let at = self.locations + u64::from(offset);
        let got = self.file.read_at(&mut bytes, at).map_err(|error| error.to_string())?;
        let (mut values, mut rest) = ([0; KINDS], &bytes[..got]);
        while let [head, behind @ ..] = rest {
            let (kind, length) = (usize::from(head >> 3), usize::from(head & 7) + 1);
            if kind == 0 || kind >= KINDS {
                break;
            }
            let Some((number, behind)) = behind.split_at_checked(length) else { break };
            values[kind] = number.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            rest = behind;
        }
        Ok(Location(values))
    }

    /// The resource of a name, if there is one.
    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if self.places == 0 {
            return Ok(None);
        }
        let redirect = self.word(HEADER_BYTES + 4 * u64::from(hash(name, SEED) % self.places))?.cast_signed();
        let place = match redirect {
            0 => return Ok(None),
            1.. => hash(name, redirect.cast_unsigned()) % self.places,
            _ => (-1 - redirect).cast_unsigned(),
        };
        if place >= self.places {
            return Ok(None);
        }
        let location = self.location(place)?;
        if self.name(&location)? != name {
            return Ok(None);
        }
        if location.0[COMPRESSED] != 0 {
            return Err("the JDK's class library is compressed: use one that is not".to_owned());
        }
        let length = location.0[UNCOMPRESSED];
        if length > BYTES_MAX as u64 {
            return Err(format!("{length} bytes, and at most {BYTES_MAX} are read"));
        }
        let mut bytes = vec![0; length as usize];
        self.read(self.resources.saturating_add(location.0[OFFSET]), &mut bytes)?;
        Ok(Some(bytes))
    }

    fn name(&self, location: &Location) -> Result<String, String> {
        let mut name = String::new();
        for (kind, before, after) in
            [(MODULE, "/", "/"), (PARENT, "", "/"), (BASE, "", ""), (EXTENSION, ".", "")]
        {
            let part: Arc<str> = match kind {
                BASE => self.string(location.0[kind])?.into(),
                _ => self.shared(location.0[kind])?,
            };
            if !part.is_empty() {
                name.extend([before, &*part, after]);
            }
        }
        Ok(name)
    }

    /// The module that a package has classes in.
    fn module(&self, package: &str) -> Result<Option<String>, String> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(package) {
            return Ok(Some(module.clone()));
        }
        let pairs = self.resource(&format!("/packages/{}", package.replace('/', ".")))?.unwrap_or_default();
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap_or_default());
        let mut pairs = pairs.chunks_exact(8).map(|pair| (word(&pair[..4]), word(&pair[4..])));
        let name =
            pairs.find(|(empty, _)| *empty == 0).map(|(_, name)| self.string(u64::from(name))).transpose()?;
        if let Some(name) = &name {
            modules.insert(package.to_owned(), name.clone());
        }
        Ok(name)
    }
}

impl Source for Image {
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some((package, _)) = name.rsplit_once('/') else { return Ok(None) };
        match self.module(package)? {
            Some(module) => self.resource(&format!("/{module}/{name}.class")),
            None => Ok(None),
        }
    }

    fn resource(&self, package: &str, path: &str) -> Result<Option<Vec<u8>>, String> {
        match self.module(package)? {
            Some(module) => Image::resource(self, &format!("/{module}/{path}")),
            None => Ok(None),
        }
    }
}

/// The hash of a name, as the JDK computes it.
fn hash(name: &str, seed: u32) -> u32 {
    name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(SEED) ^ u32::from(byte)) & 0x7fff_ffff
}
