//! Arguments, bound to the parameters of a program before it begins.

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Area, Areas, Call, Caller, Ref};
use carnet_portal::capability::Capability;

use crate::bytecode::ParamPlace;
use crate::host::beside::{Root, ServiceName};
use crate::interp::{Given, Machine, Stop, fits_scalar, fits_text};
use crate::protocol::Argument;
use crate::verify::Loaded;

/// Puts arguments where the machine of a program finds them.
pub(super) struct Binder<'a> {
    pub(super) program: &'a Loaded,
    pub(super) machine: &'a mut Machine,
    /// Those of the request.
    pub(super) portals: &'a [Capability],
    /// The session's root object. Its `@argument` operation makes the portals that are named by texts.
    pub(super) root: &'a Capability,
    /// Those of other services.
    pub(super) others: &'a [Root],
    pub(super) caller: &'a Caller,
    /// Counts the calls that were made for that.
    pub(super) made: &'a mut u64,
}

impl Binder<'_> {
    /// Binds one argument.
    ///
    /// # Errors
    /// Why it does not fit, or what the root object answered.
    pub(super) fn bind(&mut self, argument: &Argument<'_>, place: ParamPlace) -> Result<(), String> {
        match (place, argument) {
            (ParamPlace::Slot(slot), Argument::Scalar(value)) => {
                fits_scalar(self.program.slots[slot as usize], *value)?;
                self.give(place, Given::Scalar(*value))
            }
            (ParamPlace::Slot(slot), Argument::Text(text)) => {
                fits_text(self.program.slots[slot as usize], text)?;
                self.give(place, Given::Text(text))
            }
            (ParamPlace::Register(register), Argument::Portal(index)) => {
                let portal = self.portals.get(*index as usize).ok_or("no such portal in the request")?;
                self.fits_portal(register, portal)?;
                self.give(place, Given::Portal(portal.clone()))
            }
            (ParamPlace::Register(register), Argument::Named(text)) => {
                let portal = self.named(register, text)?;
                self.fits_portal(register, &portal)?;
                self.give(place, Given::Portal(portal))
            }
            (ParamPlace::Slot(_), _) => Err("a portal where a value is expected".to_owned()),
            (ParamPlace::Register(_), _) => Err("a value where a portal is expected".to_owned()),
        }
    }

    fn give(&mut self, place: ParamPlace, given: Given<'_>) -> Result<(), String> {
        let len = if let Given::Text(text) = given { text.len() } else { 0 };
        self.machine.give(self.program, place, given).map_err(|stop| match stop {
            Stop::Limit(kind) => {
                let (used, limit) = (self.machine.memory(), self.machine.budget.memory_max);
                let (needed, limit) = (kind.amount(used + len as u64), kind.amount(limit));
                format!("with it the arguments take {needed}, and this server's limit for a run is {limit}")
            }
            _ => format!("a text of {len} bytes, which is too long"),
        })
    }

    fn fits_portal(&self, register: u16, portal: &Capability) -> Result<(), String> {
        let (wanted, id) = self.program.registers[register as usize];
        let (found, found_id) = portal.object().interface();
        if !std::ptr::eq(wanted, found) || id != found_id {
            return Err(format!(
                "a portal on {}.{} where {}.{} is expected",
                found.name,
                found.interfaces[found_id.index()].name,
                wanted.name,
                wanted.interfaces[id.index()].name
            ));
        }
        Ok(())
    }

    /// The portal that `text` names, by the root of its interface.
    fn named(&mut self, register: u16, text: &[u8]) -> Result<Capability, String> {
        let (module, id) = self.program.registers[register as usize];
        let others =
            self.others.iter().map(|Root { name, root }| (name.as_ref().map(ServiceName::as_str), root));
        let roots = std::iter::once((None, self.root)).chain(others);
        let (root, text) = root_meant(roots, (module, id), text)?;
        *self.made += u64::from(module.interfaces[id.index()].argument.is_some());
        portal_of_text(root, text, self.caller)
    }
}

/// The root of this interface that a text means, and what it says to that. `roots` are those of all services, each with its name if it has one.
///
/// # Errors
/// There is none, or the text says not which, for people.
pub fn root_meant<'r, 't>(
    roots: impl Iterator<Item = (Option<&'r str>, &'r Capability)> + Clone,
    (module, id): (&'static Module, InterfaceId),
    text: &'t [u8],
) -> Result<(&'r Capability, &'t [u8]), String> {
    let is_it = |(_, root): &(_, &Capability)| {
        let (found, found_id) = root.object().interface();
        std::ptr::eq(module, found) && id == found_id
    };
    let has_names = roots.clone().any(|(name, _)| name.is_some());
    let mut found = roots.filter(is_it);
    let (root, text) = if has_names {
        meant(&found.collect::<Vec<_>>(), text)?
    } else {
        (found.next().map(|(_, root)| root), text)
    };
    let none = || format!("this server makes no {} of a text", module.interfaces[id.index()].name);
    Ok((root.ok_or_else(none)?, text))
}

/// Which of several services with one interface a text means, and what it says to that.
///
/// # Errors
/// All have names, and it says none.
fn meant<'r, 't, R>(
    roots: &[(Option<&str>, &'r R)],
    text: &'t [u8],
) -> Result<(Option<&'r R>, &'t [u8]), String> {
    let is_named = roots.iter().any(|(name, _)| name.is_some());
    if let Some((root, behind)) = called(roots, text) {
        return Ok((Some(root), behind));
    }
    // The colon is before a name, or it is the text's own.
    let text = text.strip_prefix(b":").filter(|behind| called(roots, behind).is_some()).unwrap_or(text);
    let plain = roots.iter().find(|(name, _)| name.is_none()).or(roots.first().filter(|_| roots.len() == 1));
    if plain.is_none() && is_named {
        let names: Vec<String> =
            roots.iter().filter_map(|(name, _)| Some(format!("`{}:`", (*name)?))).collect();
        return Err(format!(
            "the text says not which service it means: it must begin with {}",
            names.join(" or ")
        ));
    }
    Ok((plain.map(|(_, root)| *root), text))
}

/// The root whose name a text begins with, and what is behind that.
fn called<'r, 't, R>(roots: &[(Option<&str>, &'r R)], text: &'t [u8]) -> Option<(&'r R, &'t [u8])> {
    let at = text.iter().position(|byte| *byte == b':')?;
    let is_called = |(name, _): &&(Option<&str>, _)| name.is_some_and(|name| name.as_bytes() == &text[..at]);
    roots.iter().find(is_called).map(|(_, root)| (*root, &text[at + 1..]))
}

/// Asks a root object for the portal that `text` names, by the `@argument` operation of its interface. Of an interface without one,
/// the empty text names the root itself.
///
/// # Errors
/// Why there is none, for people.
pub fn portal_of_text(root: &Capability, text: &[u8], caller: &Caller) -> Result<Capability, String> {
    let (module, id) = root.object().interface();
    let interface = &module.interfaces[id.index()];
    if root.is_revoked() {
        return Err("the session's root was revoked".to_owned());
    }
    let Some(op) = interface.argument else {
        let none = || format!("this server makes no {} of a text", interface.name);
        return if text.is_empty() { Ok(root.clone()) } else { Err(none()) };
    };
    let mut areas = Areas { list: vec![Area { bytes: text.to_vec(), words: Vec::new() }] };
    let mut made = Vec::new();
    let word = Ref::new(0, 0, text.len()).ok_or("a text that is too long")?;
    let mut words = [word.0, 0];
    let mut call = Call { words: &mut words, areas: &mut areas, portals: &[], made: &mut made, caller };
    root.object().dispatch(op, &mut call).map_err(|failure| failure.details().message.clone())?;
    let object = made.into_iter().nth(words[1] as usize).ok_or("the service made no portal")?;
    Ok(Capability::under(object, root.grant()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_say_which_service_they_mean() {
        let own = [(None, &0)];
        let two = [(None, &0), (Some("far"), &1), (Some("b"), &2)];
        let named = [(Some("far"), &1), (Some("b"), &2)];
        let one = [(Some("far"), &1)];
        type Roots<'r> = &'r [(Option<&'r str>, &'r i32)];
        let cases: &[(Roots<'_>, &str, Option<i32>, &str)] = &[
            (&own, "far:/x", Some(0), "far:/x"),
            (&own, ":x", Some(0), ":x"),
            (&two, "/x", Some(0), "/x"),
            (&two, "far:/x", Some(1), "/x"),
            (&two, "far:", Some(1), ""),
            (&two, "b:far:/x", Some(2), "far:/x"),
            (&two, "farther:/x", Some(0), "farther:/x"),
            (&two, "/far:/x", Some(0), "/far:/x"),
            (&two, ":far:/x", Some(0), "far:/x"),
            (&two, "::far:/x", Some(0), "::far:/x"),
            (&two, ":x", Some(0), ":x"),
            (&two, ":fra:x", Some(0), ":fra:x"),
            (&two, "", Some(0), ""),
            (&one, "/x", Some(1), "/x"),
            (&one, "far:/x", Some(1), "/x"),
            (&one, ":far:/x", Some(1), "far:/x"),
            (&[], "far:/x", None, "far:/x"),
        ];
        for (roots, text, root, rest) in cases {
            let found = meant(roots, text.as_bytes()).expect(text);
            assert_eq!((found.0.copied(), found.1), (*root, rest.as_bytes()), "{text}");
        }
        let why = meant(&named, b"/x").expect_err("it may be either");
        assert_eq!(why, "the text says not which service it means: it must begin with `far:` or `b:`");
    }
}
