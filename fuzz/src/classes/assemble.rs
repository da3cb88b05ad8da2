//! Class files out of text, also wrong ones: no rule is checked.
//!
//! ```text
//! class Seed extends java/lang/Object     one class; `version 61`, `flags public final`, `implements A` may follow
//! inner Seed$In private interface abstract  a row about an inner class: name, flags
//! component value I                       of a record: name, descriptor
//! field value I private                   a field: name, descriptor, flags
//! method get ()I public                   a method, likewise; its code follows, if it has any
//!   stack 1 locals 1                      limits
//!   handler from to target any            a handler for labels, and what it catches
//!   variable n I from to 0                a variable for debuggers: name, descriptor, labels, slot
//! from:                                   a label
//!   line 7                                what follows is of this line of a source text
//!   frame append int Seed                 a frame: same, same1 T, append T…, chop N, full T… / T…, raw N
//!   getfield Seed.value I                 an instruction; operands by the table of opcodes
//!   bytes ba 00                           bytes as they are
//! ```
//!
//! `utf8 80` adds a constant of these bytes.
//!
//! Constants: `#7` (an index), a class name, `Class.name I` (a field), `Class.name()I` and `interface Class.name()I` (methods),
//! `name ()I` (a call site, or with `dynamic` a constant, of a bootstrap method that is made up), and for `ldc` `int 1`, `float 1`,
//! `long 1`, `double 1`, `"text"`, `class X`, `type ()I`, `handle 6 Class.name()I`. Types in frames: `int`, `float`, `long`, `double`,
//! `null`, `top`, `this` (uninitialized), `new:LABEL` (uninitialized), or a class.

use std::collections::HashMap;

use carnet_classes::class::flags;
use carnet_classes::descriptor;
use carnet_classes::opcode::{self, Format};

/// Assembles a class.
///
/// # Errors
/// The line that is wrong, and why.
pub fn assemble(text: &str) -> Result<Vec<u8>, String> {
    let mut class = Class { version: 61, flags: flags::PUBLIC | flags::SUPER, ..Class::default() };
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            class.line(&words).map_err(|why| format!("line {}: {why}: {line}", number + 1))?;
        }
    }
    class.finish()
}

#[derive(Default)]
struct Class {
    version: u16,
    flags: u16,
    names: [u16; 2],
    interfaces: Vec<u16>,
    /// Inner classes, and their flags.
    inner: Vec<[u16; 2]>,
    /// Names and descriptors of a record's components.
    components: Vec<[u16; 2]>,
    fields: Vec<[u16; 3]>,
    methods: Vec<Method>,
    pool: Pool,
}

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
    known: HashMap<Vec<u8>, u16>,
    /// Whether a made-up bootstrap method is needed, and its handle.
    bootstrap: Option<u16>,
}

#[derive(Default)]
struct Method {
    head: [u16; 3],
    limits: Option<[u16; 2]>,
    code: Vec<u8>,
    labels: HashMap<String, usize>,
    /// Distances to fill in: where, how many bytes, from which instruction, to which label.
    distances: Vec<(usize, usize, usize, String)>,
    handlers: Vec<([String; 3], u16)>,
    /// Variables for debuggers: labels, then name, descriptor and slot.
    variables: Vec<([String; 2], [u16; 3])>,
    /// Lines of source text: offset and number.
    lines: Vec<[u16; 2]>,
    /// Frames: offset and words.
    frames: Vec<(usize, Vec<String>)>,
}

type Done<T = ()> = Result<T, String>;

impl Pool {
    fn add(&mut self, entry: Vec<u8>) -> u16 {
        if let Some(index) = self.known.get(&entry) {
            return *index;
        }
        let index = self.count + 1;
        self.count += if matches!(entry[0], 5 | 6) { 2 } else { 1 };
        self.bytes.extend_from_slice(&entry);
        self.known.insert(entry, index);
        index
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.add([&[1], &length[..], text.as_bytes()].concat())
    }

    fn of(&mut self, tag: u8, indices: &[u16]) -> u16 {
        let indices = indices.iter().flat_map(|index| index.to_be_bytes());
        self.add(std::iter::once(tag).chain(indices).collect())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.of(7, &[name])
    }

    fn typed(&mut self, name: &str, text: &str) -> u16 {
        let (name, text) = (self.utf8(name), self.utf8(text));
        self.of(12, &[name, text])
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, text: &str) -> u16 {
        let (class, typed) = (self.class(class), self.typed(name, text));
        self.of(tag, &[class, typed])
    }

    /// What a bootstrap method computes.
    fn computed(&mut self, tag: u8, name: &str, text: &str) -> u16 {
        let method = self.member(10, "Boot", "boot", "()V");
        let handle = self.add([&[15, 6], &method.to_be_bytes()[..]].concat());
        self.bootstrap = Some(handle);
        let typed = self.typed(name, text);
        self.of(tag, &[0, typed])
    }

    /// A constant of words that an instruction has as its operand.
    fn constant(&mut self, words: &[&str]) -> Done<u16> {
        let number = |text: &str| text.parse::<f64>().map_err(|_| "a number".to_owned());
        Ok(match words {
            [index] if index.starts_with('#') => index[1..].parse().map_err(|_| "an index".to_owned())?,
            ["int", n] => self.add([&[3], &(number(n)? as i32).to_be_bytes()[..]].concat()),
            ["float", n] => self.add([&[4], &(number(n)? as f32).to_be_bytes()[..]].concat()),
            ["long", n] => self.add([&[5], &(number(n)? as i64).to_be_bytes()[..]].concat()),
            ["double", n] => self.add([&[6], &number(n)?.to_be_bytes()[..]].concat()),
            [text] if text.starts_with('"') => {
                let text = self.utf8(text.trim_matches('"'));
                self.of(8, &[text])
            }
            ["class", name] => self.class(name),
            ["type", text] => {
                let text = self.utf8(text);
                self.of(16, &[text])
            }
            ["handle", kind, rest @ ..] => {
                let reference = self.constant(rest)?;
                let kind = kind.parse().map_err(|_| "a kind".to_owned())?;
                self.add([&[15, kind], &reference.to_be_bytes()[..]].concat())
            }
            ["dynamic", name, text] => self.computed(17, name, text),
            ["interface", method] => self.method(11, method)?,
            [name, text] if name.contains('.') => {
                let (class, name) = name.rsplit_once('.').unwrap_or_default();
                self.member(9, class, name, text)
            }
            [name, text] => self.computed(18, name, text),
            [method] if method.contains('(') => self.method(10, method)?,
            [name] => self.class(name),
            _ => return Err("a constant".to_owned()),
        })
    }

    fn method(&mut self, tag: u8, text: &str) -> Done<u16> {
        let (name, rest) = text.split_once('(').ok_or("a method")?;
        let (class, name) = name.rsplit_once('.').ok_or("a method of a class")?;
        Ok(self.member(tag, class, name, &format!("({rest}")))
    }
}

fn flag_bits(words: &[&str]) -> Done<u16> {
    let bit = |word: &&str| {
        Ok(match *word {
            "public" => flags::PUBLIC,
            "private" => flags::PRIVATE,
            "protected" => flags::PROTECTED,
            "static" => flags::STATIC,
            "final" => flags::FINAL,
            "super" => flags::SUPER,
            "synchronized" => flags::SYNCHRONIZED,
            "volatile" => flags::VOLATILE,
            "native" => flags::NATIVE,
            "interface" => flags::INTERFACE,
            "abstract" => flags::ABSTRACT,
            "enum" => flags::ENUM,
            "annotation" => flags::ANNOTATION,
            "module" => flags::MODULE,
            other => return Err(format!("no flag `{other}`")),
        })
    };
    words.iter().map(bit).try_fold(0, |bits, bit: Done<u16>| Ok(bits | bit?))
}

fn number<T: std::str::FromStr>(text: &str) -> Done<T> {
    text.parse().map_err(|_| format!("`{text}` is no such number"))
}

impl Class {
    fn line(&mut self, words: &[&str]) -> Done {
        match words {
            ["class", name, "extends", above] => self.names = [self.pool.class(name), self.pool.class(above)],
            ["class", name] => self.names = [self.pool.class(name), 0],
            ["version", version] => self.version = number(version)?,
            ["flags", words @ ..] => self.flags = flag_bits(words)?,
            ["utf8", bytes @ ..] => {
                let bytes: Result<Vec<u8>, _> =
                    bytes.iter().map(|byte| u8::from_str_radix(byte, 16)).collect();
                let bytes = bytes.map_err(|_| "hexadecimal bytes")?;
                self.pool.add([&[1, 0, bytes.len() as u8], &bytes[..]].concat());
            }
            ["inner", name, words @ ..] => self.inner.push([self.pool.class(name), flag_bits(words)?]),
            ["component", name, text] => {
                self.components.push([self.pool.utf8(name), self.pool.utf8(text)]);
            }
            ["implements", name] => self.interfaces.push(self.pool.class(name)),
            ["field", name, text, words @ ..] => {
                self.fields.push([flag_bits(words)?, self.pool.utf8(name), self.pool.utf8(text)]);
            }
            ["method", name, text, words @ ..] => {
                let head = [flag_bits(words)?, self.pool.utf8(name), self.pool.utf8(text)];
                self.methods.push(Method { head, ..Method::default() });
            }
            _ => self.code_line(words)?,
        }
        Ok(())
    }

    fn code_line(&mut self, words: &[&str]) -> Done {
        let Class { methods, pool, .. } = self;
        let method = methods.last_mut().ok_or("a method first")?;
        match words {
            ["stack", stack, "locals", locals] => method.limits = Some([number(stack)?, number(locals)?]),
            ["handler", from, to, target, what] => {
                let caught = if *what == "any" { 0 } else { pool.class(what) };
                method.handlers.push(([from, to, target].map(|label| (*label).to_owned()), caught));
            }
            ["variable", name, text, from, to, slot] => {
                let labels = [from, to].map(|label| (*label).to_owned());
                method.variables.push((labels, [pool.utf8(name), pool.utf8(text), number(slot)?]));
            }
            ["line", line] => method.lines.push([method.code.len() as u16, number(line)?]),
            ["frame", words @ ..] => {
                let words = words.iter().map(|word| (*word).to_owned()).collect();
                method.frames.push((method.code.len(), words));
            }
            ["bytes", bytes @ ..] => {
                for byte in bytes {
                    method.code.push(u8::from_str_radix(byte, 16).map_err(|_| "hexadecimal bytes")?);
                }
            }
            [label] if label.ends_with(':') => {
                method.labels.insert(label.trim_end_matches(':').to_owned(), method.code.len());
            }
            [name, operands @ ..] => method.instruction(name, operands, pool)?,
            [] => {}
        }
        Ok(())
    }

    fn finish(mut self) -> Done<Vec<u8>> {
        let short = |to: &mut Vec<u8>, value: u16| to.extend_from_slice(&value.to_be_bytes());
        let mut members = Vec::new();
        short(&mut members, self.fields.len() as u16);
        for field in &self.fields {
            field.iter().chain(&[0]).for_each(|value| short(&mut members, *value));
        }
        short(&mut members, self.methods.len() as u16);
        for method in &self.methods {
            method.head.iter().for_each(|value| short(&mut members, *value));
            let Some(limits) = method.limits else {
                short(&mut members, 0);
                continue;
            };
            let content = method.content(limits, &mut self.pool)?;
            short(&mut members, 1);
            attribute(&mut members, self.pool.utf8("Code"), &content);
        }
        let rows = [!self.inner.is_empty(), !self.components.is_empty()].map(u16::from);
        short(&mut members, u16::from(self.pool.bootstrap.is_some()) + rows.iter().sum::<u16>());
        if let Some(handle) = self.pool.bootstrap {
            let content = [&[0, 1], &handle.to_be_bytes()[..], &[0, 0]].concat();
            attribute(&mut members, self.pool.utf8("BootstrapMethods"), &content);
        }
        if !self.inner.is_empty() {
            let mut content = Vec::new();
            short(&mut content, self.inner.len() as u16);
            for [name, flags] in &self.inner {
                [*name, 0, 0, *flags].iter().for_each(|value| short(&mut content, *value));
            }
            attribute(&mut members, self.pool.utf8("InnerClasses"), &content);
        }
        if !self.components.is_empty() {
            let mut content = Vec::new();
            short(&mut content, self.components.len() as u16);
            for [name, text] in &self.components {
                [*name, *text, 0].iter().for_each(|value| short(&mut content, *value));
            }
            attribute(&mut members, self.pool.utf8("Record"), &content);
        }
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        short(&mut bytes, self.version);
        short(&mut bytes, self.pool.count + 1);
        bytes.extend_from_slice(&self.pool.bytes);
        short(&mut bytes, self.flags);
        self.names.iter().for_each(|name| short(&mut bytes, *name));
        short(&mut bytes, self.interfaces.len() as u16);
        self.interfaces.iter().for_each(|name| short(&mut bytes, *name));
        bytes.extend_from_slice(&members);
        Ok(bytes)
    }
}

fn attribute(to: &mut Vec<u8>, name: u16, content: &[u8]) {
    to.extend_from_slice(&name.to_be_bytes());
    to.extend_from_slice(&(content.len() as u32).to_be_bytes());
    to.extend_from_slice(content);
}

impl Method {
    fn instruction(&mut self, name: &str, words: &[&str], pool: &mut Pool) -> Done {
        let (name, wide) = name.strip_prefix("wide_").map_or((name, false), |name| (name, true));
        let opcode = opcode::named(name).ok_or("no such instruction")?;
        let (at, format) = (self.code.len(), opcode::TABLE[usize::from(opcode)].format);
        if wide {
            self.code.push(opcode::WIDE);
        }
        self.code.push(opcode);
        let word = |index: usize| words.get(index).copied().ok_or("an operand is missing");
        match format {
            Format::None | Format::Wide => {}
            Format::Byte => self.code.push(number::<i8>(word(0)?)? as u8),
            Format::Short => self.code.extend(number::<i16>(word(0)?)?.to_be_bytes()),
            Format::Local if wide => self.code.extend(number::<u16>(word(0)?)?.to_be_bytes()),
            Format::Local | Format::ArrayType => self.code.push(number(word(0)?)?),
            Format::Iinc if wide => {
                self.code.extend(number::<u16>(word(0)?)?.to_be_bytes());
                self.code.extend(number::<i16>(word(1)?)?.to_be_bytes());
            }
            Format::Iinc => self.code.extend([number(word(0)?)?, number::<i8>(word(1)?)? as u8]),
            Format::Constant1 => self.code.push(pool.constant(words)? as u8),
            Format::Constant2 => self.code.extend(pool.constant(words)?.to_be_bytes()),
            Format::Branch2 => self.distance(2, at, word(0)?),
            Format::Branch4 => self.distance(4, at, word(0)?),
            Format::TableSwitch | Format::LookupSwitch => self.switch(at, words)?,
            Format::Interface => {
                let (last, rest) = words.split_last().ok_or("a method")?;
                self.code.extend(pool.constant(rest)?.to_be_bytes());
                self.code.extend([number(last)?, 0]);
            }
            Format::Dynamic => {
                self.code.extend(pool.constant(words)?.to_be_bytes());
                self.code.extend([0, 0]);
            }
            Format::Dimensions => {
                self.code.extend(pool.constant(&[word(0)?])?.to_be_bytes());
                self.code.push(number(word(1)?)?);
            }
        }
        Ok(())
    }

    fn distance(&mut self, bytes: usize, from: usize, label: &str) {
        self.distances.push((self.code.len(), bytes, from, label.to_owned()));
        self.code.extend(std::iter::repeat_n(0, bytes));
    }

    /// `LOW default labels…` or `default key:label…`.
    fn switch(&mut self, at: usize, words: &[&str]) -> Done {
        self.code.resize(self.code.len().next_multiple_of(4), 0);
        if let [low, default, labels @ ..] = words
            && let Ok(low) = low.parse::<i32>()
        {
            self.distance(4, at, default);
            self.code.extend(low.to_be_bytes());
            self.code.extend((low.wrapping_add(labels.len() as i32).wrapping_sub(1)).to_be_bytes());
            labels.iter().for_each(|label| self.distance(4, at, label));
            return Ok(());
        }
        let (default, cases) = words.split_first().ok_or("a default")?;
        self.distance(4, at, default);
        self.code.extend((cases.len() as i32).to_be_bytes());
        for case in cases {
            let (key, label) = case.split_once(':').ok_or("key:label")?;
            self.code.extend(number::<i32>(key)?.to_be_bytes());
            self.distance(4, at, label);
        }
        Ok(())
    }

    fn label(&self, label: &str) -> Done<usize> {
        match self.labels.get(label) {
            Some(at) => Ok(*at),
            None => number(label).map_err(|_| format!("no label `{label}`")),
        }
    }

    fn content(&self, limits: [u16; 2], pool: &mut Pool) -> Done<Vec<u8>> {
        let mut code = self.code.clone();
        for (at, bytes, from, label) in &self.distances {
            let distance = (self.label(label)? as i32 - *from as i32).to_be_bytes();
            code[*at..at + bytes].copy_from_slice(&distance[4 - bytes..]);
        }
        let mut content = Vec::new();
        limits.iter().for_each(|limit| content.extend(limit.to_be_bytes()));
        content.extend((code.len() as u32).to_be_bytes());
        content.extend(code);
        content.extend((self.handlers.len() as u16).to_be_bytes());
        for (labels, caught) in &self.handlers {
            for label in labels {
                content.extend((self.label(label)? as u16).to_be_bytes());
            }
            content.extend(caught.to_be_bytes());
        }
        let are_there = [!self.frames.is_empty(), !self.variables.is_empty(), !self.lines.is_empty()];
        let count: u16 = are_there.into_iter().map(u16::from).sum();
        content.extend(count.to_be_bytes());
        if !self.frames.is_empty() {
            let table = self.table(pool)?;
            attribute(&mut content, pool.utf8("StackMapTable"), &table);
        }
        if !self.variables.is_empty() {
            let mut table = (self.variables.len() as u16).to_be_bytes().to_vec();
            for ([from, to], [name, text, slot]) in &self.variables {
                let (from, to) = (self.label(from)? as u16, self.label(to)? as u16);
                let row = [from, to.wrapping_sub(from), *name, *text, *slot];
                table.extend(row.iter().flat_map(|value| value.to_be_bytes()));
            }
            attribute(&mut content, pool.utf8("LocalVariableTable"), &table);
        }
        if !self.lines.is_empty() {
            let mut table = (self.lines.len() as u16).to_be_bytes().to_vec();
            table.extend(self.lines.as_flattened().iter().flat_map(|value| value.to_be_bytes()));
            attribute(&mut content, pool.utf8("LineNumberTable"), &table);
        }
        Ok(content)
    }

    fn table(&self, pool: &mut Pool) -> Done<Vec<u8>> {
        let mut table = (self.frames.len() as u16).to_be_bytes().to_vec();
        let mut before = None;
        for (offset, words) in &self.frames {
            let delta = before.map_or(*offset, |before: usize| offset.wrapping_sub(before + 1)) as u16;
            before = Some(*offset);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (kind, types) = words.split_first().ok_or("a kind of frame")?;
            let (first, counted): (u8, &[&str]) = match *kind {
                "same" => (251, &[]),
                "same1" => (247, types),
                "append" => (251 + types.len() as u8, types),
                "chop" => (251 - number::<u8>(types.first().unwrap_or(&"1"))?, &[]),
                "full" => (255, &[]),
                "raw" => (number(types.first().unwrap_or(&"128"))?, &[]),
                kind => return Err(format!("no frame `{kind}`")),
            };
            table.push(first);
            table.extend(delta.to_be_bytes());
            for ty in counted {
                self.ty(&mut table, ty, pool)?;
            }
            if first == 255 {
                for list in types.split(|word| *word == "/") {
                    table.extend((list.len() as u16).to_be_bytes());
                    list.iter().try_for_each(|ty| self.ty(&mut table, ty, pool))?;
                }
            }
        }
        Ok(table)
    }

    fn ty(&self, table: &mut Vec<u8>, ty: &str, pool: &mut Pool) -> Done {
        let simple = ["top", "int", "float", "double", "long", "null", "this"];
        if let Some(tag) = simple.iter().position(|name| *name == ty) {
            table.push(tag as u8);
        } else if let Some(label) = ty.strip_prefix("new:") {
            table.push(8);
            table.extend((self.label(label)? as u16).to_be_bytes());
        } else {
            debug_assert!(descriptor::is_class_constant(ty.as_bytes()), "{ty}");
            table.push(7);
            table.extend(pool.class(ty).to_be_bytes());
        }
        Ok(())
    }
}
