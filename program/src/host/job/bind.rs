//! Arguments, bound to the parameters of a program before it begins.

use carnet_portal::call::{Area, Areas, Call, Caller, Ref};
use carnet_portal::capability::Capability;

use crate::bytecode::ParamPlace;
use crate::interp::{Machine, Stop, fits_scalar, fits_text};
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
    pub(super) others: &'a [Capability],
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
            (ParamPlace::Slot(slot), Argument::Scalar(value)) => self.bind_scalar(slot, *value),
            (ParamPlace::Slot(slot), Argument::Text(text)) => self.bind_text(slot, text),
            (ParamPlace::Register(register), Argument::Portal(index)) => {
                let portal = self.portals.get(*index as usize).ok_or("no such portal in the request")?;
                self.bind_portal(register, portal.clone())
            }
            (ParamPlace::Register(register), Argument::Named(text)) => {
                let portal = self.named(register, text)?;
                self.bind_portal(register, portal)
            }
            (ParamPlace::Slot(_), _) => Err("a portal where a value is expected".to_owned()),
            (ParamPlace::Register(_), _) => Err("a value where a portal is expected".to_owned()),
        }
    }

    fn bind_scalar(&mut self, slot: u16, value: i64) -> Result<(), String> {
        fits_scalar(self.program.slots[slot as usize], value)?;
        self.machine.set_scalar(slot, value);
        Ok(())
    }

    fn bind_text(&mut self, slot: u16, text: &[u8]) -> Result<(), String> {
        fits_text(self.program.slots[slot as usize], text)?;
        self.machine.set_text(self.program, slot, text).map_err(|stop| match stop {
            Stop::Limit(kind) => {
                let (used, limit) = (self.machine.memory(), self.machine.budget.memory_max);
                let (needed, limit) = (kind.amount(used + text.len() as u64), kind.amount(limit));
                format!("with it the arguments take {needed}, and this server's limit for a run is {limit}")
            }
            _ => format!("a text of {} bytes, which is too long", text.len()),
        })
    }

    fn bind_portal(&mut self, register: u16, portal: Capability) -> Result<(), String> {
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
        self.machine.set_portal(register, portal);
        Ok(())
    }

    /// The portal that `text` names, by the root of its interface.
    fn named(&mut self, register: u16, text: &[u8]) -> Result<Capability, String> {
        let (module, id) = self.program.registers[register as usize];
        let interface = &module.interfaces[id.index()];
        let is_it = |root: &&Capability| {
            let (found, found_id) = root.object().interface();
            std::ptr::eq(module, found) && id == found_id
        };
        let root = std::iter::once(self.root).chain(self.others).find(is_it);
        let root = root.ok_or_else(|| format!("this server makes no {} of a text", interface.name))?;
        *self.made += u64::from(interface.argument.is_some());
        portal_of_text(root, text, self.caller)
    }
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
