// Made from the interface `shared`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `shared`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x06\x00\x00\x00shared\x00\x00\x00\x00\"\x00\x00\x00What another module inherits\
    \x20from.\x00\x00\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00Kind\x00\x00\x00\x00\x02\x00\x04\x00\
    \x00\x00file\x03\x00\x00\x00dir\x01\x00\x05\x00\x00\x00Point\x00\x00\x00\x00\x02\x00\x01\x00\
    \x00\x00x\x01 \x01\x01\x00\x00\x00y\x01 \x01\x00\x00\x02\x00\x04\x00\x00\x00Busy\x00\x00\x00\
    \x00\x02\x00\x04\x00\x00\x00kind\x02\x00\x00\x07\x00\x00\x00message\x03\x08\x00\x00\x00\x04\
    \x00\x00\x00Gone\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00last\x05\x00\x00\x01\x00\x04\x00\x00\
    \x00Base\x00\x00\x00\x00\x00\x00\x07\x00\t\x00\x00\x00_get_name\x00\x00\x00\x00\x00\x00\x00\
    \x00C\x00\x03\t\x00\x00\x00\x00\x00\x00\x00\x0b\x00\x00\x00_get_client\x00\x00\x00\x00\x00\x00\
    \x00\x00C\x00\x01@\x01\x00\x00\x00\x00\x0b\x00\x00\x00_set_client\x00\x00\x00\x00\x00\x00\x00\
    \x00\x02\x00\x00\x00\x01\x00\x05\x00\x00\x00value\x00\x01@\x01\x04\x00\x00\x00kind\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x02\x00\x00\x02\x00\x00\x00\x01\x00\x01\x00\x02\x00\x00\x00at\x00\
    \x05\x00\x00\x06\x00\x00\x00points\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\
    \x05\x00\x00\x00\x00\x01\x00\x07\x00\x00\x00service\x00\x06\x03\x00\x00\x00\x05\x00\x00\x06\
    \x00\x00\x00length\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x04\x00\x00\
    \x00base\x00\x04\x08\x00\x00\x00\x05\x00\x00\x00again\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x07\
    \x00\x00\x00\x00\x01\x00\x05\x00\x00\x00other\x00\x07\x00\x00\
    ";

/// The enum `Kind`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `file`.
    File,
    /// `dir`.
    Dir,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Kind {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Kind> {
        match word {
            0 => Some(Kind::File),
            1 => Some(Kind::Dir),
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
            Kind::File => "file",
            Kind::Dir => "dir",
        }
    }
}

/// The struct `Point`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `x`.
    pub x: i32,
    /// `y`.
    pub y: i32,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Point {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<Point, stub::Wrong> {
        Ok(Point { x: stub::int::<i32>(words[0])?, y: stub::int::<i32>(words[1])? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Point {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.x), stub::word(self.y)])
    }
}

/// The exception `Busy`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// What programs test.
    pub kind: Kind,
    /// What people read; cut to 8 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Busy {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: Kind, message: &str) -> Busy {
        Busy { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for Busy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for Busy {}

impl From<Busy> for stub::Failure {
    fn from(raised: Busy) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 8)
    }
}

impl stub::Exception for Busy {
    fn from_details(details: &stub::Details) -> Option<Busy> {
        let kind = Kind::from_word(u64::from(details.raised))?;
        Some(Busy { kind, message: details.message.clone() })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Busy {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<Busy, stub::Wrong> {
        Ok(Busy {
            kind: Kind::from_word(words[0]).ok_or(stub::Wrong::Value)?,
            message: stub::text(&stub::field_string(area, words[1], 8)?),
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Busy {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([self.kind.to_word(), stub::add_string(area, stub::cut(&self.message, 8), 8)?])
    }
}

/// The exception `Gone`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// `last`.
    pub last: Point,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Gone {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<Gone, stub::Wrong> {
        Ok(Gone { last: Point { x: stub::int::<i32>(words[0])?, y: stub::int::<i32>(words[1])? } })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Gone {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.last.x), stub::word(self.last.y)])
    }
}

impl ::std::fmt::Display for Gone {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Gone: {self:?}")
    }
}

impl ::std::error::Error for Gone {}

impl From<Gone> for stub::Failure {
    fn from(raised: Gone) -> stub::Failure {
        stub::raised_members(0, "Gone", &raised, Gone::write)
    }
}

impl stub::Exception for Gone {
    fn from_details(details: &stub::Details) -> Option<Gone> {
        match stub::place(details) {
            0 => stub::members(details, Gone::read),
            _ => None,
        }
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct PointList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PointList<'_> {
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

/// What `Base.kind` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseKindError {
    /// `Busy`.
    Busy(Busy),
    /// `Gone`.
    Gone(Gone),
}

impl ::std::fmt::Display for BaseKindError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            BaseKindError::Busy(raised) => raised.fmt(f),
            BaseKindError::Gone(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for BaseKindError {}

impl From<Busy> for BaseKindError {
    fn from(raised: Busy) -> BaseKindError {
        BaseKindError::Busy(raised)
    }
}

impl From<Gone> for BaseKindError {
    fn from(raised: Gone) -> BaseKindError {
        BaseKindError::Gone(raised)
    }
}

impl From<BaseKindError> for stub::Failure {
    fn from(raised: BaseKindError) -> stub::Failure {
        match &raised {
            BaseKindError::Busy(raised) => {
                stub::raised_members(0, "Busy", raised, Busy::write)
            }
            BaseKindError::Gone(raised) => {
                stub::raised_members(1, "Gone", raised, Gone::write)
            }
        }
    }
}

impl stub::Exception for BaseKindError {
    fn from_details(details: &stub::Details) -> Option<BaseKindError> {
        match stub::place(details) {
            0 => stub::members(details, Busy::read).map(BaseKindError::Busy),
            1 => stub::members(details, Gone::read).map(BaseKindError::Gone),
            _ => None,
        }
    }
}

/// What a service with the interface `Base` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait BaseService: Send + Sync + 'static {
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
    fn kind(&self, caller: &stub::Caller, at: &Point) -> Result<Kind, BaseKindError>;

    /// The operation `points`.
    fn points(
        &self,
        caller: &stub::Caller,
        service_: &[Point],
        result: &mut PointList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `length`.
    fn length(&self, caller: &stub::Caller, base: &[u8]) -> Result<i32, stub::Failure>;

    /// The operation `again`.
    fn again(
        &self,
        caller: &stub::Caller,
        other: stub::PortalIn<'_, Base>,
    ) -> Result<stub::Served<Base>, stub::Failure>;
}

/// The interface `Base`.
///
/// A portal on an object of a [`BaseService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Base {
    client: stub::Client,
    near: stub::Nearby<Base>,
}

impl stub::Interface for Base {
    type Service = dyn BaseService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Base {
        Base { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Base {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl BaseService) -> stub::Served<Base> {
        stub::serve::<BaseServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Base {
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
            result_area.finish_string("Base._get_name")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(0, &mut words, &[], result)?;
            stub::bounded_string(result, 9).reply("Base._get_name")?;
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
    pub fn kind(&self, at: &Point) -> Result<Kind, stub::CallError<BaseKindError>> {
        let mut words = [stub::word(at.x), stub::word(at.y), 0];
        self.client.call(3, &mut words, &[], &mut [], &[])?;
        let result = Kind::from_word(words[2]).reply("Base.kind")?;
        Ok(result)
    }

    /// The operation `points`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn points(&self, service_: &[Point]) -> Result<Vec<Point>, stub::Failure> {
        let service_area =
            stub::list_area(service_, 3, Point::write).argument("Base.points", "service")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(4, &mut words, &[stub::Input::List(&service_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, Point::read).reply("Base.points")?;
        Ok(result)
    }

    /// The operation `points`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn points_into(
        &self,
        service_: &[Point],
        result: &mut Vec<Point>,
    ) -> Result<(), stub::Failure> {
        let service_area =
            stub::list_area(service_, 3, Point::write).argument("Base.points", "service")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(4, &mut words, &[stub::Input::List(&service_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 3, Point::read, result).reply("Base.points")?;
        Ok(())
    }

    /// The operation `length`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn length(&self, base: &[u8]) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let base = stub::bounded(base, 8).argument("Base.length", "base")?;
            let result = near.call(5, |service, caller| service.length(caller, base))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, base, 8).argument("Base.length", "base")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(5, &mut words, base)?;
            let result = stub::int::<i32>(words[1]).reply("Base.length")?;
            Ok(result)
        })
    }

    /// The operation `again`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn again(&self, other: &Base) -> Result<Base, stub::Failure> {
        let mut words = [0, 0];
        let made = self.client.call(6, &mut words, &[], &mut [], &[other.portal()])?;
        let result = Base::from_portal(stub::made(&made, words[1]).reply("Base.again")?);
        Ok(result)
    }
}

/// An object of a [`BaseService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BaseAt(pub stub::Number);

impl From<stub::Number> for BaseAt {
    fn from(number: stub::Number) -> BaseAt {
        BaseAt(number)
    }
}

impl From<BaseAt> for stub::Number {
    fn from(at: BaseAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BaseAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl BaseService) -> stub::Kept<BaseAt> {
        stub::keep::<BaseServer, _, _>(service)
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn name<'c>(self, channel: &'c mut impl stub::Channel) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Base, 5, 5, 5>(self.0, channel, 0, 0, place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 9).reply("Base._get_name")?;
        Ok(result)
    }

    /// The operation `_get_client`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn client(self, channel: &mut impl stub::Channel) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<Base, 0>(self.0, channel, 1, [])?;
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
        stub::call::<Base, 1>(self.0, channel, 2, [value.cast_unsigned()])?;
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
        let result = stub::call_in::<Base, 5, 5, 5, 0>(self.0, channel, 5, 0, place, 0, base)?;
        let result = stub::int::<i32>(result.cast_unsigned()).reply("Base.length")?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct BaseServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: BaseService> stub::Dispatch<S> for BaseServer {
    type Interface = Base;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Base>(place, ::std::sync::Arc::<S>::clone(service));
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
                let piece = stub::piece(call.areas, call.words, 0).argument("Base.length", "base")?;
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
impl BaseServer {
    /// `Base._get_name`.
    #[inline]
    fn op_0(
        service: &impl BaseService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut result = stub::BytesOut::new(result_area, 9);
        service.name(caller, &mut result)?;
        result.finish_string("Base._get_name")?;
        Ok(())
    }

    /// `Base._get_client`.
    #[inline]
    fn op_1(
        service: &impl BaseService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.client(caller)?;
        words[0] = result.cast_unsigned();
        Ok(())
    }

    /// `Base._set_client`.
    #[inline]
    fn op_2(
        service: &impl BaseService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = words[0].cast_signed();
        service.set_client(caller, value)?;
        Ok(())
    }

    /// `Base.kind`.
    #[inline(never)]
    fn op_3(service: &impl BaseService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let at = Point {
            x: stub::int::<i32>(words[0]).argument("Base.kind", "at")?,
            y: stub::int::<i32>(words[1]).argument("Base.kind", "at")?,
        };
        let result = service.kind(call.caller, &at)?;
        words[2] = result.to_word();
        Ok(())
    }

    /// `Base.points`.
    #[inline(never)]
    fn op_4(service: &impl BaseService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let service_ =
            stub::list_in(call.areas, words[0], 3, Point::read).argument("Base.points", "service")?;
        let mut result = PointList(stub::ListOut::new(&mut result_area, 3));
        service.points(call.caller, &service_, &mut result)?;
        result.0.finish("Base.points")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Base.length`.
    #[inline]
    fn op_5(
        service: &impl BaseService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        base: &[u8],
    ) -> Result<(), stub::Failure> {
        let base = stub::bounded(base, 8).argument("Base.length", "base")?;
        let result = service.length(caller, base)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Base.again`.
    #[inline(never)]
    fn op_6(service: &impl BaseService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let other = stub::portal::<Base>(call.portals, words[0], "Base.again", "other")?;
        let result = service.again(call.caller, other)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `Base._get_name` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl BaseService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let mut result = stub::BytesOut::new(result, 9);
        stub::carried("Base._get_name", || Ok(service.name(caller, &mut result)?))?;
        result.finish_string("Base._get_name")?;
        Ok(0)
    }

    /// `Base._get_client` in a plain session.
    #[inline(always)]
    fn plain_1(service: &impl BaseService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        let result = stub::carried("Base._get_client", || Ok(service.client(caller)?))?;
        Ok((result, 0))
    }

    /// `Base._set_client` in a plain session.
    #[inline(always)]
    fn plain_2(
        service: &impl BaseService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = value.cast_signed();
        stub::carried("Base._set_client", || Ok(service.set_client(caller, value)?))?;
        Ok((0, 0))
    }

    /// `Base.length` in a plain session.
    #[inline(always)]
    fn plain_5(
        service: &impl BaseService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        base: &[u8],
    ) -> stub::One {
        let base = stub::bounded(base, 8).argument("Base.length", "base")?;
        let result = stub::carried("Base.length", || Ok(service.length(caller, base)?))?;
        Ok(stub::word(result).cast_signed())
    }
}

