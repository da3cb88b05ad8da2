//! Whether a class checks its assertions: by what the program set of its loader, else as the run was begun. Those of the library do not.

use std::collections::BTreeMap;

use super::lang::no;
use super::modules::{app_loader, is_library};
use super::{Call, Outcome, Rows, Trap};
use crate::class::Kind;
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::thread::Leaving;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Class",
        &[
            ("desiredAssertionStatus0", "(Ljava/lang/Class;)Z", no),
            ("desiredAssertionStatus", "()Z", desired),
        ],
    ),
    (
        "java/lang/ClassLoader",
        &[("retrieveDirectives", "()Ljava/lang/AssertionStatusDirectives;", directives)],
    ),
];

/// What ends the name of a package, which is meant with those within it.
const PACKAGE: &str = "...";

/// For which classes, as with `java -ea` and `-da`: for `a.B` that class, for `a...` the package and those within it, for `...` the
/// classes of no package, and for an empty text all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertions(BTreeMap<String, bool>);

impl Assertions {
    /// Those for which they are enabled, but for those for which they are disabled.
    #[must_use]
    pub fn new(enabled: &[String], disabled: &[String]) -> Assertions {
        let all =
            |places: &[String], is| places.iter().map(move |place| (place.clone(), is)).collect::<Vec<_>>();
        Assertions(all(enabled, true).into_iter().chain(all(disabled, false)).collect())
    }

    /// What is said of the class itself, else of the innermost package, else of all.
    fn is_enabled(&self, class: &str) -> bool {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let is_around = |outer: &str| {
            package.strip_prefix(outer).is_some_and(|inner| inner.is_empty() || inner.starts_with('.'))
        };
        let said = self.0.iter().filter_map(|(place, is)| Some((place.strip_suffix(PACKAGE)?, is)));
        let innermost = said.filter(|(outer, _)| is_around(outer)).max_by_key(|(outer, _)| outer.len());
        let is = self.0.get(class).or(innermost.map(|(_, is)| is)).or(self.0.get(""));
        is.is_some_and(|is| *is)
    }
}

/// `desiredAssertionStatus()`
fn desired(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    if is_library(call, class) {
        return no(call);
    }
    let name = call.universe.java_name(class);
    crate::account::read(call.domain.assertions.0.keys().map(String::len).sum());
    // Nobody has told a loader that is not there.
    let loaders = call.universe.load(b"jdk/internal/loader/ClassLoaders")?;
    if call.domain.may_use(call.thread, loaders) {
        let loader = app_loader(call)?;
        let told = b"classAssertionStatus";
        if loader != NULL && call.domain.get_field(loader, told, b"Ljava/util/Map;")? != NULL {
            let of = call.core_class("java/lang/ClassLoader")?;
            let name = call.domain.new_text(&name)?;
            call.set_reference(0, loader);
            call.set_reference(1, name);
            let ask = call.method_of(of, "desiredAssertionStatus", "(Ljava/lang/String;)Z")?;
            return Ok(Outcome::Call(ask, Leaving::Plain));
        }
    }
    Ok(Outcome::Int(i32::from(!name.starts_with('[') && call.domain.assertions.is_enabled(&name))))
}

/// `retrieveDirectives()`: how the run was begun, for a loader that is told more.
fn directives(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let all = call.domain.assertions.0.clone();
    call.room(1024 + all.keys().map(|place| 64 + 2 * place.len()).sum::<usize>())?;
    let class = call.core_class("java/lang/AssertionStatusDirectives")?;
    let object = call.domain.new_object(class)?;
    let usual = u32::from(all.get("") == Some(&true));
    call.domain.set_field(object, b"deflt", b"Z", usual)?;
    let (packages, classes): (Vec<_>, Vec<_>) =
        all.iter().filter(|(place, _)| !place.is_empty()).partition(|(place, _)| place.ends_with(PACKAGE));
    for (names, are, places) in
        [(&b"packages"[..], &b"packageEnabled"[..], packages), (b"classes", b"classEnabled", classes)]
    {
        let texts = places.iter().map(|(place, _)| {
            let name = place.strip_suffix(PACKAGE).unwrap_or(place);
            call.domain.new_text(name)
        });
        let texts = texts.collect::<Result<Vec<Ref>, Trap>>()?;
        let texts = call.new_references("java/lang/String", &texts)?;
        call.domain.set_field(object, names, b"[Ljava/lang/String;", texts)?;
        let flags =
            call.domain.new_array(call.universe.primitive_array(Kind::Boolean), places.len() as u32)?;
        for (at, (_, is)) in places.iter().enumerate() {
            call.domain.heap.space.set_u8(flags, ELEMENTS + at as u32, u8::from(**is))?;
        }
        call.domain.set_field(object, are, b"[Z", flags)?;
    }
    Ok(Outcome::Reference(object))
}
