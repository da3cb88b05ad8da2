//! A run that stopped, as bytes from which another process can let it go on.
//!
//! ```text
//! program installed u8; approval needed u8; in doubt u8 (2: other values since); stops u32; calls before it began u64; used: calls, writes, bytes, instructions,
//! ns, u64 each; of that, calls and writes that did nothing, u64 each; limits of the header u64 each behind their number; roots behind their number: interface's module, identity; portals
//! behind their number: interface's module, and 1 and the name below its root, or 0 for the root itself; the machine's memento
//! ```
//! Roots are those below which it holds something. It goes on below the same ones: a name means another object below another root.
//! What its principal and its session may do is asked anew when it goes on: limits of the policy, allowances, rights of the root.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::session::Session;
use carnet_portal::sturdy::Sturdy;

use super::doubt::Doubt;
use super::{Approval, Job};
use crate::host::beside::Root;
use crate::host::cache::Cached;
use crate::limits::{Amounts, Budget};
use crate::protocol::codec::{Reader, Writer};
use crate::protocol::{Malformed, NotWalked};

/// Services that can name their objects.
pub(in crate::host) type Names = [Box<dyn Sturdy>];

/// Why a run that is kept in a file cannot go on.
pub(in crate::host) enum CannotGoOn {
    /// For people: a clause.
    Because(String),
    Malformed,
}

impl From<Malformed> for CannotGoOn {
    fn from(Malformed: Malformed) -> CannotGoOn {
        CannotGoOn::Malformed
    }
}

/// A portal as it can be had again.
struct Name {
    module: String,
    /// Below the root of that module; `None` is the root itself.
    below: Option<Vec<u8>>,
}

fn is_same(a: &Capability, b: &Capability) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(a.object()), Arc::as_ptr(b.object()))
}

/// What tells a root from others, by the module of its interface.
type Identities = BTreeMap<String, Vec<u8>>;

/// Roots of a module, each with who names what is below it: services are named in the order of their roots. None, if they are not.
fn of_module<'s>(
    module: &str,
    roots: &'s [Capability],
    names: &'s Names,
) -> Vec<(&'s Capability, &'s dyn Sturdy)> {
    let roots: Vec<_> = roots.iter().filter(|root| root.object().interface().0.name == module).collect();
    let names: Vec<_> = names.iter().filter(|sturdy| sturdy.module().name == module).collect();
    if roots.len() != names.len() {
        return Vec::new();
    }
    roots.into_iter().zip(names).map(|(root, sturdy)| (root, &**sturdy)).collect()
}

/// What is said of an object that it holds: a clause.
fn holds(object: &dyn Object, why: &str) -> String {
    let (module, id) = object.interface();
    format!("it holds a {}.{} that {why}", module.name, module.interfaces[id.index()].name)
}

/// Services that may have the object of a portal: of several of one module each knows its own.
fn namers<'n>(portal: &Capability, names: &'n Names) -> impl Iterator<Item = &'n dyn Sturdy> {
    let (module, _) = portal.object().interface();
    names.iter().filter(move |sturdy| sturdy.module().name == module.name).map(|sturdy| &**sturdy)
}

/// Has again what is lost of that, for a session of this caller. It may take long.
///
/// # Errors
/// What cannot be had again, and why, for people: a clause.
pub(in crate::host) fn has_again(held: &[Capability], names: &Names, caller: &Caller) -> Result<(), String> {
    for portal in held {
        let object = &**portal.object();
        for sturdy in namers(portal, names).filter(|sturdy| sturdy.is_lost(object)) {
            sturdy.have_again(object, caller).map_err(|why| holds(object, &why))?;
        }
    }
    Ok(())
}

/// The name of a portal; its root's identity is put to the others.
fn name_of(
    portal: &Capability,
    roots: &[Capability],
    names: &Names,
    identities: &mut Identities,
) -> Result<Name, String> {
    let (module, _) = portal.object().interface();
    let not = |why: &str| holds(&**portal.object(), why);
    if portal.is_revoked() {
        return Err(not("was revoked"));
    }
    let nobody = || not("its service cannot find again");
    let (root, sturdy) = match of_module(&module.name, roots, names)[..] {
        [one] => one,
        [] => return Err(nobody()),
        // By its interface nobody sees of which.
        _ => return Err(not("is of one of several services with that interface")),
    };
    let own = Some(root).filter(|root| is_same(root, portal));
    if !identities.contains_key(&module.name) {
        let identity = sturdy.identity(&**root.object());
        let identity =
            identity.map_err(|why| format!("it holds what is below a root of {} that {why}", module.name))?;
        identities.insert(module.name.clone(), identity);
    }
    let below = match own {
        Some(_) => None,
        None => Some(sturdy.name(&**root.object(), &**portal.object()).map_err(|why| not(&why))?),
    };
    Ok(Name { module: module.name.clone(), below })
}

impl Job {
    /// What another process needs to let it go on, after a stop.
    ///
    /// # Errors
    /// Why it cannot, for people: a clause.
    pub(in crate::host) fn memento(&self, names: &Names) -> Result<Vec<u8>, String> {
        let held = self.machine.held();
        let mut roots = Identities::new();
        let named = held.iter().map(|portal| name_of(portal, &self.roots, names, &mut roots));
        let named: Vec<Name> = named.collect::<Result<_, _>>()?;
        let Amounts { calls, writes, written, instructions } = self.before;
        let mut w = Writer::with_capacity(1024);
        w.u8(u8::from(self.cached.is_installed));
        w.u8(u8::from(self.approval == Approval::Needed));
        w.u8(self.doubt as u8);
        w.u32(self.stops);
        [self.made, calls, writes, written, instructions, self.before_ns].into_iter().for_each(|n| w.u64(n));
        [self.undone.calls, self.undone.writes].into_iter().for_each(|n| w.u64(n));
        w.count(self.caps.len());
        self.caps.iter().for_each(|cap| w.u64(cap.limit));
        w.count(roots.len());
        for (module, identity) in &roots {
            w.bytes(module.as_bytes());
            w.bytes(identity);
        }
        w.count(named.len());
        for Name { module, below } in &named {
            w.bytes(module.as_bytes());
            w.option(below.as_ref(), |w, below| w.bytes(below));
        }
        self.machine.write_memento(&self.cached.program, &held, &mut w);
        Ok(w.finish())
    }

    /// What it holds.
    pub(in crate::host) fn held(&self) -> Vec<Capability> {
        self.machine.held()
    }

    /// It is kept for so long at most: services hold on to what it holds.
    pub(in crate::host) fn holds_on(&self, names: &Names, at_most: Duration) {
        for portal in self.machine.held() {
            for sturdy in namers(&portal, names) {
                sturdy.keep(&**portal.object(), at_most);
            }
        }
    }

    /// What it holds and nobody can have again, for people: a clause. Nothing waits for that.
    pub(in crate::host) fn gone(&self, names: &Names) -> Option<String> {
        let held = self.walk_held().unwrap_or_else(|| self.machine.held());
        held.iter().find_map(|portal| {
            let object = &**portal.object();
            namers(portal, names).find_map(|sturdy| sturdy.gone(object)).map(|why| holds(object, &why))
        })
    }

    /// Whether it holds what its calls would not get to, as far as can be seen without waiting.
    pub(in crate::host) fn has_lost(&self, names: &Names) -> bool {
        let held = self.machine.held();
        held.iter().any(|portal| namers(portal, names).any(|sturdy| sturdy.is_lost(&**portal.object())))
    }

    /// Takes a run over that another process has kept; its portals are had again below the roots of this session. It is as it was
    /// when it stopped then: ready for [`Job::resume`].
    ///
    /// # Errors
    /// [`CannotGoOn`]. Nothing was done but calls that find objects.
    pub(in crate::host) fn take_over(
        &mut self,
        cached: Arc<Cached>,
        name: &str,
        memento: &[u8],
        session: &Session,
        others: &[Root],
        names: &Names,
    ) -> Result<(), CannotGoOn> {
        let mut r = Reader::new(memento);
        let was_installed = r.bool()?;
        if was_installed != cached.is_installed {
            let now = if cached.is_installed { "is installed now" } else { "is installed no more" };
            return Err(CannotGoOn::Because(format!("its program {now}")));
        }
        self.cached = cached;
        self.approval = if r.bool()? { Approval::Needed } else { Approval::NotNeeded };
        self.doubt = Doubt::from_number(r.u8()?)?;
        self.stops = r.u32()?;
        self.not_walked = NotWalked::Earlier;
        self.made = r.u64()?;
        let [calls, writes, written, instructions] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?];
        self.before = Amounts { calls, writes, written, instructions };
        self.before_ns = r.u64()?;
        self.undone = Amounts { calls: r.u64()?, writes: r.u64()?, ..Amounts::default() };
        let limits = r.list(8, Reader::u64)?;
        self.caps.clear();
        self.caps.extend_from_slice(&self.cached.program.caps);
        if limits.len() != self.caps.len() {
            return Err(Malformed.into());
        }
        self.caps.iter_mut().zip(limits).for_each(|(cap, limit)| cap.limit = limit);
        self.name.clear();
        self.name.push_str(name);
        self.stands_below(session, others);
        let roots = r.list(8, |r| Ok((r.string()?, r.bytes()?.to_vec())))?;
        let roots: Identities = roots.into_iter().collect();
        for (module, identity) in &roots {
            self.root_of(module, identity, names).map_err(CannotGoOn::Because)?;
        }
        let named =
            r.list(5, |r| Ok(Name { module: r.string()?, below: r.option(|r| Ok(r.bytes()?.to_vec()))? }))?;
        let held: Vec<Capability> = named
            .iter()
            .map(|name| match roots.get(&name.module) {
                Some(identity) => self.find(name, identity, session, names).map_err(CannotGoOn::Because),
                None => Err(CannotGoOn::Malformed),
            })
            .collect::<Result<_, _>>()?;
        self.machine.reset(&self.cached.program, Budget::default());
        self.machine.read_memento(&self.cached.program, &held, &mut r)?;
        r.end()?;
        Ok(())
    }

    /// Whether it was begun with an approval that was needed.
    pub(in crate::host) fn was_approved(&self) -> bool {
        self.approval == Approval::Needed
    }

    /// The root of a module that the run began below, and who finds objects below it. If there are several by now, as when another
    /// service of that interface has come, it is the one that is known again.
    fn root_of<'s>(
        &'s self,
        module: &'s str,
        identity: &[u8],
        names: &'s Names,
    ) -> Result<(&'s Capability, &'s dyn Sturdy), String> {
        let mut why = match self.roots.iter().any(|root| root.object().interface().0.name == module) {
            false => format!("this server has no {module} at its root"),
            true => format!("this server finds no objects of {module} again"),
        };
        for (root, sturdy) in of_module(module, &self.roots, names) {
            if root.is_revoked() {
                why = "the session's root was revoked".to_owned();
                continue;
            }
            match sturdy.identity(&**root.object()) {
                Ok(found) if found == identity => return Ok((root, sturdy)),
                Ok(_) => why = format!("it began below another root of {module} than this server has"),
                Err(said) => why = format!("this server has a root of {module} that {said}"),
            }
        }
        Err(why)
    }

    /// The portal with a name.
    fn find(
        &self,
        name: &Name,
        identity: &[u8],
        session: &Session,
        names: &Names,
    ) -> Result<Capability, String> {
        let (root, sturdy) = self.root_of(&name.module, identity, names)?;
        let Some(below) = &name.below else { return Ok(root.clone()) };
        let object = sturdy.find(&**root.object(), below, session.caller())?;
        Ok(Capability::under(object, root.grant()))
    }
}
