// Made from the interface `sums`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `sums`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x04\x00\x00\x00sums\x00\x00\x00\x00F\x00\x00\x00What a service does with memory\
    \x20that is handed over, and with its own.\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x02\x00\x10\x00\x00\x00::carnet::Memory\xc4\x00\x00\x00Bytes that never change: memory th\
    at somebody handed over once, to be passed to as many calls as one likes. Where both\nsides ca\
    n, they read it where it is mapped; everybody else reads it by calls.\x00\x00\x02\x00\x04\x00\
    \x00\x00size$\x00\x00\x00How many bytes it has, at least one.\x00\x00\x00\x00A\x00\x01@\x01\
    \x00\x00\x00\x00\x04\x00\x00\x00readK\x00\x00\x00Up to `count` bytes from `at`; fewer at the e\
    nd, and never more than 1 MiB.\x00\x00\x00\x00Q\x00\x01\x00\x04\x00\x00\x10\x00\x00\x00\x02\
    \x00\x02\x00\x00\x00at\x00\x01@\x01\x05\x00\x00\x00count\x00\x01@\x01\x04\x00\x00\x00Sums\x00\
    \x00\x00\x00\x00\x00\x04\x00\x03\x00\x00\x00sum\x15\x00\x00\x00The sum of its bytes.\x00\x00\
    \x00\x00A\x00\x01@\x00\x00\x00\x01\x00\x02\x00\x00\x00of\x00\x07\x00\x00\x07\x00\x00\x00counte\
    d\x11\x00\x00\x00Bytes that count.\x00\x00\x00\x00A\x00\x07\x00\x00\x00\x00\x01\x00\x05\x00\
    \x00\x00bytes\x00\x01@\x01\x04\x00\x00\x00keep\x18\x00\x00\x00Keeps it until the next.\x00\x00\
    \x00\x00\x00\x00\x00\x00\x01\x00\x02\x00\x00\x00of\x00\x07\x00\x00\x04\x00\x00\x00kept\r\x00\
    \x00\x00What is kept.\x00\x00\x00\x00A\x00\x07\x00\x00\x00\x00\x00\x00\
    ";

/// What a service with the interface `::carnet::Memory` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait CarnetMemoryService: Send + Sync + 'static {
    /// How many bytes it has, at least one.
    fn size(&self, caller: &stub::Caller) -> Result<i64, stub::Failure>;

    /// Up to `count` bytes from `at`; fewer at the end, and never more than 1 MiB.
    fn read(
        &self,
        caller: &stub::Caller,
        at: i64,
        count: i64,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;
}

/// Bytes that never change: memory that somebody handed over once, to be passed to as many calls as one likes. Where both
/// sides can, they read it where it is mapped; everybody else reads it by calls.
///
/// A portal on an object of a [`CarnetMemoryService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct CarnetMemory {
    client: stub::Client,
    near: stub::Nearby<CarnetMemory>,
}

impl stub::Interface for CarnetMemory {
    type Service = dyn CarnetMemoryService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> CarnetMemory {
        CarnetMemory { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl CarnetMemory {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl CarnetMemoryService) -> stub::Served<CarnetMemory> {
        stub::serve::<CarnetMemoryServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> CarnetMemory {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// How many bytes it has, at least one.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn size(&self) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(0, |service, caller| service.size(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            let result = words[0].cast_signed();
            Ok(result)
        })
    }

    /// Up to `count` bytes from `at`; fewer at the end, and never more than 1 MiB.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read(&self, at: i64, count: i64) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.read_into(at, count, &mut result)?;
        Ok(result)
    }

    /// The operation `read`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into(
        &self,
        at: i64,
        count: i64,
        result: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 1048576);
            near.call(1, |service, caller| service.read(caller, at, count, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [at.cast_unsigned(), count.cast_unsigned(), 0, 0, 0, 0];
            self.client.short_out(1, &mut words, &[], result)?;
            stub::bounded(result, 1048576).reply("::carnet::Memory.read")?;
            Ok(())
        })
    }
}

/// An object of a [`CarnetMemoryService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CarnetMemoryAt(pub stub::Number);

impl From<stub::Number> for CarnetMemoryAt {
    fn from(number: stub::Number) -> CarnetMemoryAt {
        CarnetMemoryAt(number)
    }
}

impl From<CarnetMemoryAt> for stub::Number {
    fn from(at: CarnetMemoryAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl CarnetMemoryAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl CarnetMemoryService) -> stub::Kept<CarnetMemoryAt> {
        stub::keep::<CarnetMemoryServer, _, _>(service)
    }

    /// How many bytes it has, at least one.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn size(self, channel: &mut impl stub::Channel) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<CarnetMemory, 0>(self.0, channel, 0, [])?;
        Ok(result)
    }

    /// Up to `count` bytes from `at`; fewer at the end, and never more than 1 MiB.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn read<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        at: i64,
        count: i64,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<CarnetMemory, 0, 5, 1>(
            self.0,
            channel,
            1,
            at.cast_unsigned(),
            place,
            count.cast_unsigned(),
        )?;
        let result =
            stub::bounded(stub::Channel::reply(channel), 1048576).reply("::carnet::Memory.read")?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct CarnetMemoryServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: CarnetMemoryService> stub::Dispatch<S> for CarnetMemoryServer {
    type Interface = CarnetMemory;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<CarnetMemory>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => {
                let mut area = call.take(2)?;
                Self::op_1(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(2, area)
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
            0 => Self::op_0(service, caller, stub::head(words)?),
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
            1 => Self::op_1(service, caller, stub::head(words)?, out),
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
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            1 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 1>();
                Self::plain_1(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl CarnetMemoryServer {
    /// `::carnet::Memory.size`.
    #[inline]
    fn op_0(
        service: &impl CarnetMemoryService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.size(caller)?;
        words[0] = result.cast_unsigned();
        Ok(())
    }

    /// `::carnet::Memory.read`.
    #[inline]
    fn op_1(
        service: &impl CarnetMemoryService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let at = words[0].cast_signed();
        let count = words[1].cast_signed();
        let mut result = stub::BytesOut::new(result_area, 1048576);
        service.read(caller, at, count, &mut result)?;
        Ok(())
    }

    /// `::carnet::Memory.size` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl CarnetMemoryService,
        caller: &stub::Caller,
        _: [u64; 4],
    ) -> stub::Two {
        let result = stub::carried("::carnet::Memory.size", || Ok(service.size(caller)?))?;
        Ok((result, 0))
    }

    /// `::carnet::Memory.read` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl CarnetMemoryService,
        caller: &stub::Caller,
        at: u64,
        _: &mut i64,
        count: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let at = at.cast_signed();
        let count = count.cast_signed();
        let mut result = stub::BytesOut::new(result, 1048576);
        stub::carried("::carnet::Memory.read", || Ok(service.read(caller, at, count, &mut result)?))?;
        Ok(0)
    }
}

/// What a service with the interface `Sums` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait SumsService: Send + Sync + 'static {
    /// The sum of its bytes.
    fn sum(
        &self,
        caller: &stub::Caller,
        of: stub::PortalIn<'_, CarnetMemory>,
    ) -> Result<u64, stub::Failure>;

    /// Bytes that count.
    fn counted(
        &self,
        caller: &stub::Caller,
        bytes: i64,
    ) -> Result<stub::Served<CarnetMemory>, stub::Failure>;

    /// Keeps it until the next.
    fn keep(
        &self,
        caller: &stub::Caller,
        of: stub::PortalIn<'_, CarnetMemory>,
    ) -> Result<(), stub::Failure>;

    /// What is kept.
    fn kept(&self, caller: &stub::Caller) -> Result<stub::Served<CarnetMemory>, stub::Failure>;
}

/// The interface `Sums`.
///
/// A portal on an object of a [`SumsService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Sums {
    client: stub::Client,
}

impl stub::Interface for Sums {
    type Service = dyn SumsService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Sums {
        Sums { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Sums {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SumsService) -> stub::Served<Sums> {
        stub::serve::<SumsServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Sums {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The sum of its bytes.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn sum(&self, of: &CarnetMemory) -> Result<u64, stub::Failure> {
        let mut words = [0, 0];
        self.client.call(0, &mut words, &[], &mut [], &[of.portal()])?;
        let result = stub::u64(words[1]).reply("Sums.sum")?;
        Ok(result)
    }

    /// Bytes that count.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn counted(&self, bytes: i64) -> Result<CarnetMemory, stub::Failure> {
        let mut words = [bytes.cast_unsigned(), 0];
        let made = self.client.call(1, &mut words, &[], &mut [], &[])?;
        let result = CarnetMemory::from_portal(stub::made(&made, words[1]).reply("Sums.counted")?);
        Ok(result)
    }

    /// Keeps it until the next.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn keep(&self, of: &CarnetMemory) -> Result<(), stub::Failure> {
        let mut words = [0];
        self.client.call(2, &mut words, &[], &mut [], &[of.portal()])?;
        Ok(())
    }

    /// What is kept.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn kept(&self) -> Result<CarnetMemory, stub::Failure> {
        let mut words = [0];
        let made = self.client.call(3, &mut words, &[], &mut [], &[])?;
        let result = CarnetMemory::from_portal(stub::made(&made, words[0]).reply("Sums.kept")?);
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct SumsServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: SumsService> stub::Dispatch<S> for SumsServer {
    type Interface = Sums;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Sums>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SumsServer {
    /// `Sums.sum`.
    #[inline(never)]
    fn op_0(service: &impl SumsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let of = stub::portal::<CarnetMemory>(call.portals, words[0], "Sums.sum", "of")?;
        let result = service.sum(call.caller, of)?;
        words[1] = stub::u64_result(result, "Sums.sum")?;
        Ok(())
    }

    /// `Sums.counted`.
    #[inline(never)]
    fn op_1(service: &impl SumsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let bytes = words[0].cast_signed();
        let result = service.counted(call.caller, bytes)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `Sums.keep`.
    #[inline(never)]
    fn op_2(service: &impl SumsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let of = stub::portal::<CarnetMemory>(call.portals, words[0], "Sums.keep", "of")?;
        service.keep(call.caller, of)?;
        Ok(())
    }

    /// `Sums.kept`.
    #[inline(never)]
    fn op_3(service: &impl SumsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let result = service.kept(call.caller)?;
        words[0] = stub::make(call.made, result);
        Ok(())
    }
}

