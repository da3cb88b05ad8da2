//! String concatenation: `StringConcatFactory.makeConcat` and `makeConcatWithConstants`, by a `StringBuilder`.
//!
//! What it does not do: there is no limit of 200 operands.

use super::{ENTRY, OBJECT, Unsupported, method};
use crate::class::{flags, shown};
use crate::descriptor;
use crate::opcode::{DUP, INVOKESPECIAL, INVOKEVIRTUAL};
use crate::write::{Code, Owner, Reference, Writer};

/// A call site that concatenates.
#[derive(Clone, Copy, Debug)]
pub struct Concat<'a> {
    /// The name of the class that is made.
    pub name: &'a [u8],
    /// The text, in which 1 is the next argument and 2 the next constant; none for all arguments and nothing else.
    pub recipe: Option<&'a [u8]>,
    /// Constants of the recipe.
    pub constants: &'a [Literal<'a>],
    /// The descriptor of the call site.
    pub descriptor: &'a [u8],
}

/// A constant that code can load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal<'a> {
    /// A string.
    Text(&'a [u8]),
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A class, by its name.
    Class(&'a [u8]),
}

/// A builder of strings, on the stack.
pub(super) const BUILDER: &str = "java/lang/StringBuilder";

/// The class of a concatenation.
///
/// # Errors
/// [`Unsupported`], if recipe, arguments and constants do not go together, or the class would be too large.
pub fn concat(concat: &Concat<'_>) -> Result<Vec<u8>, Unsupported> {
    let site = method(concat.descriptor)?;
    if !matches!(site.result.first(), Some(b'L')) {
        return Err(Unsupported::argument(shown(site.result), "the class of a concatenation"));
    }
    let all = vec![1; site.parameters.len()];
    let recipe = concat.recipe.unwrap_or(&all);
    let count = |tag| recipe.iter().filter(|byte| **byte == tag).count();
    Unsupported::arity(site.parameters.len(), count(1))?;
    Unsupported::arity(concat.constants.len(), count(2))?;
    let mut class = Writer::new(flags::FINAL | flags::SUPER | flags::SYNTHETIC, concat.name, OBJECT);
    let mut code = class.method(flags::STATIC, ENTRY, concat.descriptor);
    begin(&mut code);
    let (mut arguments, mut constants, mut local) = (site.parameters.iter(), concat.constants.iter(), 0);
    for piece in recipe.chunk_by(|one, next| *one > 2 && *next > 2) {
        if piece == [1] {
            if let Some(argument) = arguments.next() {
                code.load(argument, local);
                local += descriptor::slots(argument);
                append(&mut code, argument);
            }
        } else if piece == [2] {
            if let Some(constant) = constants.next() {
                literal(&mut code, constant);
            }
        } else {
            append_text(&mut code, piece);
        }
    }
    finish(&mut code);
    code.give(site.result);
    code.end();
    Ok(class.finish()?)
}

/// Makes a builder.
pub(super) fn begin(code: &mut Code<'_>) {
    code.new_object(BUILDER.as_bytes());
    code.op(DUP);
    code.invoke(INVOKESPECIAL, Reference::new(BUILDER, "<init>", "()V"), Owner::Class);
}

/// Makes a string of the builder.
pub(super) fn finish(code: &mut Code<'_>) {
    code.invoke(INVOKEVIRTUAL, Reference::new(BUILDER, "toString", "()Ljava/lang/String;"), Owner::Class);
}

/// Appends what is on the stack above the builder. An array of char is an object here: its text is not what it contains.
pub(super) fn append(code: &mut Code<'_>, descriptor: &[u8]) {
    let ty = match descriptor {
        b"B" | b"S" => "I",
        b"I" => "I",
        b"Z" => "Z",
        b"C" => "C",
        b"J" => "J",
        b"F" => "F",
        b"D" => "D",
        b"Ljava/lang/String;" => "Ljava/lang/String;",
        _ => "Ljava/lang/Object;",
    };
    let descriptor = format!("({ty})Ljava/lang/StringBuilder;");
    code.invoke(INVOKEVIRTUAL, Reference::new(BUILDER, "append", &descriptor), Owner::Class);
}

/// Appends a text.
pub(super) fn append_text(code: &mut Code<'_>, text: &[u8]) {
    code.text(text);
    append(code, b"Ljava/lang/String;");
}

fn literal(code: &mut Code<'_>, literal: &Literal<'_>) {
    match *literal {
        Literal::Text(text) => append_text(code, text),
        Literal::Int(number) => {
            code.int(number);
            append(code, b"I");
        }
        Literal::Long(number) => {
            code.long(number);
            append(code, b"J");
        }
        Literal::Float(number) => {
            code.float(number);
            append(code, b"F");
        }
        Literal::Double(number) => {
            code.double(number);
            append(code, b"D");
        }
        Literal::Class(name) => {
            code.class(name);
            append(code, b"Ljava/lang/Class;");
        }
    }
}
