//! Call sites: which bootstrap method one names, with what, and the class for it.
//!
//! What it does not do: constants that bootstrap methods compute are no arguments, but for enum constants of switches.

use super::concat::{Concat, Literal, concat};
use super::lambda::{Lambda, lambda};
use super::record::{Component, Record, Which, record};
use super::switch::{Label, Switch, switch};
use super::{Handle, Unsupported, class_of, method};
use crate::bytes::{Cursor, Short};
use crate::class::{ClassFile, Computed, Constant, Pool, PoolIndex, find, shown};
use crate::descriptor;

/// Flags of `altMetafactory`: [`Lambda::markers`] and [`Lambda::bridges`] follow, and one more marker is `java/io/Serializable`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// Most arguments of a bootstrap method: those of the largest record, with its class and the names of its components.
const ARGUMENTS_MAX: usize = 256;

/// A call site, taken apart.
struct Site<'a, 'c> {
    class: &'c ClassFile<'a>,
    /// That of the class which is made.
    name: &'c [u8],
    method: &'a [u8],
    descriptor: &'a [u8],
    arguments: Vec<PoolIndex>,
}

/// The class called `name` for the call site whose `InvokeDynamic` stands at `at` in the pool of `class`.
///
/// # Errors
/// [`Unsupported`], if the bootstrap method is none of those in the table of this [module](super), or it would refuse its arguments.
pub fn site(class: &ClassFile<'_>, at: PoolIndex, name: &[u8]) -> Result<Vec<u8>, Unsupported> {
    let Constant::InvokeDynamic(computed) = class.pool.get(at) else {
        return Err(Unsupported::argument(class.pool.get(at).kind(), "InvokeDynamic"));
    };
    let (handle, arguments) = bootstrap(class, computed)?;
    let (method, descriptor) = typed(class, computed)?;
    if arguments.len() > ARGUMENTS_MAX {
        let found = format!("{} arguments", arguments.len());
        return Err(Unsupported::argument(found, "at most 256 of a bootstrap method"));
    }
    let site = Site { class, name, method, descriptor, arguments };
    match (handle.member.class, handle.member.name) {
        (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory") => site.lambda(),
        (b"java/lang/invoke/StringConcatFactory", b"makeConcat") => site.concat(None),
        (b"java/lang/invoke/StringConcatFactory", b"makeConcatWithConstants") => {
            let recipe = site.text(0)?;
            site.concat(Some(recipe))
        }
        (b"java/lang/runtime/ObjectMethods", b"bootstrap") => site.record(),
        (b"java/lang/runtime/SwitchBootstraps", b"typeSwitch") => site.switch(Site::type_label),
        (b"java/lang/runtime/SwitchBootstraps", b"enumSwitch") => site.switch(Site::enum_label),
        (class, name) => Err(Unsupported::Bootstrap(format!("{}.{}", shown(class), shown(name)))),
    }
}

/// The arguments of the bootstrap method of the call site whose `InvokeDynamic` stands at `at`.
///
/// # Errors
/// [`Unsupported`], if there is none.
pub fn arguments(class: &ClassFile<'_>, at: PoolIndex) -> Result<Vec<PoolIndex>, Unsupported> {
    match class.pool.get(at) {
        Constant::InvokeDynamic(computed) => Ok(bootstrap(class, computed)?.1),
        other => Err(Unsupported::argument(other.kind(), "InvokeDynamic")),
    }
}

/// The name of a class without its package and the classes around it, as its attribute InnerClasses has it.
#[must_use]
pub fn simple_name<'a>(class: &ClassFile<'a>) -> &'a [u8] {
    let inner = find(&class.attributes, &class.pool, "InnerClasses").unwrap_or_default();
    let own = |mut cursor: Cursor<'a>| -> Result<Option<PoolIndex>, Short> {
        for _ in 0..cursor.u16()? {
            let (inner, _outer) = (PoolIndex(cursor.u16()?), cursor.u16()?);
            let (name, _flags) = (PoolIndex(cursor.u16()?), cursor.u16()?);
            if class.pool.class(inner) == Some(class.name()) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    };
    match own(Cursor::new(inner)) {
        Ok(Some(name)) => class.pool.utf8(name).unwrap_or_default(),
        _ => class.name().rsplit(|byte| *byte == b'/').next().unwrap_or_default(),
    }
}

fn typed<'a>(class: &ClassFile<'a>, computed: Computed) -> Result<(&'a [u8], &'a [u8]), Unsupported> {
    let missing = || Unsupported::argument("no name and descriptor", "those of a call site");
    class.pool.name_and_type(computed.name_and_type).ok_or_else(missing)
}

/// The bootstrap method of a computed constant or call site, and its arguments.
fn bootstrap<'a>(
    class: &ClassFile<'a>,
    computed: Computed,
) -> Result<(Handle<'a>, Vec<PoolIndex>), Unsupported> {
    let table = find(&class.attributes, &class.pool, "BootstrapMethods").unwrap_or_default();
    let row = |mut cursor: Cursor<'a>| -> Result<(PoolIndex, Vec<PoolIndex>), Short> {
        if computed.bootstrap >= cursor.u16()? {
            return Err(Short);
        }
        for _ in 0..computed.bootstrap {
            let (_method, count) = (cursor.u16()?, cursor.u16()?);
            cursor.take(2 * usize::from(count))?;
        }
        let (method, count) = (PoolIndex(cursor.u16()?), cursor.u16()?);
        Ok((method, (0..count).map(|_| cursor.u16().map(PoolIndex)).collect::<Result<_, _>>()?))
    };
    let row = row(Cursor::new(table)).ok();
    let handle = row.and_then(|(method, arguments)| Some((Handle::of(&class.pool, method)?, arguments)));
    handle.ok_or_else(|| Unsupported::argument("no row of BootstrapMethods", "that of a call site"))
}

impl<'a> Site<'a, '_> {
    fn pool(&self) -> &Pool<'a> {
        &self.class.pool
    }

    fn at(&self, index: usize) -> PoolIndex {
        // What is not there is no constant.
        self.arguments.get(index).copied().unwrap_or_default()
    }

    fn wrong<T>(&self, index: usize, expected: &'static str) -> Result<T, Unsupported> {
        Err(Unsupported::argument(self.pool().get(self.at(index)).kind(), expected))
    }

    fn text(&self, index: usize) -> Result<&'a [u8], Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::String(text) => {
                self.pool().utf8(text).map_or_else(|| self.wrong(index, "a String"), Ok)
            }
            _ => self.wrong(index, "a String"),
        }
    }

    fn method_type(&self, index: usize) -> Result<&'a [u8], Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::MethodType(text) => {
                self.pool().utf8(text).map_or_else(|| self.wrong(index, "a MethodType"), Ok)
            }
            _ => self.wrong(index, "a MethodType"),
        }
    }

    fn class(&self, index: usize) -> Result<&'a [u8], Unsupported> {
        self.pool().class(self.at(index)).map_or_else(|| self.wrong(index, "a Class"), Ok)
    }

    fn handle(&self, index: usize) -> Result<Handle<'a>, Unsupported> {
        Handle::of(self.pool(), self.at(index)).map_or_else(|| self.wrong(index, "a MethodHandle"), Ok)
    }

    /// An int, 0 where arguments end.
    fn int(&self, index: usize) -> Result<i32, Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::Integer(number) => Ok(number),
            Constant::Unusable if index >= self.arguments.len() => Ok(0),
            _ => self.wrong(index, "an Integer"),
        }
    }

    fn lambda(&self) -> Result<Vec<u8>, Unsupported> {
        let flags = self.int(3)?;
        let (mut markers, mut bridges, mut next) = (Vec::new(), Vec::new(), 4);
        if flags & SERIALIZABLE != 0 {
            markers.push(&b"java/io/Serializable"[..]);
        }
        if flags & MARKERS != 0 {
            let count = self.count(&mut next)?;
            for index in next..next + count {
                markers.push(self.class(index)?);
            }
            next += count;
        }
        if flags & BRIDGES != 0 {
            let count = self.count(&mut next)?;
            for index in next..next + count {
                bridges.push(self.method_type(index)?);
            }
        }
        lambda(&Lambda {
            name: self.name,
            host: self.class.name(),
            factory: self.descriptor,
            method: self.method,
            erased: self.method_type(0)?,
            implementation: self.handle(1)?,
            instantiated: self.method_type(2)?,
            markers: &markers,
            bridges: &bridges,
        })
    }

    /// A count among the arguments, which is passed.
    fn count(&self, next: &mut usize) -> Result<usize, Unsupported> {
        let count = usize::try_from(self.int(*next)?).unwrap_or(usize::MAX);
        *next += 1;
        if count <= self.arguments.len() { Ok(count) } else { self.wrong(*next - 1, "a count of arguments") }
    }

    fn concat(&self, recipe: Option<&[u8]>) -> Result<Vec<u8>, Unsupported> {
        let constants = (1..self.arguments.len()).map(|index| self.literal(index));
        let constants: Vec<_> = constants.collect::<Result<_, _>>()?;
        concat(&Concat { name: self.name, recipe, constants: &constants, descriptor: self.descriptor })
    }

    fn literal(&self, index: usize) -> Result<Literal<'a>, Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::Integer(number) => Ok(Literal::Int(number)),
            Constant::Long(number) => Ok(Literal::Long(number)),
            Constant::Float(number) => Ok(Literal::Float(number)),
            Constant::Double(number) => Ok(Literal::Double(number)),
            Constant::Class(_) => self.class(index).map(Literal::Class),
            _ => self.text(index).map(Literal::Text),
        }
    }

    fn record(&self) -> Result<Vec<u8>, Unsupported> {
        let which = match self.method {
            b"toString" => Which::ToString,
            b"hashCode" => Which::HashCode,
            b"equals" => Which::Equals,
            other => return Err(Unsupported::argument(shown(other), "a method of ObjectMethods")),
        };
        let class = self.class(0)?;
        if class != self.class.name() {
            return Err(Unsupported::argument(shown(class), "the record that has the call site"));
        }
        let component = |index| {
            let Handle { kind, member, .. } = self.handle(index)?;
            if kind == 1 && member.class == class && descriptor::is_field(member.descriptor) {
                return Ok(Component { name: member.name, descriptor: member.descriptor });
            }
            self.wrong(index, "a handle that gets a field of the record")
        };
        let components: Vec<_> = (2..self.arguments.len()).map(component).collect::<Result<_, _>>()?;
        record(&Record {
            name: self.name,
            which,
            class,
            simple_name: simple_name(self.class),
            components: &components,
        })
    }

    fn switch(
        &self,
        label: impl Fn(&Self, usize, &'a [u8]) -> Result<Label<'a>, Unsupported>,
    ) -> Result<Vec<u8>, Unsupported> {
        let target = method(self.descriptor)?.parameters.first().copied().unwrap_or_default();
        let labels = (0..self.arguments.len()).map(|index| label(self, index, class_of(target)));
        let labels: Vec<_> = labels.collect::<Result<_, _>>()?;
        switch(&Switch { name: self.name, descriptor: self.descriptor, labels: &labels })
    }

    fn type_label(&self, index: usize, _target: &'a [u8]) -> Result<Label<'a>, Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::Class(_) => self.class(index).map(Label::Class),
            Constant::Integer(number) => Ok(Label::Int(number)),
            Constant::Dynamic(computed) => self.enum_constant(computed),
            _ => self.text(index).map(Label::Text),
        }
    }

    /// As javac describes the constant of an enum: `EnumDesc.of(ClassDesc.of("E"), "CONSTANT")`.
    fn enum_constant(&self, computed: Computed) -> Result<Label<'a>, Unsupported> {
        let constant = self.described(computed, b"java/lang/Enum$EnumDesc")?;
        let Constant::Dynamic(class) = self.pool().get(constant.at(1)) else {
            return constant.wrong(1, "the description of an enum");
        };
        let class = self.described(class, b"java/lang/constant/ClassDesc")?;
        Ok(Label::Enum(class.text(1)?, constant.text(2)?))
    }

    /// The arguments with which a constant is made by a method `of`, which is the first of them.
    fn described(&self, computed: Computed, by: &[u8]) -> Result<Site<'a, '_>, Unsupported> {
        let (bootstrap, arguments) = bootstrap(self.class, computed)?;
        let (method, descriptor) = typed(self.class, computed)?;
        let site = Site { class: self.class, name: self.name, method, descriptor, arguments };
        let of = site.handle(0)?.member;
        if bootstrap.member.name == b"invoke" && of.class == by && of.name == b"of" {
            return Ok(site);
        }
        Err(Unsupported::argument(shown(of.class), "the description of an enum's constant"))
    }

    fn enum_label(&self, index: usize, target: &'a [u8]) -> Result<Label<'a>, Unsupported> {
        match self.pool().get(self.at(index)) {
            Constant::Class(_) => self.class(index).map(Label::Class),
            _ => self.text(index).map(|name| Label::Enum(target, name)),
        }
    }
}
