//! Files with recordings: when the run began, its services, the calls, and at the end a SHA-256 of all that.
//!
//! A service is its name, with the byte that counts its bytes; the number of its root's interface (16 bits); and the module, with the length of
//! that (32). The first is the session's own. A byte before them counts those beside it.
//!
//! The digest tells what was cut or edited by mistake. Whoever means to can make another one: what is replayed is checked as it is by a client.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_idl::read_regular;
use carnet_portal::capability::Capability;
use carnet_portal::recording::{BYTES_MAX, Tape};
use carnet_program::host::ServiceName;
use sha2::{Digest as _, Sha256};

use super::{On, Other, named};

use crate::exit::Problem;
use crate::source::shown;

/// Version 3 had descriptors with operations that are `@once`, which their own version did not say.
const MAGIC: &[u8] = b"carnet recording 4\n";
/// Of all versions.
const KIND: &[u8] = b"carnet recording ";
const DIGEST_BYTES: usize = 32;
/// Services beside the first.
const OTHERS_MAX: usize = u8::MAX as usize;

/// What a file has.
pub(super) struct Recording {
    /// The session's own.
    own: Service,
    /// Those beside it.
    others: Vec<Service>,
    /// When the run began, in ns.
    started: i64,
    tape: Arc<Tape>,
}

struct Service {
    name: Option<ServiceName>,
    module: &'static Module,
    /// Interface of the root.
    root: InterfaceId,
}

impl Recording {
    /// One of what is called on these; what is called instead.
    ///
    /// # Errors
    /// If there are more services than a recording has.
    pub(super) fn begin(on: &On) -> Result<(Recording, On), Problem> {
        if on.others.len() > OTHERS_MAX {
            return Err(Problem::usage(format!(
                "error: a recording has the calls of {OTHERS_MAX} services beside the first, and the server has {}",
                on.others.len()
            )));
        }
        let (tape, started) = (Arc::<Tape>::default(), on.started);
        let recorded = |root: &Capability| Capability::new(tape.record(Arc::clone(root.object())));
        let own = recorded(&on.own);
        let others = on.others.iter();
        let others = others.map(|Other { name, root }| Other { name: name.clone(), root: recorded(root) });
        let instead = On { own, others: others.collect(), started };
        let others = on.others.iter().map(|Other { name, root }| Service::of(name.clone(), root)).collect();
        Ok((Recording { own: Service::of(None, &on.own), others, started, tape }, instead))
    }

    /// What answers as was recorded.
    pub(super) fn play(&self) -> On {
        let played = |service: &Service| Capability::new(self.tape.play(service.module, service.root));
        let own = played(&self.own);
        let others = self.others.iter();
        let others = others.map(|service| Other { name: service.name.clone(), root: played(service) });
        On { own, others: others.collect(), started: self.started }
    }

    /// The interfaces of its services.
    pub(super) fn modules(&self) -> Vec<&'static Module> {
        self.services().map(|service| service.module).collect()
    }

    fn services(&self) -> impl Iterator<Item = &Service> {
        std::iter::once(&self.own).chain(&self.others)
    }

    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Recording, Problem> {
        let unread = |why: &dyn std::fmt::Display| {
            Problem::usage(format!("error: cannot replay {}: {why}", shown(path)))
        };
        let bytes = read_regular(path, 2 * BYTES_MAX as u64).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => unread(&"it is larger than any recording"),
            _ => unread(&error),
        })?;
        let body = body(&bytes).map_err(|why| unread(&why))?;
        Recording::decode(body).ok_or_else(|| unread(&"what is in it is no recording"))
    }

    fn decode(bytes: &[u8]) -> Option<Recording> {
        let (started, bytes) = bytes.split_first_chunk()?;
        let ([others], mut rest) = bytes.split_first_chunk()?;
        let own = Service::decode(&mut rest, &[]).filter(|own| own.name.is_none())?;
        let mut known = vec![own.module];
        let mut read = Vec::new();
        for _ in 0..*others {
            let other = Service::decode(&mut rest, &known)?;
            known.push(other.module);
            read.push(other);
        }
        let (started, tape) = (i64::from_le_bytes(*started), Tape::decode(rest).ok()?);
        Some(Recording { own, others: read, started, tape })
    }

    /// A file for a recording. It must not be there yet: what is in it could not be made again.
    pub(super) fn create(path: &Path) -> Result<File, Problem> {
        File::create_new(path).map_err(|error| unwritten(path, &error))
    }

    /// Writes it.
    pub(super) fn write(&self, mut file: File, path: &Path) -> Result<(), Problem> {
        let mut head = self.started.to_le_bytes().to_vec();
        head.push(u8::try_from(self.others.len()).unwrap_or(u8::MAX));
        self.services().for_each(|service| service.encode(&mut head));
        let mut digest = Sha256::new();
        for part in [MAGIC, &head, &self.tape.encode()] {
            digest.update(part);
            file.write_all(part).map_err(|error| unwritten(path, &error))?;
        }
        file.write_all(&digest.finalize()).map_err(|error| unwritten(path, &error))
    }
}

impl Service {
    fn of(name: Option<ServiceName>, root: &Capability) -> Service {
        let (module, root) = root.object().interface();
        Service { name, module, root }
    }

    fn encode(&self, to: &mut Vec<u8>) {
        let name = self.name.as_ref().map_or("", ServiceName::as_str);
        // No name is as long, and no module.
        to.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
        to.extend_from_slice(name.as_bytes());
        to.extend(self.root.0.to_le_bytes());
        let module = carnet_idl::encode(self.module);
        to.extend(u32::try_from(module.len()).unwrap_or(u32::MAX).to_le_bytes());
        to.extend(module);
    }

    /// Reads one. Several have one module, which may be `known`.
    fn decode(from: &mut &[u8], known: &[&'static Module]) -> Option<Service> {
        let ([len], rest) = from.split_first_chunk()?;
        let (name, rest) = rest.split_at_checked(usize::from(*len))?;
        let name = named(str::from_utf8(name).ok()?)?;
        let (root, rest) = rest.split_first_chunk()?;
        let (len, rest) = rest.split_first_chunk()?;
        let (module, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        *from = rest;
        let module = carnet_idl::decode(module).ok()?;
        let known = known.iter().find(|known| ***known == module);
        let module = known.copied().unwrap_or_else(|| Box::leak(Box::new(module)));
        let root = InterfaceId(u16::from_le_bytes(*root));
        module.interfaces.get(root.index())?;
        Some(Service { name, module, root })
    }
}

/// What is between the beginning of a file and its digest.
///
/// # Errors
/// Why it is not what was written, for people.
fn body(bytes: &[u8]) -> Result<&[u8], &'static str> {
    if !bytes.starts_with(KIND) {
        return Err("it is no recording; `carnet debug step --record` makes them");
    }
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err("it is of another version of Carnet, or was cut off; record it anew");
    };
    let (body, digest) = rest.split_last_chunk::<DIGEST_BYTES>().ok_or("it was cut off")?;
    match Sha256::digest(&bytes[..MAGIC.len() + body.len()])[..] == digest[..] {
        true => Ok(body),
        false => Err("it was cut off or edited: its end does not fit the rest"),
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage(format!(
        "error: cannot write the recording {}: {error}\ngive a file that is not there yet, where there is room",
        shown(path)
    ))
}
