// Made from the interface `unused`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `unused`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x06\x00\x00\x00unused\x00\x00\x00\x00[\x00\x00\x00What no operation uses, union\
    s of scalars alone, and names that Rust would write otherwise.\x00\x00\x00\x00\x01\x00\x08\x00\
    \x00\x00a__limit\x00\x00\x00\x00\x01 \x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x01\x00\x07\x00\
    \x00\x00E__kind\x00\x00\x00\x00\x02\x00\x08\x00\x00\x00one__two\x05\x00\x00\x00Three\x01\x00\
    \x08\x00\x00\x00S__never\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00x__y\x01 \x01\x01\x00\x00\x00z\
    \x03\x04\x00\x00\x00\x03\x00\x05\x00\x00\x00Never\x00\x00\x00\x00\x01 \x01\x01\x00\x02\x00\x04\
    \x00\x00\x00text\x03\x04\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00nu\
    mber\x01 \x01\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00Lists__never\x00\x00\x00\
    \x00\x00\x01\x00\x01\x00\x03\x00\x00\x00all\x06\x02\x00\x00\x00\x05\x00\x00\x01\x00\x01\x00\
    \x00\x00\x00\x00\x00\x00\x07\x00\x00\x00Scalars\x00\x00\x00\x00\x02\x00\x00\x01\x00\x02\x00\
    \x05\x00\x00\x00whole\x01 \x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00is__so\
    \x00\x00\x00\x03\x00\r\x00\x00\x00Never__raised\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00kind\
    \x02\x00\x00\x07\x00\x00\x00message\x03\x08\x00\x00\x00\r\x00\x00\x00Other__raised\x00\x00\x00\
    \x00\x02\x00\x05\x00\x00\x00value\n\x00\x00\x03\x00\x00\x00all\x06\x02\x00\x00\x00\x05\x00\x00\
    \x06\x00\x00\x00Raised\x00\x00\x00\x00\x01\x00\n\x00\x00\x00use__errno\x01 \x01\x02\x00\x05\
    \x00\x00\x00Quiet\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00Names__apart\x00\x00\x00\x00\
    \x00\x00\x04\x00\n\x00\x00\x00use__errno\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x01\x00\
    \x02\x00\x02\x00\n\x00\x00\x00use__value\x00\x01 \x01\x0c\x00\x00\x00found__value\x02\n\x02\
    \x00\x07\x00\x00\x00all__of\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\n\x02\x00\
    \x00\x00\x02\x00\x08\x00\x00\x00some__of\x00\x06\x03\x00\x00\x00\n\x02\x00\x07\x00\x00\x00one_\
    _of\x01\n\x02\x00\x0c\x00\x00\x00_get_is__set\x00\x00\x00\x00\x00\x00\x00\x00C\x00\x01 \x01\
    \x00\x00\x00\x00\x0c\x00\x00\x00_set_is__set\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\
    \x01\x00\x05\x00\x00\x00value\x00\x01 \x01\
    ";

/// The constant `a__limit`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const A__LIMIT: i32 = 3;

/// The enum `E__kind`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EKind {
    /// `one__two`.
    OneTwo,
    /// `Three`.
    Three,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl EKind {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<EKind> {
        match word {
            0 => Some(EKind::OneTwo),
            1 => Some(EKind::Three),
            _ => None,
        }
    }

    /// Its number.
    #[must_use]
    pub const fn to_word(self) -> u64 {
        self as u64
    }

    /// Its name in the interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EKind::OneTwo => "one__two",
            EKind::Three => "Three",
        }
    }
}

/// The struct `S__never`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SNever {
    /// `x__y`.
    pub x__y: i32,
    /// `z`, at most 4 bytes without NUL.
    pub z: Vec<u8>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SNever {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<SNever, stub::Wrong> {
        Ok(SNever { x__y: stub::int::<i32>(words[0])?, z: stub::field_string(area, words[1], 4)? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SNever {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.x__y), stub::add_string(area, &self.z, 4)?])
    }
}

/// The union `Never`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Never {
    /// `text`.
    Text(Vec<u8>),
    /// `number`.
    Number(i32),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Never {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Never::Text(value) => {
                stub::string_word(0, value, 4)?;
                Ok([1, 0])
            }
            Never::Number(value) => {
                Ok([2, stub::word(*value)])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Never::Text(value), 0) => value,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], parts: [Vec<u8>; 1]) -> Result<Never, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            1 => Ok(Never::Text(stub::string_part(part0, 4)?)),
            2 => Ok(Never::Number(stub::int::<i32>(words[1])?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Lists__never`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListsNever {
    /// `all`.
    All(Vec<SNever>),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ListsNever {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 1], stub::Wrong> {
        match self {
            ListsNever::All(value) => {
                let _ = value;
                Ok([1])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> Result<Vec<u8>, stub::Wrong> {
        match (self, index) {
            (ListsNever::All(value), 0) => stub::packed(value, 2, SNever::write),
            _ => Ok(Vec::new()),
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 1], parts: [Vec<u8>; 1]) -> Result<ListsNever, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            1 => Ok(ListsNever::All(stub::unpacked(&part0, 2, &[1], SNever::read)?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Scalars`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// `whole`.
    Whole(i32),
    /// `is__so`, with a discriminant that no other arm has.
    IsSo(EKind, bool),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Scalars {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Scalars::Whole(value) => {
                Ok([0, stub::word(*value)])
            }
            Scalars::IsSo(label, value) => {
                Ok([stub::label((*label).to_word(), &[], &[0])?, u64::from(*value)])
            }
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], _: [Vec<u8>; 0]) -> Result<Scalars, stub::Wrong> {
        match words[0].cast_signed() {
            0 => Ok(Scalars::Whole(stub::int::<i32>(words[1])?)),
            _ => Ok(Scalars::IsSo(EKind::from_word(words[0]).ok_or(stub::Wrong::Value)?, stub::bool(words[1])?)),
        }
    }
}

/// The exception `Never__raised`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverRaised {
    /// What programs test.
    pub kind: EKind,
    /// What people read; cut to 8 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NeverRaised {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: EKind, message: &str) -> NeverRaised {
        NeverRaised { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for NeverRaised {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for NeverRaised {}

impl From<NeverRaised> for stub::Failure {
    fn from(raised: NeverRaised) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 8)
    }
}

impl stub::Exception for NeverRaised {
    fn from_details(details: &stub::Details) -> Option<NeverRaised> {
        let kind = EKind::from_word(u64::from(details.raised))?;
        Some(NeverRaised { kind, message: details.message.clone() })
    }
}

/// The exception `Other__raised`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRaised {
    /// `value`.
    pub value: Never,
    /// `all`, at most 2 elements.
    pub all: Vec<SNever>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl OtherRaised {
    fn read(words: &[u64; 4], area: &stub::Area) -> Result<OtherRaised, stub::Wrong> {
        Ok(OtherRaised {
            value: Never::read([words[0], words[1]], [stub::field_bytes(area, words[2], 4)?])?,
            all: stub::field_list(area, words[3], 2, &[1], SNever::read)?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl OtherRaised {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 4], stub::Wrong> {
        let mut words = [
            0,
            0,
            stub::add_bytes(area, self.value.part(0), 4)?,
            stub::add_bytes(area, &stub::packed(&self.all, 2, SNever::write)?, 48)?,
        ];
        words[0..2].copy_from_slice(&self.value.words()?);
        Ok(words)
    }
}

impl ::std::fmt::Display for OtherRaised {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Other__raised: {self:?}")
    }
}

impl ::std::error::Error for OtherRaised {}

impl From<OtherRaised> for stub::Failure {
    fn from(raised: OtherRaised) -> stub::Failure {
        stub::raised_members(0, "Other__raised", &raised, OtherRaised::write)
    }
}

impl stub::Exception for OtherRaised {
    fn from_details(details: &stub::Details) -> Option<OtherRaised> {
        match stub::place(details) {
            0 => stub::members(details, OtherRaised::read),
            _ => None,
        }
    }
}

/// The exception `Raised`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// `use__errno`.
    pub use__errno: i32,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Raised {
    fn read(words: &[u64; 1], _area: &stub::Area) -> Result<Raised, stub::Wrong> {
        Ok(Raised { use__errno: stub::int::<i32>(words[0])? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Raised {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([stub::word(self.use__errno)])
    }
}

impl ::std::fmt::Display for Raised {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Raised: {self:?}")
    }
}

impl ::std::error::Error for Raised {}

impl From<Raised> for stub::Failure {
    fn from(raised: Raised) -> stub::Failure {
        stub::raised_members(0, "Raised", &raised, Raised::write)
    }
}

impl stub::Exception for Raised {
    fn from_details(details: &stub::Details) -> Option<Raised> {
        match stub::place(details) {
            0 => stub::members(details, Raised::read),
            _ => None,
        }
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct ScalarsList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ScalarsList<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, value: &Scalars) -> bool {
        self.0.push(|_| {
            let mut words = [0, 0];
            words[0..2].copy_from_slice(&value.words()?);
            Ok(words)
        })
    }
}

/// What a service with the interface `Quiet` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait QuietService: Send + Sync + 'static {
}

/// The interface `Quiet`.
///
/// A portal on an object of a [`QuietService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Quiet {
    client: stub::Client,
}

impl stub::Interface for Quiet {
    type Service = dyn QuietService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Quiet {
        Quiet { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Quiet {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl QuietService) -> stub::Served<Quiet> {
        stub::serve::<QuietServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Quiet {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct QuietServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: QuietService> stub::Dispatch<S> for QuietServer {
    type Interface = Quiet;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Quiet>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(_: &S, op: u16, _: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

/// What a service with the interface `Names__apart` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait NamesApartService: Send + Sync + 'static {
    /// The operation `use__errno`.
    fn use__errno(&self, caller: &stub::Caller, use__value: i32) -> Result<(i32, Scalars), Raised>;

    /// The operation `all__of`.
    fn all__of(
        &self,
        caller: &stub::Caller,
        some__of: &[Scalars],
        one__of: &mut Scalars,
        result: &mut ScalarsList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `_get_is__set`.
    fn is__set(&self, caller: &stub::Caller) -> Result<i32, stub::Failure>;

    /// The operation `_set_is__set`.
    fn set_is__set(&self, caller: &stub::Caller, value: i32) -> Result<(), stub::Failure>;
}

/// The interface `Names__apart`.
///
/// A portal on an object of a [`NamesApartService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct NamesApart {
    client: stub::Client,
    near: stub::Nearby<NamesApart>,
}

impl stub::Interface for NamesApart {
    type Service = dyn NamesApartService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> NamesApart {
        NamesApart { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NamesApart {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl NamesApartService) -> stub::Served<NamesApart> {
        stub::serve::<NamesApartServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> NamesApart {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `use__errno`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn use__errno(&self, use__value: i32) -> Result<(i32, Scalars), stub::CallError<Raised>> {
        let mut words = [stub::word(use__value), 0, 0, 0];
        self.client.call(0, &mut words, &[], &mut [], &[])?;
        let result = stub::int::<i32>(words[1]).reply("Names__apart.use__errno")?;
        let found__value =
            Scalars::read([words[2], words[3]], []).reply("Names__apart.use__errno")?;
        Ok((result, found__value))
    }

    /// The operation `all__of`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn all__of(
        &self,
        some__of: &[Scalars],
        one__of: &mut Scalars,
    ) -> Result<Vec<Scalars>, stub::Failure> {
        let some__of_area = stub::list_area(some__of, 3, |each, _| { let mut words = [0, 0]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Names__apart.all__of", "some__of")?;
        let mut words = [stub::area(0), 0, 0, stub::area(1)];
        words[1..3].copy_from_slice(&one__of.words().argument("Names__apart.all__of", "one__of")?);
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[stub::Input::List(&some__of_area)], &mut outputs, &[])?;
        let one__of_area = Scalars::read([words[1], words[2]], []).reply("Names__apart.all__of")?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 2], _| Ok(Scalars::read([words[0], words[1]], [])?))
            .reply("Names__apart.all__of")?;
        *one__of = one__of_area;
        Ok(result)
    }

    /// The operation `all__of`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn all__of_into(
        &self,
        some__of: &[Scalars],
        one__of: &mut Scalars,
        result: &mut Vec<Scalars>,
    ) -> Result<(), stub::Failure> {
        let some__of_area = stub::list_area(some__of, 3, |each, _| { let mut words = [0, 0]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Names__apart.all__of", "some__of")?;
        let mut words = [stub::area(0), 0, 0, stub::area(1)];
        words[1..3].copy_from_slice(&one__of.words().argument("Names__apart.all__of", "one__of")?);
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[stub::Input::List(&some__of_area)], &mut outputs, &[])?;
        let one__of_area = Scalars::read([words[1], words[2]], []).reply("Names__apart.all__of")?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 2], _| Ok(Scalars::read([words[0], words[1]], [])?),
            result,
        ).reply("Names__apart.all__of")?;
        *one__of = one__of_area;
        Ok(())
    }

    /// The operation `_get_is__set`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn is__set(&self) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(2, |service, caller| service.is__set(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(2, &mut words, &[])?;
            let result = stub::int::<i32>(words[0]).reply("Names__apart._get_is__set")?;
            Ok(result)
        })
    }

    /// The operation `_set_is__set`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_is__set(&self, value: i32) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(3, |service, caller| service.set_is__set(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(value), 0, 0, 0, 0, 0];
            self.client.short(3, &mut words, &[])?;
            Ok(())
        })
    }
}

/// An object of a [`NamesApartService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamesApartAt(pub stub::Number);

impl From<stub::Number> for NamesApartAt {
    fn from(number: stub::Number) -> NamesApartAt {
        NamesApartAt(number)
    }
}

impl From<NamesApartAt> for stub::Number {
    fn from(at: NamesApartAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NamesApartAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl NamesApartService) -> stub::Kept<NamesApartAt> {
        stub::keep::<NamesApartServer, _, _>(service)
    }

    /// The operation `_get_is__set`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn is__set(self, channel: &mut impl stub::Channel) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<NamesApart, 0>(self.0, channel, 2, [])?;
        Ok(result)
    }

    /// The operation `_set_is__set`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_is__set(
        self,
        channel: &mut impl stub::Channel,
        value: i32,
    ) -> Result<(), stub::Failure> {
        stub::call_narrow::<NamesApart, 1>(self.0, channel, 3, [value])?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct NamesApartServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: NamesApartService> stub::Dispatch<S> for NamesApartServer {
    type Interface = NamesApart;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<NamesApart>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call.caller, stub::block(call.words)?),
            3 => Self::op_3(service, call.caller, stub::block(call.words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
    ) -> Result<(), stub::Failure> {
        match op {
            2 => Self::op_2(service, caller, stub::head(words)?),
            3 => Self::op_3(service, caller, stub::head(words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few(
        service: &S,
        op: u32,
        caller: &stub::Caller,
        w0: u64,
        w1: u64,
        w2: u64,
        w3: u64,
    ) -> stub::Two {
        match op {
            2 => Self::plain_2(service, caller, [w0, w1, w2, w3]),
            3 => Self::plain_3(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few_narrow(
        service: &S,
        op: &u32,
        caller: &stub::Caller,
        w0: i32,
        w1: i32,
        w2: i32,
        w3: i32,
    ) -> stub::Narrow {
        match *op {
            2 => Self::narrow_2(service, caller, [w0, w1, w2, w3]),
            3 => Self::narrow_3(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NamesApartServer {
    /// `Names__apart.use__errno`.
    #[inline(never)]
    fn op_0(
        service: &impl NamesApartService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let use__value =
            stub::int::<i32>(words[0]).argument("Names__apart.use__errno", "use__value")?;
        let (result, found__value) = service.use__errno(call.caller, use__value)?;
        words[1] = stub::word(result);
        words[2..4].copy_from_slice(&found__value.words().given("Names__apart.use__errno")?);
        Ok(())
    }

    /// `Names__apart.all__of`.
    #[inline(never)]
    fn op_1(
        service: &impl NamesApartService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut result_area = call.areas.take(words[3])?;
        let some__of = stub::list_in(call.areas, words[0], 3, |words: &[u64; 2], _| Ok(Scalars::read([words[0], words[1]], [])?))
            .argument("Names__apart.all__of", "some__of")?;
        let mut one__of =
            Scalars::read([words[1], words[2]], []).argument("Names__apart.all__of", "one__of")?;
        let mut result = ScalarsList(stub::ListOut::new(&mut result_area, 3));
        service.all__of(call.caller, &some__of, &mut one__of, &mut result)?;
        words[1..3].copy_from_slice(&one__of.words().given("Names__apart.all__of")?);
        result.0.finish("Names__apart.all__of")?;
        words[3] = call.areas.put(words[3], result_area)?;
        Ok(())
    }

    /// `Names__apart._get_is__set`.
    #[inline]
    fn op_2(
        service: &impl NamesApartService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.is__set(caller)?;
        words[0] = stub::word(result);
        Ok(())
    }

    /// `Names__apart._set_is__set`.
    #[inline]
    fn op_3(
        service: &impl NamesApartService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = stub::int::<i32>(words[0]).argument("Names__apart._set_is__set", "value")?;
        service.set_is__set(caller, value)?;
        Ok(())
    }

    /// `Names__apart._get_is__set` in a plain session.
    #[inline(always)]
    fn plain_2(service: &impl NamesApartService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::widened(Self::narrow_2(service, caller, [0, 0, 0, 0]))
    }

    /// `Names__apart._get_is__set` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_2(
        service: &impl NamesApartService,
        caller: &stub::Caller,
        _: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Names__apart._get_is__set", || Ok(service.is__set(caller)?))?;
        Ok((result, 0))
    }

    /// `Names__apart._set_is__set` in a plain session.
    #[inline(always)]
    fn plain_3(
        service: &impl NamesApartService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = stub::int::<i32>(value).argument("Names__apart._set_is__set", "value")?;
        stub::widened(Self::narrow_3(service, caller, [value, 0, 0, 0]))
    }

    /// `Names__apart._set_is__set` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_3(
        service: &impl NamesApartService,
        caller: &stub::Caller,
        [value, ..]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Names__apart._set_is__set", || Ok(service.set_is__set(caller, value)?))?;
        Ok((0, 0))
    }
}

