//! The files of one compilation: the one that was named, and those that it includes.
//!
//! All texts stand behind each other in one, so that a [`Span`] says which file it is in:
//!
//! ```text
//! 0                      start of the second
//! ├── main.idl ──────┤\n├── shared.idl ──┤\n…
//! ```
//!
//! A file is read once, however often it is included. Its name is taken relative to the folder of the file that
//! includes it, then to each of the folders that were given. A file that ships with the compiler is there if no other of
//! its name is.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Lines, Span, render_in};
use crate::lexer::{Comments, Lexer, TokenKind};
use crate::limits;
use crate::regular::read_regular;

/// The interface of memory that is handed over once, which ships with the compiler: `#include "carnet/memory.idl"`.
pub const MEMORY_IDL: &str = include_str!("../carnet/memory.idl");

/// Files that ship with the compiler: the name to include, and the text.
const SHIPPED: [(&str, &str); 1] = [("carnet/memory.idl", MEMORY_IDL)];

/// Whether an interface file of this name ships with the compiler.
#[must_use]
pub fn is_shipped(path: &Path) -> bool {
    path.to_str().is_some_and(|name| shipped(name).is_some())
}

/// The text of a file that ships with the compiler.
fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

/// The texts of one compilation.
#[derive(Debug)]
pub struct Sources {
    text: String,
    files: Vec<File>,
    faults: Vec<Diagnostic>,
}

#[derive(Debug)]
struct File {
    name: String,
    /// Its place in the text.
    span: Span,
    /// The `#include` line that brought it in first.
    included: Option<Span>,
    /// The files that it includes.
    includes: Vec<usize>,
    /// It came with the compiler.
    is_shipped: bool,
}

/// How files are read; tests read from memory.
type Read<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

impl Sources {
    /// One text that includes nothing; `name` is used in messages only.
    #[must_use]
    pub fn of_text(name: &str, text: &str) -> Sources {
        let mut sources = Sources::alone(name, text);
        for (_, span) in sources.includes_of(0) {
            let fault = Diagnostic::error("include", span, "a text that is no file includes nothing");
            sources.faults.push(fault.help("compile the file"));
        }
        sources
    }

    /// One text, without what it includes.
    pub(crate) fn alone(name: &str, text: &str) -> Sources {
        let (name, span) = (name.to_owned(), Span::new(0, text.len()));
        let file = File { name, span, included: None, includes: vec![], is_shipped: false };
        Sources { text: text.to_owned(), files: vec![file], faults: vec![] }
    }

    /// The file `path` with all that it includes. Included files that cannot be read are faults of the text.
    ///
    /// # Errors
    /// If `path` itself cannot be read.
    pub fn load(path: &Path, folders: &[PathBuf]) -> io::Result<Sources> {
        Sources::load_with(path, folders, &read_file)
    }

    /// As [`Sources::load`], reading with `read`.
    ///
    /// # Errors
    /// As [`Sources::load`].
    pub fn load_with(path: &Path, folders: &[PathBuf], read: Read<'_>) -> io::Result<Sources> {
        let text = match (read(path), path.to_str().and_then(shipped)) {
            (Err(_), Some(shipped)) => shipped.to_owned(),
            (text, _) => text?,
        };
        let sources = Sources { text: String::new(), files: vec![], faults: vec![] };
        let mut loader = Loader { sources, folders, read, known: HashMap::new(), open: vec![] };
        loader.add(path, &text, None);
        Ok(loader.sources)
    }

    /// The files that were read, the one that was named first: what a build script watches. What ships with the compiler is
    /// none of them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| !file.is_shipped).map(|file| file.name.as_str())
    }

    /// The text for people: each diagnostic with the file that it is in, and how that came in.
    #[must_use]
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let lines: Vec<Lines<'_>> = self.files.iter().map(|file| Lines::new(self.slice(file.span))).collect();
        render_in(diagnostics, |diagnostic| {
            let index = self.file_at(diagnostic.span.start);
            let file = &self.files[index];
            let moved = |at: usize| at.saturating_sub(file.span.start);
            let span = Span::new(moved(diagnostic.span.start), moved(diagnostic.span.end));
            let mut notes = diagnostic.notes.clone();
            notes.extend(self.chain(index, &lines));
            (file.name.as_str(), &lines[index], Diagnostic { span, notes, ..diagnostic.clone() })
        })
    }

    /// `included from main.idl:3:1`, from the inside out.
    fn chain(&self, file: usize, lines: &[Lines<'_>]) -> Vec<String> {
        let mut chain = Vec::new();
        let mut next = self.files[file].included;
        while let Some(span) = next {
            let index = self.file_at(span.start);
            let File { name, span: whole, included, .. } = &self.files[index];
            let place = lines[index].place(span.start - whole.start);
            chain.push(format!("included from {name}:{}:{}", place.line, place.column));
            next = *included;
        }
        chain
    }

    fn file_at(&self, at: usize) -> usize {
        self.files.partition_point(|file| file.span.start <= at).saturating_sub(1)
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start..span.end]
    }

    /// Faults found while reading.
    pub(crate) fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// The text up to the end of each file, and where that begins; included files before those that include them.
    pub(crate) fn in_order(&self) -> Vec<(&str, usize)> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.files.len()];
        self.visit(0, &mut seen, &mut order);
        order
            .iter()
            .map(|file: &usize| self.files[*file].span)
            .map(|s| (&self.text[..s.end], s.start))
            .collect()
    }

    fn visit(&self, file: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[file], true) {
            return;
        }
        for included in &self.files[file].includes {
            self.visit(*included, seen, order);
        }
        order.push(file);
    }

    /// Bytes of the file that was named.
    pub(crate) fn named_bytes(&self) -> usize {
        self.files[0].span.end
    }

    /// Whether `at` is in the file that was named, not in an included one.
    pub(crate) fn is_named(&self, at: usize) -> bool {
        self.file_at(at) == 0
    }

    /// The names that a file includes, and where.
    fn includes_of(&self, file: usize) -> Vec<(String, Span)> {
        let span = self.files[file].span;
        let text = &self.text[..span.end];
        if !text[span.start..].contains('#') {
            return vec![];
        }
        let mut lexer = Lexer::new(text, span.start, Comments::Skipped);
        let mut includes = vec![];
        loop {
            let token = lexer.next();
            match token.kind {
                TokenKind::Include(name) => includes.push((name, token.span)),
                TokenKind::End => return includes,
                _ => {}
            }
        }
    }
}

fn read_file(path: &Path) -> io::Result<String> {
    let bytes = read_regular(path, limits::FILES_BYTES_MAX as u64)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

struct Loader<'a> {
    sources: Sources,
    folders: &'a [PathBuf],
    read: Read<'a>,
    known: HashMap<PathBuf, usize>,
    /// Files that are being read: each includes the next.
    open: Vec<usize>,
}

impl Loader<'_> {
    /// Adds the file `path` and all that it includes.
    fn add(&mut self, path: &Path, text: &str, included: Option<Span>) -> usize {
        if !self.sources.files.is_empty() {
            self.sources.text.push('\n');
        }
        let start = self.sources.text.len();
        self.sources.text.push_str(text);
        let span = Span::new(start, start + text.len());
        let (name, includes) = (path.display().to_string(), vec![]);
        let index = self.sources.files.len();
        self.sources.files.push(File { name, span, included, includes, is_shipped: false });
        self.known.insert(plain(path), index);
        self.open.push(index);
        for (name, span) in self.sources.includes_of(index) {
            if let Some(found) = self.include(path, &name, span) {
                self.sources.files[index].includes.push(found);
            }
        }
        self.open.pop();
        index
    }

    fn include(&mut self, from: &Path, name: &str, span: Span) -> Option<usize> {
        let beside = from.parent().unwrap_or(Path::new("")).join(name);
        let places = std::iter::once(beside).chain(self.folders.iter().map(|folder| folder.join(name)));
        let mut fault = None;
        for path in places {
            if let Some(known) = self.known.get(&plain(&path)) {
                return self.again(*known, span);
            }
            match (self.read)(&path) {
                Ok(text) => return self.new_file(&path, &text, span),
                Err(error) => fault = fault.or(Some((path, error))),
            }
        }
        if let Some(text) = shipped(name) {
            return self.shipped(Path::new(name), text, span);
        }
        let (path, error) = fault?;
        let message = format!("cannot read {}: {error}", path.display());
        self.fault(Diagnostic::error("include", span, message).help("give its folder with -I"));
        None
    }

    fn shipped(&mut self, path: &Path, text: &str, span: Span) -> Option<usize> {
        if let Some(known) = self.known.get(path) {
            return self.again(*known, span);
        }
        let index = self.new_file(path, text, span)?;
        self.sources.files[index].is_shipped = true;
        Some(index)
    }

    fn again(&mut self, known: usize, span: Span) -> Option<usize> {
        let Some(at) = self.open.iter().position(|open| *open == known) else { return Some(known) };
        let cycle = self.open[at..].iter().chain([&known]);
        let names: Vec<&str> = cycle.map(|index| self.sources.files[*index].name.as_str()).collect();
        let message = format!("{} includes itself", names[0]);
        let fault = Diagnostic::error("include-cycle", span, message).note(names.join(" includes "));
        self.fault(fault);
        None
    }

    fn new_file(&mut self, path: &Path, text: &str, span: Span) -> Option<usize> {
        let files = self.sources.files.len() + 1;
        let bytes = self.sources.text.len() + text.len();
        if text.len() > limits::TEXT_MAX {
            self.fault(too_large(&path.display().to_string(), text.len(), span));
            return None;
        }
        let label = if files > limits::FILES_MAX {
            format!("expected at most {} files", limits::FILES_MAX)
        } else if bytes > limits::FILES_BYTES_MAX {
            format!("expected at most {} bytes", limits::FILES_BYTES_MAX)
        } else if self.open.len() >= limits::INCLUDE_DEPTH_MAX {
            format!("expected at most {} files that include each other", limits::INCLUDE_DEPTH_MAX)
        } else {
            return Some(self.add(path, text, Some(span)));
        };
        self.fault(Diagnostic::error("too-many-files", span, "too much is included").label(label));
        None
    }

    fn fault(&mut self, fault: Diagnostic) {
        if self.sources.faults.len() < limits::FAULTS_MAX {
            self.sources.faults.push(fault);
        }
    }
}

/// One file is longer than [`limits::TEXT_MAX`].
pub(crate) fn too_large(name: &str, bytes: usize, span: Span) -> Diagnostic {
    let label = format!("found {bytes} bytes, expected at most {}", limits::TEXT_MAX);
    Diagnostic::error("file-size", span, format!("{name} is too large")).label(label)
}

/// `a/./b/../c` as `a/c`, so that one file is known by one name.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
