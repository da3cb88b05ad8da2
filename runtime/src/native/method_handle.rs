//! Method handles: the library's own classes look members up, check types and access, and combine handles. Ours is what runs.
//!
//! The library says what a handle does by a `LambdaForm`. Here that is either the method that runs, made by
//! [`carnet_classes::synthetic::handle`], or what is still to be done to the method of another handle:
//!
//! ```text
//! MethodHandle   type, form
//! carnet$parts   handles and values that it is made of
//! LambdaForm
//! carnet$method  the method that runs, 0 for none
//! carnet$edit    for each change: Edit │ how many numbers │ numbers
//! ```
//!
//! What it does not do: loops, table switches, `explicitCastArguments`, handles of methods that ask who called them, and exact invokers
//! of variables.

use carnet_classes::descriptor;
use carnet_classes::synthetic::handle::{Adapter, Does, Exactness, Step, Value, basic, type_of};

use super::handle::descriptor_of;
use super::lang::no;
use super::member_name::Named;
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{Class, ClassId, Kind, Method, MethodId, Origin, Shape};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::thread::Leaving;
use crate::universe::LinkError;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/invoke/MethodHandle",
        &[
            ("<clinit>", "()V", unneeded),
            // Call sites call them otherwise.
            ("invoke", "([Ljava/lang/Object;)Ljava/lang/Object;", reflected),
            ("invokeExact", "([Ljava/lang/Object;)Ljava/lang/Object;", reflected),
        ],
    ),
    ("java/lang/invoke/DirectMethodHandle", DIRECT),
    ("java/lang/invoke/BoundMethodHandle", BOUND),
    (
        "java/lang/invoke/SimpleMethodHandle",
        &[(
            "make",
            "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;)Ljava/lang/invoke/BoundMethodHandle;",
            simple,
        )],
    ),
    (
        "java/lang/invoke/DelegatingMethodHandle",
        &[
            ("<clinit>", "()V", unneeded),
            (
                "chooseDelegatingForm",
                "(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/LambdaForm;",
                |call| {
                    let of = basic(&type_of_handle(call, call.object(0)?)?);
                    new_form(call, of, Does::Delegate)
                },
            ),
        ],
    ),
    (
        "java/lang/invoke/ClassSpecializer$SpeciesData",
        &[("factory", "()Ljava/lang/invoke/MethodHandle;", factory)],
    ),
    ("java/lang/invoke/LambdaForm", FORM_NATIVES),
    ("java/lang/invoke/LambdaFormEditor", EDITOR),
    ("java/lang/invoke/MethodHandleImpl", IMPLEMENTATION),
    ("java/lang/invoke/Invokers", INVOKERS),
    (
        "java/lang/invoke/MethodHandles",
        &[(
            "explicitCastArguments",
            "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            unsupported,
        )],
    ),
    (
        "sun/invoke/util/VerifyAccess",
        // No loader tells classes of guests from those of the library.
        &[("isSamePackage", "(Ljava/lang/Class;Ljava/lang/Class;)Z", |call| {
            let universe = call.universe;
            let one = universe.class(call.class(0)?).ok_or(Trap::Stray)?;
            let other = universe.class(call.class(1)?).ok_or(Trap::Stray)?;
            Ok(Outcome::Int(i32::from(universe.same_package(one, other))))
        })],
    ),
];

const DIRECT: Rows = &[
    ("<clinit>", "()V", unneeded),
    ("preparedLambdaForm", "(Ljava/lang/invoke/MemberName;Z)Ljava/lang/invoke/LambdaForm;", member_form),
    ("preparedFieldLambdaForm", "(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/LambdaForm;", member_form),
];

const BOUND: Rows = &[
    ("<clinit>", "()V", unneeded),
    ("makeReinvoker", "(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/BoundMethodHandle;", |call| {
        // As good as the handle itself, but for its class.
        let handle = call.object(0)?;
        let [of, form] = [call.domain.get_field(handle, b"type", TYPE)?, form_of(call, handle)?];
        let parts = call.domain.get_field(handle, b"carnet$parts", OBJECTS)?;
        new_handle(call, of, form, parts)
    }),
    ("tooComplex", "()Z", no),
    (
        "bindSingle",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
        |call| {
            let parts = call.new_references("java/lang/Object", &[call.reference(2)])?;
            new_handle(call, call.object(0)?, call.object(1)?, parts)
        },
    ),
    // What handles of a species are made of comes in an array; `carnet_classes` calls it so.
    (
        "bindSingle",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/invoke/LambdaForm$BasicType;Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
        |call| new_handle(call, call.object(0)?, call.object(1)?, call.reference(3)),
    ),
    (
        "copyWith",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy(call, NULL),
    ),
    (
        "copyWithExtendL",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy(call, call.reference(3)),
    ),
    (
        "copyWithExtendI",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;I)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy_with_number(call, Kind::Int),
    ),
    (
        "copyWithExtendJ",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;J)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy_with_number(call, Kind::Long),
    ),
    (
        "copyWithExtendF",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;F)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy_with_number(call, Kind::Float),
    ),
    (
        "copyWithExtendD",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;D)Ljava/lang/invoke/BoundMethodHandle;",
        |call| copy_with_number(call, Kind::Double),
    ),
    ("speciesData_L", "()Ljava/lang/invoke/BoundMethodHandle$SpeciesData;", species),
    ("speciesData_LL", "()Ljava/lang/invoke/BoundMethodHandle$SpeciesData;", species),
    ("speciesData_LLL", "()Ljava/lang/invoke/BoundMethodHandle$SpeciesData;", species),
    ("speciesData_LLLL", "()Ljava/lang/invoke/BoundMethodHandle$SpeciesData;", species),
    ("speciesData_LLLLL", "()Ljava/lang/invoke/BoundMethodHandle$SpeciesData;", species),
];

const FORM_NATIVES: Rows = &[
    ("<clinit>", "()V", unneeded),
    ("uncustomize", "()Ljava/lang/invoke/LambdaForm;", this),
    ("prepare", "()V", nothing),
    ("editor", "()Ljava/lang/invoke/LambdaFormEditor;", |call| {
        let class = call.core_class("java/lang/invoke/LambdaFormEditor")?;
        let editor = call.domain.new_object(class)?;
        call.domain.set_field(editor, b"lambdaForm", FORM, call.object(0)?)?;
        Ok(Outcome::Reference(editor))
    }),
    ("identityForm", "(Ljava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;", |call| {
        constant_form(call, Value::Argument(0))
    }),
    ("zeroForm", "(Ljava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;", |call| {
        constant_form(call, Value::Zero)
    }),
];

const EDITOR: Rows = &[
    ("bindArgumentForm", "(I)Ljava/lang/invoke/LambdaForm;", |call| edit(call, Edit::Bind, &[call.int(1)])),
    ("addArgumentForm", "(ILjava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;", |call| {
        edit(call, Edit::Add, &[call.int(1)])
    }),
    ("dupArgumentForm", "(II)Ljava/lang/invoke/LambdaForm;", |call| {
        edit(call, Edit::Double, &[call.int(1), call.int(2)])
    }),
    ("permuteArgumentsForm", "(I[I)Ljava/lang/invoke/LambdaForm;", |call| {
        let order = numbers(call, call.object(2)?)?;
        edit(call, Edit::Permute, &order)
    }),
    (
        "filterArgumentForm",
        "(ILjava/lang/invoke/LambdaForm$BasicType;)Ljava/lang/invoke/LambdaForm;",
        |call| edit(call, Edit::Collect, &[call.int(1)]),
    ),
    ("collectArgumentsForm", "(ILjava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", |call| {
        edit(call, Edit::Collect, &[call.int(1)])
    }),
    (
        "filterRepeatedArgumentForm",
        "(Ljava/lang/invoke/LambdaForm$BasicType;[I)Ljava/lang/invoke/LambdaForm;",
        |call| {
            let places = numbers(call, call.object(2)?)?;
            edit(call, Edit::Filter, &places)
        },
    ),
    ("foldArgumentsForm", "(IZLjava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", |call| {
        edit(call, Edit::Fold, &[call.int(1), call.int(2)])
    }),
    ("foldArgumentsForm", "(IZLjava/lang/invoke/MethodType;[I)Ljava/lang/invoke/LambdaForm;", unsupported),
    ("filterArgumentsForm", "(ILjava/lang/invoke/MethodType;[I)Ljava/lang/invoke/LambdaForm;", unsupported),
    ("collectReturnValueForm", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", unsupported),
    ("filterReturnForm", "(Ljava/lang/invoke/LambdaForm$BasicType;Z)Ljava/lang/invoke/LambdaForm;", |call| {
        edit(call, Edit::Return, &[])
    }),
    ("spreadArgumentsForm", "(ILjava/lang/Class;I)Ljava/lang/invoke/LambdaForm;", |call| {
        let element = element_of(call, call.class(2)?);
        edit(call, Edit::Spread, &[call.int(1), i32::from(element)])
    }),
];

const IMPLEMENTATION: Rows = &[
    (
        "makePairwiseConvert",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;ZZ)Ljava/lang/invoke/MethodHandle;",
        convert,
    ),
    (
        "makeWrappedMember",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MemberName;Z)Ljava/lang/invoke/MethodHandle;",
        wrapped,
    ),
    (
        "makeIntrinsic",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandleImpl$Intrinsic;)Ljava/lang/invoke/MethodHandle;",
        this,
    ),
    (
        "makeIntrinsic",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/invoke/MethodHandleImpl$Intrinsic;)Ljava/lang/invoke/MethodHandle;",
        simple,
    ),
    ("profile", "(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;", this),
    ("makeGuardWithTestForm", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", |call| {
        form_of_type(call, Does::Guard)
    }),
    ("makeGuardWithCatchForm", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", |call| {
        form_of_type(call, Does::Catch)
    }),
    ("makeTryFinallyForm", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/LambdaForm;", |call| {
        form_of_type(call, Does::Finally)
    }),
    (
        "makeCollectorForm",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/Class;)Ljava/lang/invoke/LambdaForm;",
        |call| {
            let element = element_of(call, call.class(1)?);
            form_of_type(call, Does::Collect(element))
        },
    ),
    ("throwException", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;", |call| {
        let Outcome::Reference(form) = form_of_type(call, Does::Throw)? else { return Err(Trap::Stray) };
        new_handle(call, call.object(0)?, form, NULL)
    }),
    (
        "makeLoop",
        "(Ljava/lang/Class;Ljava/util/List;Ljava/util/List;Ljava/util/List;Ljava/util/List;Ljava/util/List;)Ljava/lang/invoke/MethodHandle;",
        unsupported,
    ),
    (
        "makeTableSwitch",
        "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        unsupported,
    ),
    (
        "bindCaller",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        unsupported,
    ),
    ("fakeMethodHandleInvoke", "(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/MethodHandle;", unsupported),
    ("fakeVarHandleInvoke", "(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/MethodHandle;", unsupported),
];

const INVOKERS: Rows = &[
    ("invokeHandleForm", "(Ljava/lang/invoke/MethodType;ZI)Ljava/lang/invoke/LambdaForm;", |call| {
        let text = text_of_type(call, call.object(0)?)?;
        let of = [b"(Ljava/lang/invoke/MethodHandle;", text.get(1..).unwrap_or_default()].concat();
        let exactness = if call.int(2) == EXACT_INVOKER { Exactness::Exact } else { Exactness::Converted };
        new_form(call, of, Does::Invoker(exactness))
    }),
    ("maybeCompileToBytecode", "(Ljava/lang/invoke/MethodHandle;)V", nothing),
    // What it does is known only when it is [`wrapped`].
    (
        "varHandleMethodInvokerHandleForm",
        "(Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/LambdaForm;",
        |call| {
            if call.int(1) != 0 {
                return unsupported(call);
            }
            let class = call.core_class("java/lang/invoke/LambdaForm")?;
            call.domain.new_object(class).map(Outcome::Reference)
        },
    ),
];

pub(super) const CLASS: &[u8] = b"Ljava/lang/Class;";
const TYPE: &[u8] = b"Ljava/lang/invoke/MethodType;";
const FORM: &[u8] = b"Ljava/lang/invoke/LambdaForm;";
const OBJECTS: &[u8] = b"[Ljava/lang/Object;";
const HANDLE: &[u8] = b"java/lang/invoke/MethodHandle";
/// `MethodTypeForm.LF_EX_INVOKER`
const EXACT_INVOKER: i32 = 11;
/// Most slots of a method's parameters (JVMS 4.3.3).
const SLOTS_MAX: usize = 255;
/// Most kinds of handles that a domain brings into being.
const ADAPTERS_MAX: u32 = 1 << 14;

/// What is changed of the method of a handle. Numbers of parameters are those of its form, which count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    /// A parameter is a part from now on.
    Bind = 1,
    /// A parameter that is not used.
    Add = 2,
    /// A parameter is used for another one as well.
    Double = 3,
    /// Parameters are those of these numbers.
    Permute = 4,
    /// What another handle returns is given for a parameter.
    Collect = 5,
    /// The same, for each of several parameters.
    Filter = 6,
    /// What another handle makes of parameters comes before them; or nothing does, if the second number says so.
    Fold = 7,
    /// What is returned goes through another handle, or is dropped.
    Return = 8,
    /// A parameter is an array of the arguments.
    Spread = 9,
}

const EDITS: [Edit; 9] = [
    Edit::Bind,
    Edit::Add,
    Edit::Double,
    Edit::Permute,
    Edit::Collect,
    Edit::Filter,
    Edit::Fold,
    Edit::Return,
    Edit::Spread,
];

/// Calls a handle as a call site does whose name and descriptor are at `both`.
pub(super) fn invoke(call: &mut Call<'_>, class: &Class, both: u16) -> Result<Outcome, Trap> {
    let handle = call.object(0)?;
    let universe = call.universe;
    let (name, text) = class.name_and_type(both);
    if name == b"invokeBasic" && universe.is_trusted(class) {
        return match method_of(call, handle)? {
            MethodId(0) => {
                let entry = entry(call, Adapter { of: basic(text), does: Does::Factory })?;
                Ok(Outcome::Call(entry, Leaving::Plain))
            }
            method => Ok(Outcome::Call(method, Leaving::Plain)),
        };
    }
    let exactness = match name {
        b"invokeExact" => Exactness::Exact,
        b"invoke" => Exactness::Converted,
        _ => {
            let message =
                format!("class {} tried to access method {}", universe.java_name(class.id), shown(name));
            return Err(Trap::Link(LinkError::new("java/lang/IllegalAccessError", message)));
        }
    };
    let wanted = call.domain.computed(class.id, both)?;
    if call.domain.get_field(handle, b"type", TYPE)? == wanted {
        return Ok(Outcome::Call(method_of(call, handle)?, Leaving::Plain));
    }
    let of = text_of_type(call, wanted)?;
    let entry = entry(call, Adapter { of, does: Does::Site(exactness) })?;
    Ok(Outcome::Call(entry, Leaving::Plain))
}

/// What runs when a handle is called; 0 for the handle that makes others.
fn method_of(call: &Call<'_>, handle: Ref) -> Result<MethodId, Trap> {
    let form = form_of(call, handle)?;
    call.domain.get_field(form, b"carnet$method", b"I").map(MethodId)
}

/// The letter of what an array of a class has, `L` for objects.
fn element_of(call: &Call<'_>, array: ClassId) -> u8 {
    match call.universe.class(array).map(|array| array.shape) {
        Some(Shape::Primitives(kind)) => kind.letter(),
        _ => b'L',
    }
}

pub(super) fn shown(text: &[u8]) -> String {
    carnet_classes::class::shown(text)
}

fn form_of(call: &Call<'_>, handle: Ref) -> Result<Ref, Trap> {
    match call.domain.get_field(handle, b"form", FORM)? {
        NULL => Err(Trap::Stray),
        form => Ok(form),
    }
}

fn this(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    call.object(0).map(Outcome::Reference)
}

/// An initializer that would prepare what the library does with forms. Nothing is asserted of them.
fn unneeded(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    // Some of these classes assert nothing anyway.
    let _ = call.domain.set_static(call.method.class, b"$assertionsDisabled", b"Z", 1);
    Ok(Outcome::Void)
}

/// What is not supported of handles.
fn unsupported(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let message = format!("{}: no handles of this kind", call.universe.method_name(call.method));
    Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)))
}

/// `invoke(Object...)` and its like, of which there is no such method but for call sites.
fn reflected(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let name = shown(call.universe.symbols.text(call.method.name));
    let message = format!("MethodHandle.{name} cannot be invoked reflectively");
    Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)))
}

/// The method of an adapter.
fn entry(call: &mut Call<'_>, adapter: Adapter) -> Result<MethodId, Trap> {
    if let Some(known) = call.universe.adapter(&adapter) {
        return Ok(known);
    }
    // What runs takes the handle as well.
    let slots = 1 + descriptor::method(&adapter.of).map_or(0, |shape| shape.slots());
    if slots > SLOTS_MAX {
        let message = format!("bad parameter count {slots}");
        return Err(Trap::New("java/lang/IllegalArgumentException", Some(message)));
    }
    if call.domain.adapters >= ADAPTERS_MAX {
        let message = "method handles: more than 16384 kinds of them".to_owned();
        return Err(Trap::New("java/lang/OutOfMemoryError", Some(message)));
    }
    call.domain.adapters += 1;
    // Counted as some thousand instructions.
    call.domain.heap.moved(1 << 18);
    crate::dynamic::adapter(call.universe, adapter)
}

fn new_form(call: &mut Call<'_>, of: Vec<u8>, does: Does) -> Result<Outcome, Trap> {
    let class = call.core_class("java/lang/invoke/LambdaForm")?;
    let form = call.domain.new_object(class)?;
    let entry = entry(call, Adapter { of, does })?;
    call.domain.set_field(form, b"carnet$method", b"I", entry.0)?;
    Ok(Outcome::Reference(form))
}

/// A form of the type that is the first argument.
fn form_of_type(call: &mut Call<'_>, does: Does) -> Result<Outcome, Trap> {
    let of = basic(&text_of_type(call, call.object(0)?)?);
    new_form(call, of, does)
}

fn new_handle(call: &mut Call<'_>, of: Ref, form: Ref, parts: Ref) -> Result<Outcome, Trap> {
    let class = call.core_class("java/lang/invoke/BoundMethodHandle")?;
    let handle = call.domain.new_object(class)?;
    call.domain.set_field(handle, b"type", TYPE, of)?;
    call.domain.set_field(handle, b"form", FORM, form)?;
    call.domain.set_field(handle, b"carnet$parts", OBJECTS, parts)?;
    Ok(Outcome::Reference(handle))
}

fn simple(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    new_handle(call, call.object(0)?, call.object(1)?, NULL)
}

/// The descriptor of a method type.
pub(super) fn text_of_type(call: &Call<'_>, of: Ref) -> Result<Vec<u8>, Trap> {
    let result = call.domain.get_field(of, b"rtype", CLASS)?;
    let parameters = call.domain.get_field(of, b"ptypes", b"[Ljava/lang/Class;")?;
    text_of_classes(call, parameters, result)
}

pub(super) fn text_of_classes(call: &Call<'_>, parameters: Ref, result: Ref) -> Result<Vec<u8>, Trap> {
    let text = |class: Ref| -> Result<Vec<u8>, Trap> {
        let class = call.domain.class_of_mirror(class)?;
        if class == call.universe.primitive(None) {
            return Ok(b"V".to_vec());
        }
        Ok(descriptor_of(call, class))
    };
    let mut all = vec![b'('];
    for class in call.elements(parameters)? {
        all.extend(text(class)?);
    }
    all.push(b')');
    all.extend(text(result)?);
    Ok(all)
}

fn type_of_handle(call: &Call<'_>, handle: Ref) -> Result<Vec<u8>, Trap> {
    text_of_type(call, call.domain.get_field(handle, b"type", TYPE)?)
}

/// The numbers of an array of ints.
fn numbers(call: &Call<'_>, array: Ref) -> Result<Vec<i32>, Trap> {
    let space = &call.domain.heap.space;
    (0..space.length(array)?).map(|at| Ok(space.u32(array, ELEMENTS + 4 * at)? as i32)).collect()
}

fn edits(call: &Call<'_>, form: Ref) -> Result<Vec<i32>, Trap> {
    match call.domain.get_field(form, b"carnet$edit", b"[I")? {
        NULL => Ok(Vec::new()),
        array => numbers(call, array),
    }
}

/// The form with one change more.
fn edit(call: &mut Call<'_>, edit: Edit, with: &[i32]) -> Result<Outcome, Trap> {
    let mut all = edits(call, call.domain.get_field(call.object(0)?, b"lambdaForm", FORM)?)?;
    all.extend([edit as i32, with.len() as i32]);
    all.extend(with);
    let class = call.core_class("java/lang/invoke/LambdaForm")?;
    call.room(all.len() * 4 + 256)?;
    let (ints, form) = (call.universe.primitive_array(Kind::Int), call.domain.new_object(class)?);
    let array = call.domain.new_array(ints, all.len() as u32)?;
    for (at, number) in all.iter().enumerate() {
        call.domain.heap.space.set_u32(array, ELEMENTS + 4 * at as u32, *number as u32)?;
    }
    call.domain.set_field(form, b"carnet$edit", b"[I", array)?;
    Ok(Outcome::Reference(form))
}

/// `copyWithExtend…(MethodType, LambdaForm, number)`
fn copy_with_number(call: &mut Call<'_>, kind: Kind) -> Result<Outcome, Trap> {
    call.core_class(crate::domain::box_of(kind).0)?;
    let number = call.domain.new_box(call.thread, kind, call.long(3) as u64)?;
    copy(call, number)
}

/// `copyWith(MethodType, LambdaForm)`: a handle of another type, with the changes of the form, and with one part more.
fn copy(call: &mut Call<'_>, extra: Ref) -> Result<Outcome, Trap> {
    let (handle, of, form) = (call.object(0)?, call.object(1)?, call.object(2)?);
    let edits = edits(call, form)?;
    if edits.is_empty() {
        let parts = call.domain.get_field(handle, b"carnet$parts", OBJECTS)?;
        return new_handle(call, of, form, parts);
    }
    let (own, target) = (basic(&text_of_type(call, of)?), basic(&type_of_handle(call, handle)?));
    let other = match extra {
        NULL => None,
        part if is_handle(call, part)? => Some(basic(&type_of_handle(call, part)?)),
        _ => None,
    };
    let does = Edited { own: &own, target, other }.does(&edits).ok_or(Trap::Stray)?;
    let Outcome::Reference(form) = new_form(call, own, does)? else { return Err(Trap::Stray) };
    let parts = call.new_references("java/lang/Object", &[handle, extra])?;
    new_handle(call, of, form, parts)
}

fn is_handle(call: &Call<'_>, object: Ref) -> Result<bool, Trap> {
    let class = call.domain.heap.space.class_of(object)?;
    Ok(call.universe.is_subclass(class, call.universe.load(HANDLE)?))
}

/// A handle whose method is changed: basic types of what it is, of the first part, and of the second if that is a handle.
struct Edited<'e> {
    own: &'e [u8],
    target: Vec<u8>,
    other: Option<Vec<u8>>,
}

impl Edited<'_> {
    /// What the changes lead to.
    fn does(&self, edits: &[i32]) -> Option<Does> {
        let mut all = Vec::new();
        let mut rest = edits;
        while let [number, count, with @ ..] = rest {
            let (with, next) = with.split_at_checked(usize::try_from(*count).ok()?)?;
            all.push((EDITS.into_iter().find(|edit| *edit as i32 == *number)?, with));
            rest = next;
        }
        let arity = |text: &[u8]| descriptor::method(text).map(|shape| shape.parameters.len());
        let place = |number: Option<&i32>| usize::try_from(number? - 1).ok();
        let arguments = |range: std::ops::Range<usize>| range.map(Value::Argument);
        let (own, target) = (arity(self.own)?, arity(&self.target)?);
        let last = |with: Vec<Value>| Step { part: 0, of: self.target.clone(), with };
        let (first, with) = all.first()?;
        match first {
            Edit::Collect | Edit::Filter | Edit::Fold => {
                let of = self.other.clone()?;
                let (taken, gives) = (arity(&of)?, !of.ends_with(b")V"));
                let at = place(with.first())?;
                let step =
                    |at: usize| Step { part: 1, of: of.clone(), with: arguments(at..at + taken).collect() };
                let mut steps: Vec<Step> = Vec::new();
                let mut values: Vec<Value> = arguments(0..own).collect();
                match first {
                    Edit::Filter => {
                        for number in *with {
                            let at = place(Some(number))?;
                            *values.get_mut(at)? = Value::Result(steps.len());
                            steps.push(step(at));
                        }
                    }
                    Edit::Collect => {
                        steps.push(step(at));
                        values.splice(at..at + taken, gives.then_some(Value::Result(0)));
                    }
                    _ => {
                        steps.push(step(at));
                        let drops = with.get(1) == Some(&1) || !gives;
                        values.splice(at..at, (!drops).then_some(Value::Result(0)));
                    }
                }
                steps.push(last(values));
                let result = Value::Result(steps.len() - 1);
                Some(Does::Steps(steps, result))
            }
            Edit::Return => {
                let mut steps = vec![last(arguments(0..target).collect())];
                let Some(of) = self.other.clone() else { return Some(Does::Steps(steps, Value::Zero)) };
                let with = if self.target.ends_with(b")V") { Vec::new() } else { vec![Value::Result(0)] };
                steps.push(Step { part: 1, of, with });
                Some(Does::Steps(steps, Value::Result(1)))
            }
            Edit::Spread => Some(Does::Spread {
                at: place(with.first())?,
                element: vec![u8::try_from(*with.get(1)?).ok()?],
                target: self.target.clone(),
            }),
            Edit::Bind | Edit::Add | Edit::Double | Edit::Permute => {
                let values = passed(&all, own, target)?;
                Some(Does::Steps(vec![last(values)], Value::Result(0)))
            }
        }
    }
}

/// What is given to a handle of `target` parameters, after changes to which of them a handle of `own` has.
fn passed(edits: &[(Edit, &[i32])], own: usize, target: usize) -> Option<Vec<Value>> {
    let place = |number: i32| usize::try_from(number - 1).ok();
    // Of each parameter, those of the target that it is given to.
    let mut to: Vec<Vec<usize>> = (0..target).map(|at| vec![at]).collect();
    let mut values = vec![Value::Part(1); target];
    for (edit, with) in edits {
        match (edit, *with) {
            (Edit::Bind, [at]) => {
                let at = place(*at).filter(|at| *at < to.len())?;
                to.remove(at);
            }
            (Edit::Add, [at]) => {
                let at = place(*at).filter(|at| *at <= to.len())?;
                to.insert(at, Vec::new());
            }
            (Edit::Double, [from, at]) => {
                let (from, at) = (place(*from)?, place(*at).filter(|at| *at < to.len())?);
                let given = to.remove(at);
                to.get_mut(if from > at { from - 1 } else { from })?.extend(given);
            }
            (Edit::Permute, order) => {
                let mut permuted = vec![Vec::new(); own];
                for (given, at) in to.into_iter().zip(order) {
                    permuted.get_mut(usize::try_from(*at).ok()?)?.extend(given);
                }
                to = permuted;
            }
            _ => return None,
        }
    }
    for (at, given) in to.iter().enumerate() {
        for target in given {
            *values.get_mut(*target)? = Value::Argument(at);
        }
    }
    (to.len() == own).then_some(values)
}

/// The form of what is always the same: the argument, or zero.
fn constant_form(call: &mut Call<'_>, value: Value) -> Result<Outcome, Trap> {
    let basic_type = call.object(0)?;
    let field = call.domain.field_of(basic_type, b"btChar", b"C")?;
    let of: &[u8] = match call.domain.heap.space.u16(basic_type, field.place)? as u8 {
        b'L' => b"Ljava/lang/Object;",
        b'I' => b"I",
        b'J' => b"J",
        b'F' => b"F",
        b'D' => b"D",
        _ => b"V",
    };
    let taken = if value == Value::Zero || of == b"V" { b"" } else { of };
    new_form(call, [b"(", taken, b")", of].concat(), Does::Steps(Vec::new(), value))
}

/// `makePairwiseConvert(MethodHandle, MethodType, boolean strict, boolean monobox)`
fn convert(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (handle, of) = (call.object(0)?, call.object(1)?);
    if call.int(2) == 0 {
        return unsupported(call);
    }
    let (own, target) = (text_of_type(call, of)?, type_of_handle(call, handle)?);
    let Outcome::Reference(form) = new_form(call, own, Does::Convert { target })? else {
        return Err(Trap::Stray);
    };
    let parts = call.new_references("java/lang/Object", &[handle])?;
    new_handle(call, of, form, parts)
}

fn species(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.core_class("java/lang/invoke/BoundMethodHandle$SpeciesData")?;
    call.domain.new_object(class).map(Outcome::Reference)
}

/// A handle that makes handles: it is told from others by its method, 0.
fn factory(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.core_class("java/lang/invoke/LambdaForm")?;
    let form = call.domain.new_object(class)?;
    new_handle(call, NULL, form, NULL)
}

/// `makeWrappedMember(MethodHandle, MemberName, boolean)`: an invoker of variables does what a call of this method of `VarHandle` would.
fn wrapped(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (handle, member) = (call.object(0)?, call.object(1)?);
    let class = call.domain.class_of_mirror(call.domain.get_field(member, b"clazz", CLASS)?)?;
    if call.universe.name(class) != b"java/lang/invoke/VarHandle" {
        return this(call);
    }
    let Outcome::Reference(form) = form_of_member(call, member)? else { return Err(Trap::Stray) };
    new_handle(call, call.domain.get_field(handle, b"type", TYPE)?, form, NULL)
}

/// The form of a handle of a field, method or constructor.
fn member_form(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let member = call.object(0)?;
    form_of_member(call, member)
}

fn form_of_member(call: &mut Call<'_>, member: Ref) -> Result<Outcome, Trap> {
    let named = Named::of(call, member)?;
    let kind = named.kind();
    let Named { class, name, descriptor, .. } = named;
    let universe = call.universe;
    let holder = universe.class(class).ok_or(Trap::Stray)?;
    let method = universe.find_method(holder, &name, &descriptor);
    if method.is_some_and(|method| asks_who_called(holder, method)) {
        let message =
            format!("a handle of {}.{}, which asks who called it", universe.java_name(class), shown(&name));
        return Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)));
    }
    let class = universe.handle_name(holder);
    let of = type_of(kind, &class, &descriptor).map_err(|_| Trap::Stray)?;
    let does = Does::Member { kind, is_interface: holder.is_interface(), class, name, descriptor };
    new_form(call, of, does)
}

/// Whether a method of the library is annotated as one that depends on its caller: nobody but the library is that for a handle.
fn asks_who_called(holder: &Class, method: &Method) -> bool {
    if holder.origin != Origin::Library {
        return false;
    }
    let Ok(file) = holder.parsed() else { return true };
    let slot = holder.methods.iter().position(|other| other.id == method.id);
    let Some(member) = slot.and_then(|slot| file.methods.get(slot)) else { return false };
    let annotations =
        carnet_classes::class::find(&member.attributes, &file.pool, "RuntimeVisibleAnnotations");
    annotations.unwrap_or_default().windows(2).any(|at| {
        let text = file.pool.utf8(carnet_classes::class::PoolIndex(u16::from_be_bytes([at[0], at[1]])));
        text == Some(b"Ljdk/internal/reflect/CallerSensitive;")
    })
}
