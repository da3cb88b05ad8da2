// Made from the interface `derived`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `derived`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x07\x00\x00\x00derived\x00\x00\x00\x00d\x00\x00\x00Three levels above an interf\
    ace of another module, and names that are taken below or by every value.\x00\x00\x00\x00\x00\
    \x00\x01\x00\x0e\x00\x00\x00::shared::Kind\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00file\x03\x00\
    \x00\x00dir\x01\x00\x0f\x00\x00\x00::shared::Point\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00x\
    \x01 \x01\x01\x00\x00\x00y\x01 \x01\x00\x00\x02\x00\x0e\x00\x00\x00::shared::Busy\x00\x00\x00\
    \x00\x02\x00\x04\x00\x00\x00kind\x02\x00\x00\x07\x00\x00\x00message\x03\x08\x00\x00\x00\x0e\
    \x00\x00\x00::shared::Gone\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00last\x05\x00\x00\x04\x00\x0e\
    \x00\x00\x00::shared::Base\x00\x00\x00\x00\x00\x00\x07\x00\t\x00\x00\x00_get_name\x00\x00\x00\
    \x00\x00\x00\x00\x00C\x00\x03\t\x00\x00\x00\x00\x00\x00\x00\x0b\x00\x00\x00_get_client\x00\x00\
    \x00\x00\x00\x00\x00\x00C\x00\x01@\x01\x00\x00\x00\x00\x0b\x00\x00\x00_set_client\x00\x00\x00\
    \x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x05\x00\x00\x00value\x00\x01@\x01\x04\x00\x00\x00\
    kind\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x02\x00\x00\x02\x00\x00\x00\x01\x00\x01\x00\x02\x00\
    \x00\x00at\x00\x05\x00\x00\x06\x00\x00\x00points\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\
    \x00\x00\x00\x05\x00\x00\x00\x00\x01\x00\x07\x00\x00\x00service\x00\x06\x03\x00\x00\x00\x05\
    \x00\x00\x06\x00\x00\x00length\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\
    \x04\x00\x00\x00base\x00\x04\x08\x00\x00\x00\x05\x00\x00\x00again\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x07\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00other\x00\x07\x00\x00\x01\x00\x00\x00SO\
    \x00\x00\x00Has nothing of its own, and the name of a parameter of types in generated Rust.\
    \x01\x00\x00\x00\x00\x00\x06\x00\x00\x00Middle\x00\x00\x00\x00\x01\x01\x00\x00\x05\x00\x08\x00\
    \x00\x00nameInto\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\t\x00\x00\x00\x00\x00\x01\x00\x06\
    \x00\x00\x00client\x00\x01 \x01\x05\x00\x00\x00clone\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \
    \x01\x00\x00\x01\x00\x07\x00\x00\x00service\x00\x01 \x01\x08\x00\x00\x00to_owned\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x03\x08\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00deref\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x00\x00\x07\x00\x00\x00to_base\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x04\x00\x00\x00base\x00\x01 \x01\x04\x00\x00\x00Las\
    t\x00\x00\x00\x00\x01\x02\x00\x00\x03\x00\t\x00\x00\x00setClient\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x01 \x01\x00\x00\x01\x00\x02\x00\x00\x00op\x00\x01 \x01\x08\x00\x00\x00lengthOf\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x02\x00\x00\x02\x00\x01\x00\x00\x00\x03\x00\x04\x00\x00\x00s\
    ome\x00\x07\x00\x00\x05\x00\x00\x00other\x00\x07\x02\x00\x04\x00\x00\x00made\x02\x07\x02\x00\
    \x04\x00\x00\x00read\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00pi\
    ece\x00\x04\x04\x00\x00\x00\x06\x00\x00\x00caller\x01\x01@\x01\
    ";

/// The enum `::shared::Kind`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SharedKind {
    /// `file`.
    File,
    /// `dir`.
    Dir,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedKind {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<SharedKind> {
        match word {
            0 => Some(SharedKind::File),
            1 => Some(SharedKind::Dir),
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
            SharedKind::File => "file",
            SharedKind::Dir => "dir",
        }
    }
}

/// The struct `::shared::Point`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPoint {
    /// `x`.
    pub x: i32,
    /// `y`.
    pub y: i32,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedPoint {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<SharedPoint, stub::Wrong> {
        Ok(SharedPoint { x: stub::int::<i32>(words[0])?, y: stub::int::<i32>(words[1])? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedPoint {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.x), stub::word(self.y)])
    }
}

/// The exception `::shared::Busy`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedBusy {
    /// What programs test.
    pub kind: SharedKind,
    /// What people read; cut to 8 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBusy {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: SharedKind, message: &str) -> SharedBusy {
        SharedBusy { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for SharedBusy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for SharedBusy {}

impl From<SharedBusy> for stub::Failure {
    fn from(raised: SharedBusy) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 8)
    }
}

impl stub::Exception for SharedBusy {
    fn from_details(details: &stub::Details) -> Option<SharedBusy> {
        let kind = SharedKind::from_word(u64::from(details.raised))?;
        Some(SharedBusy { kind, message: details.message.clone() })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBusy {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<SharedBusy, stub::Wrong> {
        Ok(SharedBusy {
            kind: SharedKind::from_word(words[0]).ok_or(stub::Wrong::Value)?,
            message: stub::text(&stub::field_string(area, words[1], 8)?),
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBusy {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([self.kind.to_word(), stub::add_string(area, stub::cut(&self.message, 8), 8)?])
    }
}

/// The exception `::shared::Gone`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedGone {
    /// `last`.
    pub last: SharedPoint,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedGone {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<SharedGone, stub::Wrong> {
        Ok(SharedGone {
            last: SharedPoint { x: stub::int::<i32>(words[0])?, y: stub::int::<i32>(words[1])? },
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedGone {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.last.x), stub::word(self.last.y)])
    }
}

impl ::std::fmt::Display for SharedGone {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "::shared::Gone: {self:?}")
    }
}

impl ::std::error::Error for SharedGone {}

impl From<SharedGone> for stub::Failure {
    fn from(raised: SharedGone) -> stub::Failure {
        stub::raised_members(0, "::shared::Gone", &raised, SharedGone::write)
    }
}

impl stub::Exception for SharedGone {
    fn from_details(details: &stub::Details) -> Option<SharedGone> {
        match stub::place(details) {
            0 => stub::members(details, SharedGone::read),
            _ => None,
        }
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct SharedPointList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedPointList<'_> {
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
    pub fn push(&mut self, x: i32, y: i32) -> bool {
        self.0.push(|_| {
            Ok([stub::word(x), stub::word(y)])
        })
    }
}

/// What `::shared::Base.kind` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedBaseKindError {
    /// `::shared::Busy`.
    SharedBusy(SharedBusy),
    /// `::shared::Gone`.
    SharedGone(SharedGone),
}

impl ::std::fmt::Display for SharedBaseKindError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            SharedBaseKindError::SharedBusy(raised) => raised.fmt(f),
            SharedBaseKindError::SharedGone(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for SharedBaseKindError {}

impl From<SharedBusy> for SharedBaseKindError {
    fn from(raised: SharedBusy) -> SharedBaseKindError {
        SharedBaseKindError::SharedBusy(raised)
    }
}

impl From<SharedGone> for SharedBaseKindError {
    fn from(raised: SharedGone) -> SharedBaseKindError {
        SharedBaseKindError::SharedGone(raised)
    }
}

impl From<SharedBaseKindError> for stub::Failure {
    fn from(raised: SharedBaseKindError) -> stub::Failure {
        match &raised {
            SharedBaseKindError::SharedBusy(raised) => {
                stub::raised_members(0, "::shared::Busy", raised, SharedBusy::write)
            }
            SharedBaseKindError::SharedGone(raised) => {
                stub::raised_members(1, "::shared::Gone", raised, SharedGone::write)
            }
        }
    }
}

impl stub::Exception for SharedBaseKindError {
    fn from_details(details: &stub::Details) -> Option<SharedBaseKindError> {
        match stub::place(details) {
            0 => stub::members(details, SharedBusy::read).map(SharedBaseKindError::SharedBusy),
            1 => stub::members(details, SharedGone::read).map(SharedBaseKindError::SharedGone),
            _ => None,
        }
    }
}

/// What a service with the interface `::shared::Base` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait SharedBaseService: Send + Sync + 'static {
    /// The operation `_get_name`.
    fn name(
        &self,
        caller: &stub::Caller,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `_get_client`.
    fn client(&self, caller: &stub::Caller) -> Result<i64, stub::Failure>;

    /// The operation `_set_client`.
    fn set_client(&self, caller: &stub::Caller, value: i64) -> Result<(), stub::Failure>;

    /// The operation `kind`.
    fn kind(
        &self,
        caller: &stub::Caller,
        at: &SharedPoint,
    ) -> Result<SharedKind, SharedBaseKindError>;

    /// The operation `points`.
    fn points(
        &self,
        caller: &stub::Caller,
        service_: &[SharedPoint],
        result: &mut SharedPointList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `length`.
    fn length(&self, caller: &stub::Caller, base: &[u8]) -> Result<i32, stub::Failure>;

    /// The operation `again`.
    fn again(
        &self,
        caller: &stub::Caller,
        other: stub::PortalIn<'_, SharedBase>,
    ) -> Result<stub::Served<SharedBase>, stub::Failure>;
}

/// The interface `::shared::Base`.
///
/// A portal on an object of a [`SharedBaseService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct SharedBase {
    client: stub::Client,
    near: stub::Nearby<SharedBase>,
}

impl stub::Interface for SharedBase {
    type Service = dyn SharedBaseService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> SharedBase {
        SharedBase { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBase {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SharedBaseService) -> stub::Served<SharedBase> {
        stub::serve::<SharedBaseServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> SharedBase {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name(&self) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.name_into(&mut result)?;
        Ok(result)
    }

    /// The operation `_get_name`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name_into(&self, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 9);
            near.call(0, |service, caller| service.name(caller, &mut result_area))?;
            result_area.finish_string("::shared::Base._get_name")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(0, &mut words, &[], result)?;
            stub::bounded_string(result, 9).reply("::shared::Base._get_name")?;
            Ok(())
        })
    }

    /// The operation `_get_client`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn client(&self) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(1, |service, caller| service.client(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            let result = words[0].cast_signed();
            Ok(result)
        })
    }

    /// The operation `_set_client`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_client(&self, value: i64) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(2, |service, caller| service.set_client(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [value.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short(2, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `kind`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn kind(
        &self,
        at: &SharedPoint,
    ) -> Result<SharedKind, stub::CallError<SharedBaseKindError>> {
        let mut words = [stub::word(at.x), stub::word(at.y), 0];
        self.client.call(3, &mut words, &[], &mut [], &[])?;
        let result = SharedKind::from_word(words[2]).reply("::shared::Base.kind")?;
        Ok(result)
    }

    /// The operation `points`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn points(&self, service_: &[SharedPoint]) -> Result<Vec<SharedPoint>, stub::Failure> {
        let service_area = stub::list_area(service_, 3, SharedPoint::write)
            .argument("::shared::Base.points", "service")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(4, &mut words, &[stub::Input::List(&service_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, SharedPoint::read).reply("::shared::Base.points")?;
        Ok(result)
    }

    /// The operation `points`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn points_into(
        &self,
        service_: &[SharedPoint],
        result: &mut Vec<SharedPoint>,
    ) -> Result<(), stub::Failure> {
        let service_area = stub::list_area(service_, 3, SharedPoint::write)
            .argument("::shared::Base.points", "service")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(4, &mut words, &[stub::Input::List(&service_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 3, SharedPoint::read, result).reply("::shared::Base.points")?;
        Ok(())
    }

    /// The operation `length`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn length(&self, base: &[u8]) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let base = stub::bounded(base, 8).argument("::shared::Base.length", "base")?;
            let result = near.call(5, |service, caller| service.length(caller, base))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, base, 8).argument("::shared::Base.length", "base")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(5, &mut words, base)?;
            let result = stub::int::<i32>(words[1]).reply("::shared::Base.length")?;
            Ok(result)
        })
    }

    /// The operation `again`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn again(&self, other: &SharedBase) -> Result<SharedBase, stub::Failure> {
        let mut words = [0, 0];
        let made = self.client.call(6, &mut words, &[], &mut [], &[other.portal()])?;
        let result =
            SharedBase::from_portal(stub::made(&made, words[1]).reply("::shared::Base.again")?);
        Ok(result)
    }
}

/// An object of a [`SharedBaseService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedBaseAt(pub stub::Number);

impl From<stub::Number> for SharedBaseAt {
    fn from(number: stub::Number) -> SharedBaseAt {
        SharedBaseAt(number)
    }
}

impl From<SharedBaseAt> for stub::Number {
    fn from(at: SharedBaseAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBaseAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SharedBaseService) -> stub::Kept<SharedBaseAt> {
        stub::keep::<SharedBaseServer, _, _>(service)
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn name<'c>(self, channel: &'c mut impl stub::Channel) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<SharedBase, 5, 5, 5>(self.0, channel, 0, 0, place, 0)?;
        let result = stub::bounded_string(stub::Channel::reply(channel), 9)
            .reply("::shared::Base._get_name")?;
        Ok(result)
    }

    /// The operation `_get_client`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn client(self, channel: &mut impl stub::Channel) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<SharedBase, 0>(self.0, channel, 1, [])?;
        Ok(result)
    }

    /// The operation `_set_client`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_client(
        self,
        channel: &mut impl stub::Channel,
        value: i64,
    ) -> Result<(), stub::Failure> {
        stub::call::<SharedBase, 1>(self.0, channel, 2, [value.cast_unsigned()])?;
        Ok(())
    }

    /// The operation `length`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn length(
        self,
        channel: &mut impl stub::Channel,
        base: &[u8],
    ) -> Result<i32, stub::Failure> {
        let place = &mut 0;
        let result = stub::call_in::<SharedBase, 5, 5, 5, 0>(
            self.0,
            channel,
            5,
            0,
            place,
            0,
            base,
        )?;
        let result = stub::int::<i32>(result.cast_unsigned()).reply("::shared::Base.length")?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct SharedBaseServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: SharedBaseService> stub::Dispatch<S> for SharedBaseServer {
    type Interface = SharedBase;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<SharedBase>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => {
                let mut area = call.take(0)?;
                Self::op_0(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(0, area)
            }
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
            2 => Self::op_2(service, call.caller, stub::block(call.words)?),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
            5 => {
                let piece = stub::piece(call.areas, call.words, 0)
                    .argument("::shared::Base.length", "base")?;
                Self::op_5(service, call.caller, stub::block(call.words)?, piece)
            }
            6 => Self::op_6(service, call),
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
            1 => Self::op_1(service, caller, stub::head(words)?),
            2 => Self::op_2(service, caller, stub::head(words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        match op {
            5 => Self::op_5(service, caller, stub::head(words)?, piece),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        _: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, caller, stub::head(words)?, out),
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
            1 => Self::plain_1(service, caller, [w0, w1, w2, w3]),
            2 => Self::plain_2(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            5 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_5(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            0 => {
                let (caller, w0, place, w1, out) = from.take::<5, 5, 5>();
                Self::plain_0(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SharedBaseServer {
    /// `::shared::Base._get_name`.
    #[inline]
    fn op_0(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut result = stub::BytesOut::new(result_area, 9);
        service.name(caller, &mut result)?;
        result.finish_string("::shared::Base._get_name")?;
        Ok(())
    }

    /// `::shared::Base._get_client`.
    #[inline]
    fn op_1(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.client(caller)?;
        words[0] = result.cast_unsigned();
        Ok(())
    }

    /// `::shared::Base._set_client`.
    #[inline]
    fn op_2(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = words[0].cast_signed();
        service.set_client(caller, value)?;
        Ok(())
    }

    /// `::shared::Base.kind`.
    #[inline(never)]
    fn op_3(
        service: &impl SharedBaseService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let at = SharedPoint {
            x: stub::int::<i32>(words[0]).argument("::shared::Base.kind", "at")?,
            y: stub::int::<i32>(words[1]).argument("::shared::Base.kind", "at")?,
        };
        let result = service.kind(call.caller, &at)?;
        words[2] = result.to_word();
        Ok(())
    }

    /// `::shared::Base.points`.
    #[inline(never)]
    fn op_4(
        service: &impl SharedBaseService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let service_ = stub::list_in(call.areas, words[0], 3, SharedPoint::read)
            .argument("::shared::Base.points", "service")?;
        let mut result = SharedPointList(stub::ListOut::new(&mut result_area, 3));
        service.points(call.caller, &service_, &mut result)?;
        result.0.finish("::shared::Base.points")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `::shared::Base.length`.
    #[inline]
    fn op_5(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        base: &[u8],
    ) -> Result<(), stub::Failure> {
        let base = stub::bounded(base, 8).argument("::shared::Base.length", "base")?;
        let result = service.length(caller, base)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `::shared::Base.again`.
    #[inline(never)]
    fn op_6(
        service: &impl SharedBaseService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let other =
            stub::portal::<SharedBase>(call.portals, words[0], "::shared::Base.again", "other")?;
        let result = service.again(call.caller, other)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `::shared::Base._get_name` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let mut result = stub::BytesOut::new(result, 9);
        stub::carried("::shared::Base._get_name", || Ok(service.name(caller, &mut result)?))?;
        result.finish_string("::shared::Base._get_name")?;
        Ok(0)
    }

    /// `::shared::Base._get_client` in a plain session.
    #[inline(always)]
    fn plain_1(service: &impl SharedBaseService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        let result = stub::carried("::shared::Base._get_client", || Ok(service.client(caller)?))?;
        Ok((result, 0))
    }

    /// `::shared::Base._set_client` in a plain session.
    #[inline(always)]
    fn plain_2(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = value.cast_signed();
        stub::carried("::shared::Base._set_client", || Ok(service.set_client(caller, value)?))?;
        Ok((0, 0))
    }

    /// `::shared::Base.length` in a plain session.
    #[inline(always)]
    fn plain_5(
        service: &impl SharedBaseService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        base: &[u8],
    ) -> stub::One {
        let base = stub::bounded(base, 8).argument("::shared::Base.length", "base")?;
        let result = stub::carried("::shared::Base.length", || Ok(service.length(caller, base)?))?;
        Ok(stub::word(result).cast_signed())
    }
}

/// What a service with the interface `S` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait SService: SharedBaseService {
}

/// Has nothing of its own, and the name of a parameter of types in generated Rust.
///
/// A portal on an object of a [`SService`]. It does all that a [`SharedBase`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct S_ {
    base: SharedBase,
}

impl stub::Interface for S_ {
    type Service = dyn SService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> S_ {
        S_ { base: SharedBase::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl S_ {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SService) -> stub::Served<S_> {
        stub::serve::<SServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> S_ {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }
}

impl ::std::ops::Deref for S_ {
    type Target = SharedBase;

    fn deref(&self) -> &SharedBase {
        &self.base
    }
}

impl stub::Extends<SharedBase> for S_ {
    fn to_base(&self) -> SharedBase {
        SharedBase::from_portal(self.portal().clone())
    }
}

/// An object of a [`SService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SAt(pub stub::Number);

impl From<stub::Number> for SAt {
    fn from(number: stub::Number) -> SAt {
        SAt(number)
    }
}

impl From<SAt> for stub::Number {
    fn from(at: SAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SService) -> stub::Kept<SAt> {
        stub::keep::<SServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> SharedBaseAt {
        SharedBaseAt(self.0)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct SServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: SService> stub::Dispatch<S> for SServer {
    type Interface = S_;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<S_>(place, ::std::sync::Arc::<S>::clone(service)) {
            SharedBaseServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        SharedBaseServer::dispatch(service, op, call)
    }

    fn short(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
    ) -> Result<(), stub::Failure> {
        SharedBaseServer::short(service, op, caller, words)
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        SharedBaseServer::short_in(service, op, caller, words, piece)
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        SharedBaseServer::short_out(service, op, caller, words, piece, out)
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
            ..=6 => SharedBaseServer::few(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=6 => SharedBaseServer::sent(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=6 => SharedBaseServer::replied(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

/// What a service with the interface `Middle` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait MiddleService: SService {
    /// The operation `nameInto`.
    fn name_into_(
        &self,
        caller: &stub::Caller,
        client: i32,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `clone`.
    fn clone_(&self, caller: &stub::Caller, service_: i32) -> Result<i32, stub::Failure>;

    /// The operation `to_owned`.
    fn to_owned_(
        &self,
        caller: &stub::Caller,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `deref`.
    fn deref(&self, caller: &stub::Caller) -> Result<i32, stub::Failure>;

    /// The operation `to_base`.
    fn to_base_(&self, caller: &stub::Caller, base: i32) -> Result<i32, stub::Failure>;
}

/// The interface `Middle`.
///
/// A portal on an object of a [`MiddleService`]. It does all that a [`S_`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Middle {
    base: S_,
    near: stub::Nearby<Middle>,
}

impl stub::Interface for Middle {
    type Service = dyn MiddleService;

    const ID: stub::InterfaceId = stub::InterfaceId(2);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Middle {
        Middle { near: stub::Nearby::new(&client), base: S_::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Middle {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl MiddleService) -> stub::Served<Middle> {
        stub::serve::<MiddleServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Middle {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `nameInto`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name_into_(&self, client: i32) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.name_into_into(client, &mut result)?;
        Ok(result)
    }

    /// The operation `nameInto`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name_into_into(&self, client: i32, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 9);
            near.call(7, |service, caller| service.name_into_(caller, client, &mut result_area))?;
            result_area.finish_string("Middle.nameInto")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(client), 0, 0, 0, 0, 0];
            self.client.short_out(7, &mut words, &[], result)?;
            stub::bounded_string(result, 9).reply("Middle.nameInto")?;
            Ok(())
        })
    }

    /// The operation `clone`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn clone_(&self, service_: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(8, |service, caller| service.clone_(caller, service_))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(service_), 0, 0, 0, 0, 0];
            self.client.short(8, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Middle.clone")?;
            Ok(result)
        })
    }

    /// The operation `to_owned`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn to_owned_(&self) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.to_owned_into(&mut result)?;
        Ok(result)
    }

    /// The operation `to_owned`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn to_owned_into(&self, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 8);
            near.call(9, |service, caller| service.to_owned_(caller, &mut result_area))?;
            result_area.finish_string("Middle.to_owned")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(9, &mut words, &[], result)?;
            stub::bounded_string(result, 8).reply("Middle.to_owned")?;
            Ok(())
        })
    }

    /// The operation `deref`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn deref(&self) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(10, |service, caller| service.deref(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(10, &mut words, &[])?;
            let result = stub::int::<i32>(words[0]).reply("Middle.deref")?;
            Ok(result)
        })
    }

    /// The operation `to_base`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn to_base_(&self, base: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(11, |service, caller| service.to_base_(caller, base))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(base), 0, 0, 0, 0, 0];
            self.client.short(11, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Middle.to_base")?;
            Ok(result)
        })
    }
}

impl ::std::ops::Deref for Middle {
    type Target = S_;

    fn deref(&self) -> &S_ {
        &self.base
    }
}

impl stub::Extends<S_> for Middle {
    fn to_base(&self) -> S_ {
        S_::from_portal(self.portal().clone())
    }
}

impl stub::Extends<SharedBase> for Middle {
    fn to_base(&self) -> SharedBase {
        SharedBase::from_portal(self.portal().clone())
    }
}

/// An object of a [`MiddleService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MiddleAt(pub stub::Number);

impl From<stub::Number> for MiddleAt {
    fn from(number: stub::Number) -> MiddleAt {
        MiddleAt(number)
    }
}

impl From<MiddleAt> for stub::Number {
    fn from(at: MiddleAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl MiddleAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl MiddleService) -> stub::Kept<MiddleAt> {
        stub::keep::<MiddleServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> SAt {
        SAt(self.0)
    }

    /// The operation `nameInto`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn name_into_<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        client: i32,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Middle, 0, 5, 5>(self.0, channel, 7, stub::word(client), place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 9).reply("Middle.nameInto")?;
        Ok(result)
    }

    /// The operation `clone`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn clone_(
        self,
        channel: &mut impl stub::Channel,
        service_: i32,
    ) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Middle, 1>(self.0, channel, 8, [service_])?;
        Ok(result)
    }

    /// The operation `to_owned`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn to_owned_<'c>(
        self,
        channel: &'c mut impl stub::Channel,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Middle, 5, 5, 5>(self.0, channel, 9, 0, place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 8).reply("Middle.to_owned")?;
        Ok(result)
    }

    /// The operation `deref`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn deref(self, channel: &mut impl stub::Channel) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Middle, 0>(self.0, channel, 10, [])?;
        Ok(result)
    }

    /// The operation `to_base`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn to_base_(
        self,
        channel: &mut impl stub::Channel,
        base: i32,
    ) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Middle, 1>(self.0, channel, 11, [base])?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct MiddleServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: MiddleService> stub::Dispatch<S> for MiddleServer {
    type Interface = Middle;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<Middle>(place, ::std::sync::Arc::<S>::clone(service)) {
            SServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            ..=6 => SServer::dispatch(service, op, call),
            7 => {
                let mut area = call.take(1)?;
                Self::op_7(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            8 => Self::op_8(service, call.caller, stub::block(call.words)?),
            9 => {
                let mut area = call.take(0)?;
                Self::op_9(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(0, area)
            }
            10 => Self::op_10(service, call.caller, stub::block(call.words)?),
            11 => Self::op_11(service, call.caller, stub::block(call.words)?),
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
            ..=6 => SServer::short(service, op, caller, words),
            8 => Self::op_8(service, caller, stub::head(words)?),
            10 => Self::op_10(service, caller, stub::head(words)?),
            11 => Self::op_11(service, caller, stub::head(words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        SServer::short_in(service, op, caller, words, piece)
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        match op {
            ..=6 => SServer::short_out(service, op, caller, words, piece, out),
            7 => Self::op_7(service, caller, stub::head(words)?, out),
            9 => Self::op_9(service, caller, stub::head(words)?, out),
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
            ..=6 => SServer::few(service, op, caller, w0, w1, w2, w3),
            8 => Self::plain_8(service, caller, [w0, w1, w2, w3]),
            10 => Self::plain_10(service, caller, [w0, w1, w2, w3]),
            11 => Self::plain_11(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=6 => SServer::sent(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=6 => SServer::replied(service, op, from),
            7 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_7(service, caller, w0, place, w1, out)
            }
            9 => {
                let (caller, w0, place, w1, out) = from.take::<5, 5, 5>();
                Self::plain_9(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
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
            ..=6 => SServer::few_narrow(service, op, caller, w0, w1, w2, w3),
            8 => Self::narrow_8(service, caller, [w0, w1, w2, w3]),
            10 => Self::narrow_10(service, caller, [w0, w1, w2, w3]),
            11 => Self::narrow_11(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl MiddleServer {
    /// `Middle.nameInto`.
    #[inline]
    fn op_7(
        service: &impl MiddleService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let client = stub::int::<i32>(words[0]).argument("Middle.nameInto", "client")?;
        let mut result = stub::BytesOut::new(result_area, 9);
        service.name_into_(caller, client, &mut result)?;
        result.finish_string("Middle.nameInto")?;
        Ok(())
    }

    /// `Middle.clone`.
    #[inline]
    fn op_8(
        service: &impl MiddleService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let service_ = stub::int::<i32>(words[0]).argument("Middle.clone", "service")?;
        let result = service.clone_(caller, service_)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Middle.to_owned`.
    #[inline]
    fn op_9(
        service: &impl MiddleService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut result = stub::BytesOut::new(result_area, 8);
        service.to_owned_(caller, &mut result)?;
        result.finish_string("Middle.to_owned")?;
        Ok(())
    }

    /// `Middle.deref`.
    #[inline]
    fn op_10(
        service: &impl MiddleService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.deref(caller)?;
        words[0] = stub::word(result);
        Ok(())
    }

    /// `Middle.to_base`.
    #[inline]
    fn op_11(
        service: &impl MiddleService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let base = stub::int::<i32>(words[0]).argument("Middle.to_base", "base")?;
        let result = service.to_base_(caller, base)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Middle.nameInto` in a plain session.
    #[inline(always)]
    fn plain_7(
        service: &impl MiddleService,
        caller: &stub::Caller,
        client: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let client = stub::int::<i32>(client).argument("Middle.nameInto", "client")?;
        let mut result = stub::BytesOut::new(result, 9);
        stub::carried("Middle.nameInto", || Ok(service.name_into_(caller, client, &mut result)?))?;
        result.finish_string("Middle.nameInto")?;
        Ok(0)
    }

    /// `Middle.clone` in a plain session.
    #[inline(always)]
    fn plain_8(
        service: &impl MiddleService,
        caller: &stub::Caller,
        [service_, ..]: [u64; 4],
    ) -> stub::Two {
        let service_ = stub::int::<i32>(service_).argument("Middle.clone", "service")?;
        stub::widened(Self::narrow_8(service, caller, [service_, 0, 0, 0]))
    }

    /// `Middle.clone` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_8(
        service: &impl MiddleService,
        caller: &stub::Caller,
        [service_, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Middle.clone", || Ok(service.clone_(caller, service_)?))?;
        Ok((result, 0))
    }

    /// `Middle.to_owned` in a plain session.
    #[inline(always)]
    fn plain_9(
        service: &impl MiddleService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let mut result = stub::BytesOut::new(result, 8);
        stub::carried("Middle.to_owned", || Ok(service.to_owned_(caller, &mut result)?))?;
        result.finish_string("Middle.to_owned")?;
        Ok(0)
    }

    /// `Middle.deref` in a plain session.
    #[inline(always)]
    fn plain_10(service: &impl MiddleService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::widened(Self::narrow_10(service, caller, [0, 0, 0, 0]))
    }

    /// `Middle.deref` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_10(service: &impl MiddleService, caller: &stub::Caller, _: [i32; 4]) -> stub::Narrow {
        let result = stub::carried("Middle.deref", || Ok(service.deref(caller)?))?;
        Ok((result, 0))
    }

    /// `Middle.to_base` in a plain session.
    #[inline(always)]
    fn plain_11(
        service: &impl MiddleService,
        caller: &stub::Caller,
        [base, ..]: [u64; 4],
    ) -> stub::Two {
        let base = stub::int::<i32>(base).argument("Middle.to_base", "base")?;
        stub::widened(Self::narrow_11(service, caller, [base, 0, 0, 0]))
    }

    /// `Middle.to_base` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_11(
        service: &impl MiddleService,
        caller: &stub::Caller,
        [base, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Middle.to_base", || Ok(service.to_base_(caller, base)?))?;
        Ok((result, 0))
    }
}

/// What `Last.lengthOf` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastLengthOfError {
    /// `::shared::Gone`.
    SharedGone(SharedGone),
    /// `::shared::Busy`.
    SharedBusy(SharedBusy),
}

impl ::std::fmt::Display for LastLengthOfError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            LastLengthOfError::SharedGone(raised) => raised.fmt(f),
            LastLengthOfError::SharedBusy(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for LastLengthOfError {}

impl From<SharedGone> for LastLengthOfError {
    fn from(raised: SharedGone) -> LastLengthOfError {
        LastLengthOfError::SharedGone(raised)
    }
}

impl From<SharedBusy> for LastLengthOfError {
    fn from(raised: SharedBusy) -> LastLengthOfError {
        LastLengthOfError::SharedBusy(raised)
    }
}

impl From<LastLengthOfError> for stub::Failure {
    fn from(raised: LastLengthOfError) -> stub::Failure {
        match &raised {
            LastLengthOfError::SharedGone(raised) => {
                stub::raised_members(0, "::shared::Gone", raised, SharedGone::write)
            }
            LastLengthOfError::SharedBusy(raised) => {
                stub::raised_members(1, "::shared::Busy", raised, SharedBusy::write)
            }
        }
    }
}

impl stub::Exception for LastLengthOfError {
    fn from_details(details: &stub::Details) -> Option<LastLengthOfError> {
        match stub::place(details) {
            0 => stub::members(details, SharedGone::read).map(LastLengthOfError::SharedGone),
            1 => stub::members(details, SharedBusy::read).map(LastLengthOfError::SharedBusy),
            _ => None,
        }
    }
}

/// What a service with the interface `Last` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait LastService: MiddleService {
    /// The operation `setClient`.
    fn set_client_(&self, caller: &stub::Caller, op: i32) -> Result<i32, stub::Failure>;

    /// The operation `lengthOf`.
    fn length_of(
        &self,
        caller: &stub::Caller,
        some: stub::PortalIn<'_, SharedBase>,
        other: stub::PortalIn<'_, Middle>,
    ) -> Result<(SharedKind, stub::Served<Middle>), LastLengthOfError>;

    /// The operation `read`.
    fn read(
        &self,
        caller: &stub::Caller,
        piece: &[u8],
        caller_: &mut i64,
    ) -> Result<(), stub::Failure>;
}

/// The interface `Last`.
///
/// A portal on an object of a [`LastService`]. It does all that a [`Middle`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Last {
    base: Middle,
    near: stub::Nearby<Last>,
}

impl stub::Interface for Last {
    type Service = dyn LastService;

    const ID: stub::InterfaceId = stub::InterfaceId(3);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Last {
        Last { near: stub::Nearby::new(&client), base: Middle::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Last {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl LastService) -> stub::Served<Last> {
        stub::serve::<LastServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Last {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `setClient`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_client_(&self, op: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(12, |service, caller| service.set_client_(caller, op))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(op), 0, 0, 0, 0, 0];
            self.client.short(12, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Last.setClient")?;
            Ok(result)
        })
    }

    /// The operation `lengthOf`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn length_of(
        &self,
        some: &SharedBase,
        other: &Middle,
    ) -> Result<(SharedKind, Middle), stub::CallError<LastLengthOfError>> {
        let mut words = [0, 1, 0, 0];
        let made = self.client.call(
            13,
            &mut words,
            &[],
            &mut [],
            &[some.portal(), other.portal()],
        )?;
        let result = SharedKind::from_word(words[2]).reply("Last.lengthOf")?;
        let made_ = Middle::from_portal(stub::made(&made, words[3]).reply("Last.lengthOf")?);
        Ok((result, made_))
    }

    /// The operation `read`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read(&self, piece: &[u8], caller_: &mut i64) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let piece = stub::bounded(piece, 4).argument("Last.read", "piece")?;
            let mut caller_area = *caller_;
            near.call(14, |service, caller| service.read(caller, piece, &mut caller_area))?;
            *caller_ = caller_area;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, piece, 4).argument("Last.read", "piece")?,
                (*caller_).cast_unsigned(),
                0,
                0,
                0,
                0,
            ];
            self.client.short(14, &mut words, piece)?;
            let caller_area = words[1].cast_signed();
            *caller_ = caller_area;
            Ok(())
        })
    }
}

impl ::std::ops::Deref for Last {
    type Target = Middle;

    fn deref(&self) -> &Middle {
        &self.base
    }
}

impl stub::Extends<Middle> for Last {
    fn to_base(&self) -> Middle {
        Middle::from_portal(self.portal().clone())
    }
}

impl stub::Extends<S_> for Last {
    fn to_base(&self) -> S_ {
        S_::from_portal(self.portal().clone())
    }
}

impl stub::Extends<SharedBase> for Last {
    fn to_base(&self) -> SharedBase {
        SharedBase::from_portal(self.portal().clone())
    }
}

/// An object of a [`LastService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LastAt(pub stub::Number);

impl From<stub::Number> for LastAt {
    fn from(number: stub::Number) -> LastAt {
        LastAt(number)
    }
}

impl From<LastAt> for stub::Number {
    fn from(at: LastAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LastAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl LastService) -> stub::Kept<LastAt> {
        stub::keep::<LastServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> MiddleAt {
        MiddleAt(self.0)
    }

    /// The operation `setClient`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_client_(
        self,
        channel: &mut impl stub::Channel,
        op: i32,
    ) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Last, 1>(self.0, channel, 12, [op])?;
        Ok(result)
    }

    /// The operation `read`.
    ///
    /// # Errors
    /// Why the call failed.
    /// What `caller` holds then means nothing.
    #[inline]
    pub fn read(
        self,
        channel: &mut impl stub::Channel,
        piece: &[u8],
        caller_: &mut i64,
    ) -> Result<(), stub::Failure> {
        stub::call_in::<Last, 5, 1, 5, 0>(self.0, channel, 14, 0, caller_, 0, piece)?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct LastServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: LastService> stub::Dispatch<S> for LastServer {
    type Interface = Last;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<Last>(place, ::std::sync::Arc::<S>::clone(service)) {
            MiddleServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            ..=11 => MiddleServer::dispatch(service, op, call),
            12 => Self::op_12(service, call.caller, stub::block(call.words)?),
            13 => Self::op_13(service, call),
            14 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("Last.read", "piece")?;
                Self::op_14(service, call.caller, stub::block(call.words)?, piece)
            }
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
            ..=11 => MiddleServer::short(service, op, caller, words),
            12 => Self::op_12(service, caller, stub::head(words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        match op {
            ..=11 => MiddleServer::short_in(service, op, caller, words, piece),
            14 => Self::op_14(service, caller, stub::head(words)?, piece),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        MiddleServer::short_out(service, op, caller, words, piece, out)
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
            ..=11 => MiddleServer::few(service, op, caller, w0, w1, w2, w3),
            12 => Self::plain_12(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=11 => MiddleServer::sent(service, op, from),
            14 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 1, 5, 0>()?;
                Self::plain_14(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=11 => MiddleServer::replied(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
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
            ..=11 => MiddleServer::few_narrow(service, op, caller, w0, w1, w2, w3),
            12 => Self::narrow_12(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LastServer {
    /// `Last.setClient`.
    #[inline]
    fn op_12(
        service: &impl LastService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let op = stub::int::<i32>(words[0]).argument("Last.setClient", "op")?;
        let result = service.set_client_(caller, op)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Last.lengthOf`.
    #[inline(never)]
    fn op_13(service: &impl LastService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let some = stub::portal::<SharedBase>(call.portals, words[0], "Last.lengthOf", "some")?;
        let other = stub::portal::<Middle>(call.portals, words[1], "Last.lengthOf", "other")?;
        let (result, made_) = service.length_of(call.caller, some, other)?;
        words[2] = result.to_word();
        words[3] = stub::make(call.made, made_);
        Ok(())
    }

    /// `Last.read`.
    #[inline]
    fn op_14(
        service: &impl LastService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        let piece = stub::bounded(piece, 4).argument("Last.read", "piece")?;
        let caller_ = stub::in_place(&mut words[1]);
        service.read(caller, piece, caller_)?;
        Ok(())
    }

    /// `Last.setClient` in a plain session.
    #[inline(always)]
    fn plain_12(
        service: &impl LastService,
        caller: &stub::Caller,
        [op, ..]: [u64; 4],
    ) -> stub::Two {
        let op = stub::int::<i32>(op).argument("Last.setClient", "op")?;
        stub::widened(Self::narrow_12(service, caller, [op, 0, 0, 0]))
    }

    /// `Last.setClient` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_12(
        service: &impl LastService,
        caller: &stub::Caller,
        [op, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Last.setClient", || Ok(service.set_client_(caller, op)?))?;
        Ok((result, 0))
    }

    /// `Last.read` in a plain session.
    #[inline(always)]
    fn plain_14(
        service: &impl LastService,
        caller: &stub::Caller,
        _: u64,
        caller_: &mut i64,
        _: u64,
        piece: &[u8],
    ) -> stub::One {
        let piece = stub::bounded(piece, 4).argument("Last.read", "piece")?;
        stub::carried("Last.read", || Ok(service.read(caller, piece, caller_)?))?;
        Ok(0)
    }
}

