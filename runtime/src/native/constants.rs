//! `jdk.internal.reflect.ConstantPool`: the constants of a class, as annotations name them.

use super::{Call, Outcome, Rows, Trap};
use crate::class::{Class, Constant};
use crate::domain::units;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    ("java/lang/Class", &[("getConstantPool", "()Ljdk/internal/reflect/ConstantPool;", pool)]),
    (
        "jdk/internal/reflect/ConstantPool",
        &[
            ("getSize0", "(Ljava/lang/Object;)I", |call| Ok(Outcome::Int(of(call)?.constants.len() as i32))),
            ("getUTF8At0", "(Ljava/lang/Object;I)Ljava/lang/String;", |call| {
                let class = of(call)?;
                let Constant::Utf8 = constant(call, &class)? else { return Err(wrong()) };
                let text = units(class.text(call.int(2) as u16));
                call.domain.new_string(&text).map(Outcome::Reference)
            }),
            ("getStringAt0", "(Ljava/lang/Object;I)Ljava/lang/String;", |call| {
                let class = of(call)?;
                let Constant::String(text) = constant(call, &class)? else { return Err(wrong()) };
                call.domain.intern(&units(class.text(text))).map(Outcome::Reference)
            }),
            ("getIntAt0", "(Ljava/lang/Object;I)I", |call| match constant(call, &*of(call)?)? {
                Constant::Integer(value) => Ok(Outcome::Int(value)),
                _ => Err(wrong()),
            }),
            ("getLongAt0", "(Ljava/lang/Object;I)J", |call| match constant(call, &*of(call)?)? {
                Constant::Long(value) => Ok(Outcome::Long(value)),
                _ => Err(wrong()),
            }),
            ("getFloatAt0", "(Ljava/lang/Object;I)F", |call| match constant(call, &*of(call)?)? {
                Constant::Float(value) => Ok(Outcome::Float(value)),
                _ => Err(wrong()),
            }),
            ("getDoubleAt0", "(Ljava/lang/Object;I)D", |call| match constant(call, &*of(call)?)? {
                Constant::Double(value) => Ok(Outcome::Double(value)),
                _ => Err(wrong()),
            }),
            ("getClassAt0", "(Ljava/lang/Object;I)Ljava/lang/Class;", |call| {
                let class = of(call)?;
                let Constant::Class(_) = constant(call, &class)? else { return Err(wrong()) };
                let named = call.universe.class_at(&class, call.int(2) as u16)?;
                call.domain.mirror(named).map(Outcome::Reference)
            }),
        ],
    ),
];

fn pool(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let of = call.core_class("jdk/internal/reflect/ConstantPool")?;
    let pool = call.domain.new_object(of)?;
    let class = call.object(0)?;
    call.domain.set_field(pool, b"constantPoolOop", b"Ljava/lang/Object;", class)?;
    Ok(Outcome::Reference(pool))
}

/// The class whose constants an object has.
fn of(call: &Call<'_>) -> Result<std::sync::Arc<Class>, Trap> {
    call.universe.class(call.class(1)?).cloned().ok_or(Trap::Stray)
}

fn constant(call: &Call<'_>, class: &Class) -> Result<Constant, Trap> {
    match u16::try_from(call.int(2)) {
        Ok(at) if usize::from(at) < class.constants.len() => Ok(class.constant(at)),
        _ => Err(Trap::New(
            "java/lang/IllegalArgumentException",
            Some("Constant pool index out of bounds".to_owned()),
        )),
    }
}

fn wrong() -> Trap {
    Trap::New("java/lang/IllegalArgumentException", Some("Wrong type at constant pool index".to_owned()))
}
