//! The service behind `desk.idl`, by hand: it logs what is done to it, and what it lets go of.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Area, Call, Failure, Object};
use carnet_portal::capability::Grant;
use carnet_portal::direct::{self, Entry};

pub(crate) fn module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        carnet_idl::compile_str("desk.idl", include_str!("desk.idl")).expect("desk.idl compiles")
    });
    &MODULE
}

/// What all objects of one run share.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) log: Mutex<Vec<String>>,
    pub(crate) grant: Grant,
}

impl World {
    fn note(&self, line: String) {
        self.log.lock().expect("no test panics while it logs").push(line);
    }

    pub(crate) fn root(self: &Arc<World>) -> Arc<dyn Object> {
        Arc::new(Desk(Arc::clone(self)))
    }

    fn made(self: &Arc<World>, name: &[u8]) -> Arc<dyn Object> {
        Arc::new(Box { world: Arc::clone(self), name: String::from_utf8_lossy(name).into_owned() })
    }
}

struct Desk(Arc<World>);

struct Box {
    world: Arc<World>,
    name: String,
}

impl Drop for Box {
    fn drop(&mut self) {
        self.world.note(format!("release {}", self.name));
    }
}

fn missing() -> Failure {
    Failure::raised(1, "it is not there".to_owned())
}

fn text(call: &Call<'_>, word: usize, max: u32) -> Result<Vec<u8>, Failure> {
    Ok(call.areas.string(call.words[word], max)?.to_vec())
}

fn put(call: &mut Call<'_>, word: usize, fill: impl FnOnce(&mut Area)) -> Result<(), Failure> {
    let mut area = call.areas.take(call.words[word])?;
    fill(&mut area);
    call.words[word] = call.areas.put(call.words[word], area)?;
    Ok(())
}

impl Object for Desk {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(1))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let world = &self.0;
        let name = module().interfaces[1].operations[op as usize].name.as_str();
        let n = call.words.first().map_or(0, |word| word.cast_signed());
        match name {
            "echo" => {
                world.note(format!("echo {n}"));
                match n {
                    -1 => return Err(missing()),
                    ..-1 => return Err(Failure::raised(2, "es zerbrach — ä".to_owned())),
                    _ => call.words[1] = n.cast_unsigned(),
                }
            }
            "is" => {
                world.note(format!("is {n}"));
                call.words[1] = n.cast_unsigned();
            }
            "open" | "make" => {
                let label = text(call, 0, 20)?;
                world.note(format!("{name} {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                call.words[1] = call.make(world.made(&label));
            }
            "note" => {
                let label = text(call, 0, 40)?;
                world.note(format!("note {:?}", String::from_utf8_lossy(&label)));
            }
            "items" => self.items(call)?,
            "seal" => {
                world.note("seal".to_owned());
                world.grant.revoke();
            }
            "numbers" => {
                world.note("numbers".to_owned());
                put(call, 0, |area| area.words.extend([3, 1, 2]))?;
            }
            "weigh" => {
                let label = text(call, 0, 10)?;
                let [_, size, color, n, ..] = *call.words else { return Err(Failure::service("the block")) };
                world.note(format!(
                    "weigh {} {size} {color} {}",
                    String::from_utf8_lossy(&label),
                    n.cast_signed()
                ));
                call.words[4] = size.wrapping_add(n);
            }
            "late" => {
                world.note("late".to_owned());
                return Err(Failure::raised(1, "too late".to_owned()));
            }
            "find" | "all" | "paint" | "cut" => return self.described(name, call),
            "wait" => {
                world.note(format!("wait {n}"));
                call.words[1] = n.cast_unsigned();
            }
            "set" => {
                let m = call.words[1];
                if i32::try_from(n).is_err() || u16::try_from(m).is_err() {
                    return Err(Failure::bad_argument("a number that its parameter does not take"));
                }
                world.note(format!("set {n} {m}"));
                if n < 0 {
                    return Err(missing());
                }
            }
            _ => {
                world.note(format!("split {n}"));
                (call.words[1], call.words[2]) = ((n / 10).cast_unsigned(), (n % 10).cast_unsigned());
            }
        }
        Ok(())
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Desk {
    fn items(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        let (prefix, after) = (text(call, 0, 20)?, text(call, 1, 10)?);
        let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        self.0.note(format!("items {:?} after {:?}", show(&prefix), show(&after)));
        match &*prefix {
            b"none" => {
                call.words[3] = 0;
                return put(call, 2, |_| {});
            }
            b"fails" if !after.is_empty() => return Err(missing()),
            _ => {}
        }
        let after = if prefix == b"more" { Vec::new() } else { after };
        let first = after.last().map_or(0, |last| last - b'a' + 1);
        let to = (first + 3).min(7);
        put(call, 2, |area| add_items(area, first..to))?;
        call.words[3] = u64::from(to == 7);
        Ok(())
    }

    /// What gives back texts.
    fn described(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        match name {
            "find" => {
                let label = text(call, 0, 10)?;
                self.0.note(format!("find {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                (call.words[2], call.words[3]) = (label.len() as u64, 1);
                put(call, 1, |area| area.bytes.extend_from_slice(&label))
            }
            "all" => {
                self.0.note("all".to_owned());
                put(call, 0, |area| add_items(area, 0..5))
            }
            "paint" => {
                let [shade, done, color, ..] = *call.words else { return Err(Failure::service("the block")) };
                self.0.note(format!("paint {shade} {done} {color}"));
                (call.words[1], call.words[2]) = (0, 2);
                put(call, 3, |area| {
                    area.bytes.extend_from_slice(format!("{done} {color} {shade}").as_bytes())
                })
            }
            _ => {
                let len = call.words[0].min(4) as usize;
                self.0.note(format!("cut {len}"));
                put(call, 1, |area| area.bytes.extend_from_slice(&"ää".as_bytes()[..len]))
            }
        }
    }
}

fn add_items(area: &mut Area, items: Range<u8>) {
    for k in items {
        let name = area.add_string(&[b'a' + k]).unwrap_or_default();
        area.words.extend([name, u64::from(k), u64::from(k % 3)]);
    }
}

impl Object for Box {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let name = module().interfaces[0].operations[op as usize].name.as_str();
        let me = &self.name;
        match name {
            "name" => {
                self.world.note(format!("{me}.name"));
                put(call, 0, |area| area.bytes.extend_from_slice(me.as_bytes()))?;
            }
            "size" => {
                self.world.note(format!("{me}.size"));
                if me == "broken" {
                    return Err(Failure::raised(2, "broken".to_owned()));
                }
                call.words[0] = me.len() as u64;
            }
            "inner" => {
                let label = text(call, 0, 20)?;
                self.world.note(format!("{me}.inner {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                call.words[1] = call.make(self.world.made(&label));
            }
            "put" => {
                let data = call.areas.bytes(call.words[0], 200)?.len();
                self.world.note(format!("{me}.put {data} bytes"));
                if me == "broken" {
                    return Err(Failure::raised(2, "broken".to_owned()));
                }
                call.words[1] = data as u64;
            }
            "copy" => {
                let source = call.portal(call.words[0], "desk", "Box")?.object().clone();
                let source = source.service().downcast_ref::<Box>().map_or("?", |source| &source.name);
                self.world.note(format!("{me}.copy from {source} {}", call.words[1].cast_signed()));
                call.words[2] = (call.words[1].cast_signed() / 2).cast_unsigned();
            }
            "same" => {
                let other = call.portal(call.words[0], "desk", "Box")?.object().clone();
                let other = other.service().downcast_ref::<Box>().map_or("?", |other| &other.name);
                self.world.note(format!("{me}.same {other}"));
                call.words[1] = u64::from(me == other);
            }
            "bump" => {
                self.world.note(format!("{me}.bump {}", call.words[0].cast_signed()));
                call.words[0] = call.words[0].wrapping_mul(2).wrapping_add(1);
            }
            _ => {
                let n = call.words[0].min(200) as usize;
                self.world.note(format!("{me}.data {n}"));
                put(call, 1, |area| area.bytes.resize(n, b'x'))?;
            }
        }
        Ok(())
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}
