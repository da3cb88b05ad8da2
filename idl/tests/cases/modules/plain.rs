// Made from the interface `plain`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `plain`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x05\x00\x00\x00plain\x00\x00\x00\x00N\x00\x00\x00Operations of plain sessions: \
    each kind of them, at its least and at its most.\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x00\
    \x00Color\x00\x00\x00\x00\x02\x00\x03\x00\x00\x00red\n\x00\x00\x00dark_green\x06\x00\x00\x00Re\
    ason\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00none\x06\x00\x00\x00closed\x00\x00\x00\x00\x01\x00\
    \x07\x00\x00\x00Refused\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00kind\x02\x01\x00\x07\x00\x00\
    \x00message\x03(\x00\x00\x00\x02\x00\x04\x00\x00\x00Base\x00\x00\x00\x00\x00\x00\x02\x00\x05\
    \x00\x00\x00twice\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x01\x00\x00\
    \x00a\x00\x01 \x01\x07\x00\x00\x00nothing\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x02\x00\x00\x00FS4\x00\x00\x00The paper\'s three functions, and what else there is.\x01\
    \x00\x00\x00\x0c\x00\x04\x00\x00\x00open\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x01\x00\x00\
    \x05\x00\x06\x00\x00\x00client\x00\x01@\x01\x04\x00\x00\x00fobj\x00\x01@\x01\x05\x00\x00\x00fl\
    ags\x00\x01@\x01\x04\x00\x00\x00mode\x00\x01@\x01\x06\x00\x00\x00handle\x02\x01@\x01\x05\x00\
    \x00\x00write\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x01\x00\x00\x04\x00\x06\x00\x00\x00han\
    dle\x00\x01@\x01\x03\x00\x00\x00pos\x01\x01@\x01\x03\x00\x00\x00len\x00\x01@\x01\x04\x00\x00\
    \x00data\x00\x04\x00\x00\x01\x00\x0e\x00\x00\x00get_direntries\x00\x00\x00\x00\x00\x00\x00\x00\
    @\x00\x01@\x01\x00\x00\x04\x00\x06\x00\x00\x00handle\x00\x01@\x01\x03\x00\x00\x00pos\x01\x01@\
    \x01\x05\x00\x00\x00count\x00\x01@\x01\x04\x00\x00\x00data\x02\x04\x00\x00\x01\x00\x03\x00\x00\
    \x00mix\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x02\x00\x00\x01\x00\x00\x00\x03\x00\x01\x00\x00\
    \x00a\x00\x02\x00\x00\x01\x00\x00\x00b\x00\x00\x01\x00\x00\x00c\x02\x01\x08\x00\x04\x00\x00\
    \x00wide\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\
    \x01@\x00\x01\x00\x00\x00b\x00\t@\x04\x00\x00\x00name\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\
    \x10\x00\x00\x00\x00\x00\x01\x00\x02\x00\x00\x00at\x00\x01\x10\x01\x06\x00\x00\x00rename\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x00\x00\x00\x01\x00\x02\x00\x00\x00to\x00\x03\x10\x00\x00\
    \x00\x03\x00\x00\x00put\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x04\
    \x00\x00\x00data\x00\x04\x08\x00\x00\x00\x03\x00\x00\x00get\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x01\x00\x07\x00\x00\x00channel\x02\x04\x08\x00\x00\x00\x04\x00\x00\x00same(\
    \x00\x00\x00Not one of them: it hands a portal over.\x00\x00\x00\x00@\x00\x07\x01\x00\x00\x00\
    \x01\x00\x05\x00\x00\x00other\x00\x07\x01\x00\x04\x00\x00\x00turn0\x00\x00\x00Nor these: data \
    both ways, and too many results.\x00\x00\x00\x00@\x00\x04\x08\x00\x00\x00\x00\x00\x01\x00\x04\
    \x00\x00\x00data\x00\x04\x08\x00\x00\x00\x05\x00\x00\x00three\x00\x00\x00\x00\x00\x00\x00\x00@\
    \x00\x01 \x01\x00\x00\x03\x00\x01\x00\x00\x00a\x00\x01 \x01\x01\x00\x00\x00b\x02\x01 \x01\x01\
    \x00\x00\x00c\x02\x01 \x01\
    ";

/// The enum `Color`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// `red`.
    Red,
    /// `dark_green`.
    DarkGreen,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Color {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Color> {
        match word {
            0 => Some(Color::Red),
            1 => Some(Color::DarkGreen),
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
            Color::Red => "red",
            Color::DarkGreen => "dark_green",
        }
    }
}

/// The enum `Reason`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// `none`.
    None,
    /// `closed`.
    Closed,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Reason {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Reason> {
        match word {
            0 => Some(Reason::None),
            1 => Some(Reason::Closed),
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
            Reason::None => "none",
            Reason::Closed => "closed",
        }
    }
}

/// The exception `Refused`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What programs test.
    pub kind: Reason,
    /// What people read; cut to 40 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Refused {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: Reason, message: &str) -> Refused {
        Refused { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for Refused {}

impl From<Refused> for stub::Failure {
    fn from(raised: Refused) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 40)
    }
}

impl stub::Exception for Refused {
    fn from_details(details: &stub::Details) -> Option<Refused> {
        let kind = Reason::from_word(u64::from(details.raised))?;
        Some(Refused { kind, message: details.message.clone() })
    }
}

/// What a service with the interface `Base` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait BaseService: Send + Sync + 'static {
    /// The operation `twice`.
    fn twice(&self, caller: &stub::Caller, a: i32) -> Result<i32, stub::Failure>;

    /// The operation `nothing`.
    fn nothing(&self, caller: &stub::Caller) -> Result<(), stub::Failure>;
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

    /// The operation `twice`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn twice(&self, a: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(0, |service, caller| service.twice(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Base.twice")?;
            Ok(result)
        })
    }

    /// The operation `nothing`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn nothing(&self) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(1, |service, caller| service.nothing(caller))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            Ok(())
        })
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

    /// The operation `twice`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn twice(self, channel: &mut impl stub::Channel, a: i32) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Base, 1>(self.0, channel, 0, [a])?;
        Ok(result)
    }

    /// The operation `nothing`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn nothing(self, channel: &mut impl stub::Channel) -> Result<(), stub::Failure> {
        stub::call::<Base, 0>(self.0, channel, 1, [])?;
        Ok(())
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
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
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
            0 => Self::op_0(service, caller, stub::head(words)?),
            1 => Self::op_1(service, caller, stub::head(words)?),
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
            0 => Self::plain_0(service, caller, [w0, w1, w2, w3]),
            1 => Self::plain_1(service, caller, [w0, w1, w2, w3]),
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
            0 => Self::narrow_0(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BaseServer {
    /// `Base.twice`.
    #[inline]
    fn op_0(
        service: &impl BaseService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Base.twice", "a")?;
        let result = service.twice(caller, a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Base.nothing`.
    #[inline]
    fn op_1(
        service: &impl BaseService,
        caller: &stub::Caller,
        _words: &mut [u64; 0],
    ) -> Result<(), stub::Failure> {
        service.nothing(caller)?;
        Ok(())
    }

    /// `Base.twice` in a plain session.
    #[inline(always)]
    fn plain_0(service: &impl BaseService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = stub::int::<i32>(a).argument("Base.twice", "a")?;
        stub::widened(Self::narrow_0(service, caller, [a, 0, 0, 0]))
    }

    /// `Base.twice` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_0(
        service: &impl BaseService,
        caller: &stub::Caller,
        [a, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Base.twice", || Ok(service.twice(caller, a)?))?;
        Ok((result, 0))
    }

    /// `Base.nothing` in a plain session.
    #[inline(always)]
    fn plain_1(service: &impl BaseService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::carried("Base.nothing", || Ok(service.nothing(caller)?))?;
        Ok((0, 0))
    }
}

/// What a service with the interface `FS` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait FSService: BaseService {
    /// The operation `open`.
    fn open(
        &self,
        caller: &stub::Caller,
        client: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
    ) -> Result<(i64, i64), stub::Failure>;

    /// The operation `write`.
    fn write(
        &self,
        caller: &stub::Caller,
        handle: i64,
        pos: &mut i64,
        len: i64,
        data: &[u8],
    ) -> Result<i64, stub::Failure>;

    /// The operation `get_direntries`.
    fn get_direntries(
        &self,
        caller: &stub::Caller,
        handle: i64,
        pos: &mut i64,
        count: i64,
        data: &mut stub::BytesOut<'_>,
    ) -> Result<i64, stub::Failure>;

    /// The operation `mix`.
    fn mix(&self, caller: &stub::Caller, a: Color, b: bool) -> Result<(Color, u8), Refused>;

    /// The operation `wide`.
    fn wide(&self, caller: &stub::Caller, a: u64, b: f64) -> Result<u64, stub::Failure>;

    /// The operation `name`.
    fn name(
        &self,
        caller: &stub::Caller,
        at: i16,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `rename`.
    fn rename(&self, caller: &stub::Caller, to: &[u8]) -> Result<bool, stub::Failure>;

    /// The operation `put`.
    fn put(&self, caller: &stub::Caller, data: &[u8]) -> Result<(), Refused>;

    /// The operation `get`.
    fn get(
        &self,
        caller: &stub::Caller,
        channel_: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// Not one of them: it hands a portal over.
    fn same(
        &self,
        caller: &stub::Caller,
        other: stub::PortalIn<'_, FS>,
    ) -> Result<stub::Served<FS>, stub::Failure>;

    /// Nor these: data both ways, and too many results.
    fn turn(
        &self,
        caller: &stub::Caller,
        data: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `three`.
    fn three(&self, caller: &stub::Caller, a: i32) -> Result<(i32, i32, i32), stub::Failure>;
}

/// The paper's three functions, and what else there is.
///
/// A portal on an object of a [`FSService`]. It does all that a [`Base`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct FS {
    base: Base,
    near: stub::Nearby<FS>,
}

impl stub::Interface for FS {
    type Service = dyn FSService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> FS {
        FS { near: stub::Nearby::new(&client), base: Base::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl FS {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl FSService) -> stub::Served<FS> {
        stub::serve::<FSServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> FS {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `open`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn open(
        &self,
        client: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
    ) -> Result<(i64, i64), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, handle) = near.call(2, |service, caller| service.open(
                caller,
                client,
                fobj,
                flags,
                mode,
            ))?;
            return Ok((result, handle));
        }
        stub::far(move || {
            let mut words = [
                client.cast_unsigned(),
                fobj.cast_unsigned(),
                flags.cast_unsigned(),
                mode.cast_unsigned(),
                0,
                0,
            ];
            self.client.short(2, &mut words, &[])?;
            let result = words[4].cast_signed();
            let handle = words[5].cast_signed();
            Ok((result, handle))
        })
    }

    /// The operation `write`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn write(
        &self,
        handle: i64,
        pos: &mut i64,
        len: i64,
        data: &[u8],
    ) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let data = stub::bounded(data, 65536).argument("FS.write", "data")?;
            let mut pos_area = *pos;
            let result = near.call(3, |service, caller| service.write(
                caller,
                handle,
                &mut pos_area,
                len,
                data,
            ))?;
            *pos = pos_area;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                handle.cast_unsigned(),
                len.cast_unsigned(),
                stub::bytes_word(0, data, 65536).argument("FS.write", "data")?,
                (*pos).cast_unsigned(),
                0,
                0,
            ];
            self.client.short(3, &mut words, data)?;
            let pos_area = words[3].cast_signed();
            let result = words[4].cast_signed();
            *pos = pos_area;
            Ok(result)
        })
    }

    /// The operation `get_direntries`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn get_direntries(
        &self,
        handle: i64,
        pos: &mut i64,
        count: i64,
    ) -> Result<(i64, Vec<u8>), stub::Failure> {
        let mut data = Vec::new();
        let result = self.get_direntries_into(handle, pos, count, &mut data)?;
        Ok((result, data))
    }

    /// The operation `get_direntries`, with `data` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn get_direntries_into(
        &self,
        handle: i64,
        pos: &mut i64,
        count: i64,
        data: &mut Vec<u8>,
    ) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let mut pos_area = *pos;
            data.clear();
            let mut data_area = stub::BytesOut::new(data, 65536);
            let result = near.call(4, |service, caller| service.get_direntries(
                caller,
                handle,
                &mut pos_area,
                count,
                &mut data_area,
            ))?;
            *pos = pos_area;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                handle.cast_unsigned(),
                count.cast_unsigned(),
                (*pos).cast_unsigned(),
                0,
                0,
                0,
            ];
            self.client.short_out(4, &mut words, &[], data)?;
            stub::bounded(data, 65536).reply("FS.get_direntries")?;
            let pos_area = words[2].cast_signed();
            let result = words[3].cast_signed();
            *pos = pos_area;
            Ok(result)
        })
    }

    /// The operation `mix`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn mix(&self, a: Color, b: bool) -> Result<(Color, u8), stub::CallError<Refused>> {
        if let Some(near) = self.near.get() {
            let (result, c) = near.call(5, |service, caller| service.mix(caller, a, b))?;
            return Ok((result, c));
        }
        stub::far(move || {
            let mut words = [a.to_word(), u64::from(b), 0, 0, 0, 0];
            self.client.short(5, &mut words, &[])?;
            let result = Color::from_word(words[2]).reply("FS.mix")?;
            let c = stub::int::<u8>(words[3]).reply("FS.mix")?;
            Ok((result, c))
        })
    }

    /// The operation `wide`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn wide(&self, a: u64, b: f64) -> Result<u64, stub::Failure> {
        if let Some(near) = self.near.get() {
            stub::u64_word(a).argument("FS.wide", "a")?;
            let result = near.call(6, |service, caller| service.wide(caller, a, b))?;
            stub::u64_result(result, "FS.wide")?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::u64_word(a).argument("FS.wide", "a")?, b.to_bits(), 0, 0, 0, 0];
            self.client.short(6, &mut words, &[])?;
            let result = stub::u64(words[2]).reply("FS.wide")?;
            Ok(result)
        })
    }

    /// The operation `name`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name(&self, at: i16) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.name_into(at, &mut result)?;
        Ok(result)
    }

    /// The operation `name`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn name_into(&self, at: i16, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 16);
            near.call(7, |service, caller| service.name(caller, at, &mut result_area))?;
            result_area.finish_string("FS.name")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(at), 0, 0, 0, 0, 0];
            self.client.short_out(7, &mut words, &[], result)?;
            stub::bounded_string(result, 16).reply("FS.name")?;
            Ok(())
        })
    }

    /// The operation `rename`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn rename(&self, to: &[u8]) -> Result<bool, stub::Failure> {
        if let Some(near) = self.near.get() {
            let to = stub::bounded_string(to, 16).argument("FS.rename", "to")?;
            let result = near.call(8, |service, caller| service.rename(caller, to))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, to, 16).argument("FS.rename", "to")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(8, &mut words, to)?;
            let result = stub::bool(words[1]).reply("FS.rename")?;
            Ok(result)
        })
    }

    /// The operation `put`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn put(&self, data: &[u8]) -> Result<(), stub::CallError<Refused>> {
        if let Some(near) = self.near.get() {
            let data = stub::bounded(data, 8).argument("FS.put", "data")?;
            near.call(9, |service, caller| service.put(caller, data))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, data, 8).argument("FS.put", "data")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(9, &mut words, data)?;
            Ok(())
        })
    }

    /// The operation `get`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn get(&self) -> Result<Vec<u8>, stub::Failure> {
        let mut channel_ = Vec::new();
        self.get_into(&mut channel_)?;
        Ok(channel_)
    }

    /// The operation `get`, with `channel` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn get_into(&self, channel_: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            channel_.clear();
            let mut channel_area = stub::BytesOut::new(channel_, 8);
            near.call(10, |service, caller| service.get(caller, &mut channel_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(10, &mut words, &[], channel_)?;
            stub::bounded(channel_, 8).reply("FS.get")?;
            Ok(())
        })
    }

    /// Not one of them: it hands a portal over.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn same(&self, other: &FS) -> Result<FS, stub::Failure> {
        let mut words = [0, 0];
        let made = self.client.call(11, &mut words, &[], &mut [], &[other.portal()])?;
        let result = FS::from_portal(stub::made(&made, words[1]).reply("FS.same")?);
        Ok(result)
    }

    /// Nor these: data both ways, and too many results.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn(&self, data: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.turn_into(data, &mut result)?;
        Ok(result)
    }

    /// The operation `turn`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn_into(&self, data: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let data = stub::bounded(data, 8).argument("FS.turn", "data")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 8);
            near.call(12, |service, caller| service.turn(caller, data, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, data, 8).argument("FS.turn", "data")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(12, &mut words, data, result)?;
            stub::bounded(result, 8).reply("FS.turn")?;
            Ok(())
        })
    }

    /// The operation `three`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn three(&self, a: i32) -> Result<(i32, i32, i32), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, b, c) = near.call(13, |service, caller| service.three(caller, a))?;
            return Ok((result, b, c));
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(13, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("FS.three")?;
            let b = stub::int::<i32>(words[2]).reply("FS.three")?;
            let c = stub::int::<i32>(words[3]).reply("FS.three")?;
            Ok((result, b, c))
        })
    }
}

impl ::std::ops::Deref for FS {
    type Target = Base;

    fn deref(&self) -> &Base {
        &self.base
    }
}

impl stub::Extends<Base> for FS {
    fn to_base(&self) -> Base {
        Base::from_portal(self.portal().clone())
    }
}

/// An object of a [`FSService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FSAt(pub stub::Number);

impl From<stub::Number> for FSAt {
    fn from(number: stub::Number) -> FSAt {
        FSAt(number)
    }
}

impl From<FSAt> for stub::Number {
    fn from(at: FSAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl FSAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl FSService) -> stub::Kept<FSAt> {
        stub::keep::<FSServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> BaseAt {
        BaseAt(self.0)
    }

    /// The operation `open`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn open(
        self,
        channel: &mut impl stub::Channel,
        client: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
    ) -> Result<(i64, i64), stub::Failure> {
        stub::call::<FS, 4>(
            self.0,
            channel,
            2,
            [client.cast_unsigned(), fobj.cast_unsigned(), flags.cast_unsigned(), mode.cast_unsigned()],
        )
    }

    /// The operation `write`.
    ///
    /// # Errors
    /// Why the call failed.
    /// What `pos` holds then means nothing.
    #[inline]
    pub fn write(
        self,
        channel: &mut impl stub::Channel,
        handle: i64,
        pos: &mut i64,
        len: i64,
        data: &[u8],
    ) -> Result<i64, stub::Failure> {
        stub::call_in::<FS, 0, 3, 1, 2>(
            self.0,
            channel,
            3,
            handle.cast_unsigned(),
            pos,
            len.cast_unsigned(),
            data,
        )
    }

    /// The operation `get_direntries`.
    ///
    /// # Errors
    /// Why the call failed.
    /// What `pos` holds then means nothing.
    #[inline]
    pub fn get_direntries<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        handle: i64,
        pos: &mut i64,
        count: i64,
    ) -> Result<(i64, &'c [u8]), stub::Failure> {
        let result = stub::call_out::<FS, 0, 2, 1>(
            self.0,
            channel,
            4,
            handle.cast_unsigned(),
            pos,
            count.cast_unsigned(),
        )?;
        let data = stub::bounded(stub::Channel::reply(channel), 65536).reply("FS.get_direntries")?;
        Ok((result, data))
    }

    /// The operation `mix`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn mix(
        self,
        channel: &mut impl stub::Channel,
        a: Color,
        b: bool,
    ) -> Result<(Color, u8), stub::CallError<Refused>> {
        let (result, c) = stub::call::<FS, 2>(self.0, channel, 5, [a.to_word(), u64::from(b)])?;
        let result = Color::from_word(result.cast_unsigned()).reply("FS.mix")?;
        let c = stub::int::<u8>(c.cast_unsigned()).reply("FS.mix")?;
        Ok((result, c))
    }

    /// The operation `wide`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn wide(
        self,
        channel: &mut impl stub::Channel,
        a: u64,
        b: f64,
    ) -> Result<u64, stub::Failure> {
        let (result, _) = stub::call::<FS, 2>(
            self.0,
            channel,
            6,
            [stub::u64_word(a).argument("FS.wide", "a")?, b.to_bits()],
        )?;
        let result = stub::u64(result.cast_unsigned()).reply("FS.wide")?;
        Ok(result)
    }

    /// The operation `name`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn name<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        at: i16,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<FS, 0, 5, 5>(self.0, channel, 7, stub::word(at), place, 0)?;
        let result = stub::bounded_string(stub::Channel::reply(channel), 16).reply("FS.name")?;
        Ok(result)
    }

    /// The operation `rename`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn rename(
        self,
        channel: &mut impl stub::Channel,
        to: &[u8],
    ) -> Result<bool, stub::Failure> {
        let place = &mut 0;
        let result = stub::call_in::<FS, 5, 5, 5, 0>(self.0, channel, 8, 0, place, 0, to)?;
        let result = stub::bool(result.cast_unsigned()).reply("FS.rename")?;
        Ok(result)
    }

    /// The operation `put`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn put(
        self,
        channel: &mut impl stub::Channel,
        data: &[u8],
    ) -> Result<(), stub::CallError<Refused>> {
        let place = &mut 0;
        stub::call_in::<FS, 5, 5, 5, 0>(self.0, channel, 9, 0, place, 0, data)?;
        Ok(())
    }

    /// The operation `get`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn get<'c>(self, channel: &'c mut impl stub::Channel) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<FS, 5, 5, 5>(self.0, channel, 10, 0, place, 0)?;
        let channel_ = stub::bounded(stub::Channel::reply(channel), 8).reply("FS.get")?;
        Ok(channel_)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct FSServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: FSService> stub::Dispatch<S> for FSServer {
    type Interface = FS;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<FS>(place, ::std::sync::Arc::<S>::clone(service)) {
            BaseServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            ..=1 => BaseServer::dispatch(service, op, call),
            2 => Self::op_2(service, call.caller, stub::block(call.words)?),
            3 => {
                let piece = stub::piece(call.areas, call.words, 2).argument("FS.write", "data")?;
                Self::op_3(service, call.caller, stub::block(call.words)?, piece)
            }
            4 => {
                let mut area = call.take(4)?;
                Self::op_4(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(4, area)
            }
            5 => Self::op_5(service, call.caller, stub::block(call.words)?),
            6 => Self::op_6(service, call.caller, stub::block(call.words)?),
            7 => {
                let mut area = call.take(1)?;
                Self::op_7(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            8 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("FS.rename", "to")?;
                Self::op_8(service, call.caller, stub::block(call.words)?, piece)
            }
            9 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("FS.put", "data")?;
                Self::op_9(service, call.caller, stub::block(call.words)?, piece)
            }
            10 => {
                let mut area = call.take(0)?;
                Self::op_10(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(0, area)
            }
            11 => Self::op_11(service, call),
            12 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("FS.turn", "data")?;
                Self::op_12(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            13 => Self::op_13(service, call.caller, stub::block(call.words)?),
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
            ..=1 => BaseServer::short(service, op, caller, words),
            2 => Self::op_2(service, caller, stub::head(words)?),
            5 => Self::op_5(service, caller, stub::head(words)?),
            6 => Self::op_6(service, caller, stub::head(words)?),
            13 => Self::op_13(service, caller, stub::head(words)?),
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
            ..=1 => BaseServer::short_in(service, op, caller, words, piece),
            3 => Self::op_3(service, caller, stub::head(words)?, piece),
            8 => Self::op_8(service, caller, stub::head(words)?, piece),
            9 => Self::op_9(service, caller, stub::head(words)?, piece),
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
        match op {
            ..=1 => BaseServer::short_out(service, op, caller, words, piece, out),
            4 => Self::op_4(service, caller, stub::head(words)?, out),
            7 => Self::op_7(service, caller, stub::head(words)?, out),
            10 => Self::op_10(service, caller, stub::head(words)?, out),
            12 => Self::op_12(service, caller, stub::head(words)?, piece, out),
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
            ..=1 => BaseServer::few(service, op, caller, w0, w1, w2, w3),
            2 => Self::plain_2(service, caller, [w0, w1, w2, w3]),
            5 => Self::plain_5(service, caller, [w0, w1, w2, w3]),
            6 => Self::plain_6(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=1 => BaseServer::sent(service, op, from),
            3 => {
                let (caller, w0, place, w1, piece) = from.take::<0, 3, 1, 2>()?;
                Self::plain_3(service, caller, w0, place, w1, piece)
            }
            8 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_8(service, caller, w0, place, w1, piece)
            }
            9 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_9(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=1 => BaseServer::replied(service, op, from),
            4 => {
                let (caller, w0, place, w1, out) = from.take::<0, 2, 1>();
                Self::plain_4(service, caller, w0, place, w1, out)
            }
            7 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_7(service, caller, w0, place, w1, out)
            }
            10 => {
                let (caller, w0, place, w1, out) = from.take::<5, 5, 5>();
                Self::plain_10(service, caller, w0, place, w1, out)
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
            ..=1 => BaseServer::few_narrow(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl FSServer {
    /// `FS.open`.
    #[inline]
    fn op_2(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 6],
    ) -> Result<(), stub::Failure> {
        let client = words[0].cast_signed();
        let fobj = words[1].cast_signed();
        let flags = words[2].cast_signed();
        let mode = words[3].cast_signed();
        let (result, handle) = service.open(caller, client, fobj, flags, mode)?;
        words[4] = result.cast_unsigned();
        words[5] = handle.cast_unsigned();
        Ok(())
    }

    /// `FS.write`.
    #[inline]
    fn op_3(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 5],
        data: &[u8],
    ) -> Result<(), stub::Failure> {
        let handle = words[0].cast_signed();
        let len = words[1].cast_signed();
        let data = stub::bounded(data, 65536).argument("FS.write", "data")?;
        let pos = stub::in_place(&mut words[3]);
        let result = service.write(caller, handle, pos, len, data)?;
        words[4] = result.cast_unsigned();
        Ok(())
    }

    /// `FS.get_direntries`.
    #[inline]
    fn op_4(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 5],
        data_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let handle = words[0].cast_signed();
        let count = words[1].cast_signed();
        let pos = stub::in_place(&mut words[2]);
        let mut data = stub::BytesOut::new(data_area, 65536);
        let result = service.get_direntries(caller, handle, pos, count, &mut data)?;
        words[3] = result.cast_unsigned();
        Ok(())
    }

    /// `FS.mix`.
    #[inline]
    fn op_5(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
    ) -> Result<(), stub::Failure> {
        let a = Color::from_word(words[0]).argument("FS.mix", "a")?;
        let b = stub::bool(words[1]).argument("FS.mix", "b")?;
        let (result, c) = service.mix(caller, a, b)?;
        words[2] = result.to_word();
        words[3] = stub::word(c);
        Ok(())
    }

    /// `FS.wide`.
    #[inline]
    fn op_6(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
    ) -> Result<(), stub::Failure> {
        let a = stub::u64(words[0]).argument("FS.wide", "a")?;
        let b = f64::from_bits(words[1]);
        let result = service.wide(caller, a, b)?;
        words[2] = stub::u64_result(result, "FS.wide")?;
        Ok(())
    }

    /// `FS.name`.
    #[inline]
    fn op_7(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let at = stub::int::<i16>(words[0]).argument("FS.name", "at")?;
        let mut result = stub::BytesOut::new(result_area, 16);
        service.name(caller, at, &mut result)?;
        result.finish_string("FS.name")?;
        Ok(())
    }

    /// `FS.rename`.
    #[inline]
    fn op_8(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        to: &[u8],
    ) -> Result<(), stub::Failure> {
        let to = stub::bounded_string(to, 16).argument("FS.rename", "to")?;
        let result = service.rename(caller, to)?;
        words[1] = u64::from(result);
        Ok(())
    }

    /// `FS.put`.
    #[inline]
    fn op_9(
        service: &impl FSService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        data: &[u8],
    ) -> Result<(), stub::Failure> {
        let data = stub::bounded(data, 8).argument("FS.put", "data")?;
        service.put(caller, data)?;
        Ok(())
    }

    /// `FS.get`.
    #[inline]
    fn op_10(
        service: &impl FSService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        channel_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut channel_ = stub::BytesOut::new(channel_area, 8);
        service.get(caller, &mut channel_)?;
        Ok(())
    }

    /// `FS.same`.
    #[inline(never)]
    fn op_11(service: &impl FSService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let other = stub::portal::<FS>(call.portals, words[0], "FS.same", "other")?;
        let result = service.same(call.caller, other)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `FS.turn`.
    #[inline]
    fn op_12(
        service: &impl FSService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        data: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let data = stub::bounded(data, 8).argument("FS.turn", "data")?;
        let mut result = stub::BytesOut::new(result_area, 8);
        service.turn(caller, data, &mut result)?;
        Ok(())
    }

    /// `FS.three`.
    #[inline]
    fn op_13(
        service: &impl FSService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("FS.three", "a")?;
        let (result, b, c) = service.three(caller, a)?;
        words[1] = stub::word(result);
        words[2] = stub::word(b);
        words[3] = stub::word(c);
        Ok(())
    }

    /// `FS.open` in a plain session.
    #[inline(always)]
    fn plain_2(
        service: &impl FSService,
        caller: &stub::Caller,
        [client, fobj, flags, mode]: [u64; 4],
    ) -> stub::Two {
        let client = client.cast_signed();
        let fobj = fobj.cast_signed();
        let flags = flags.cast_signed();
        let mode = mode.cast_signed();
        stub::carried("FS.open", || service.open(caller, client, fobj, flags, mode))
    }

    /// `FS.write` in a plain session.
    #[inline(always)]
    fn plain_3(
        service: &impl FSService,
        caller: &stub::Caller,
        handle: u64,
        pos: &mut i64,
        len: u64,
        data: &[u8],
    ) -> stub::One {
        let handle = handle.cast_signed();
        let len = len.cast_signed();
        let data = stub::bounded(data, 65536).argument("FS.write", "data")?;
        stub::carried("FS.write", || service.write(caller, handle, pos, len, data))
    }

    /// `FS.get_direntries` in a plain session.
    #[inline(always)]
    fn plain_4(
        service: &impl FSService,
        caller: &stub::Caller,
        handle: u64,
        pos: &mut i64,
        count: u64,
        data: &mut Vec<u8>,
    ) -> stub::One {
        let handle = handle.cast_signed();
        let count = count.cast_signed();
        let mut data = stub::BytesOut::new(data, 65536);
        stub::carried("FS.get_direntries", || service.get_direntries(caller, handle, pos, count, &mut data))
    }

    /// `FS.mix` in a plain session.
    #[inline(always)]
    fn plain_5(service: &impl FSService, caller: &stub::Caller, [a, b, ..]: [u64; 4]) -> stub::Two {
        let a = Color::from_word(a).argument("FS.mix", "a")?;
        let b = stub::bool(b).argument("FS.mix", "b")?;
        let (result, c) = stub::carried("FS.mix", || Ok(service.mix(caller, a, b)?))?;
        Ok((result.to_word().cast_signed(), stub::word(c).cast_signed()))
    }

    /// `FS.wide` in a plain session.
    #[inline(always)]
    fn plain_6(service: &impl FSService, caller: &stub::Caller, [a, b, ..]: [u64; 4]) -> stub::Two {
        let a = stub::u64(a).argument("FS.wide", "a")?;
        let b = f64::from_bits(b);
        let result = stub::carried("FS.wide", || Ok(service.wide(caller, a, b)?))?;
        Ok((stub::u64_result(result, "FS.wide")?.cast_signed(), 0))
    }

    /// `FS.name` in a plain session.
    #[inline(always)]
    fn plain_7(
        service: &impl FSService,
        caller: &stub::Caller,
        at: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let at = stub::int::<i16>(at).argument("FS.name", "at")?;
        let mut result = stub::BytesOut::new(result, 16);
        stub::carried("FS.name", || Ok(service.name(caller, at, &mut result)?))?;
        result.finish_string("FS.name")?;
        Ok(0)
    }

    /// `FS.rename` in a plain session.
    #[inline(always)]
    fn plain_8(
        service: &impl FSService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        to: &[u8],
    ) -> stub::One {
        let to = stub::bounded_string(to, 16).argument("FS.rename", "to")?;
        let result = stub::carried("FS.rename", || Ok(service.rename(caller, to)?))?;
        Ok(u64::from(result).cast_signed())
    }

    /// `FS.put` in a plain session.
    #[inline(always)]
    fn plain_9(
        service: &impl FSService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        data: &[u8],
    ) -> stub::One {
        let data = stub::bounded(data, 8).argument("FS.put", "data")?;
        stub::carried("FS.put", || Ok(service.put(caller, data)?))?;
        Ok(0)
    }

    /// `FS.get` in a plain session.
    #[inline(always)]
    fn plain_10(
        service: &impl FSService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        channel_: &mut Vec<u8>,
    ) -> stub::One {
        let mut channel_ = stub::BytesOut::new(channel_, 8);
        stub::carried("FS.get", || Ok(service.get(caller, &mut channel_)?))?;
        Ok(0)
    }
}

