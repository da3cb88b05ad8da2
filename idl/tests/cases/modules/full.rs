// Made from the interface `full`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `full`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x04\x00\x00\x00full\x00\x00\x00\x005\x00\x00\x00As much as sequences without a \
    bound hold, both ways.\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00Pair\x00\x00\x00\
    \x00\x02\x00\x01\x00\x00\x00a\x01@\x01\x01\x00\x00\x00b\x01@\x01\x00\x00\x00\x00\x01\x00\x04\
    \x00\x00\x00Full\x00\x00\x00\x00\x00\x00\x03\x00\x04\x00\x00\x00turn\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x01\x04\x00\x00\x10\x00\x04\x00\x00\x00echo\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\x04\x00\x00\x10\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\
    \x04\x00\x00\x10\x00\x04\x00\x00\x00swap\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\
    \x00\x01\x00\x00\x00a\x01\x06\x00\x00\x01\x00\x05\x00\x00\
    ";

/// The struct `Pair`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// `a`.
    pub a: i64,
    /// `b`.
    pub b: i64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pair {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<Pair, stub::Wrong> {
        Ok(Pair { a: words[0].cast_signed(), b: words[1].cast_signed() })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pair {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([self.a.cast_unsigned(), self.b.cast_unsigned()])
    }
}

/// What a service with the interface `Full` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait FullService: Send + Sync + 'static {
    /// The operation `turn`.
    fn turn(&self, caller: &stub::Caller, a: &mut Vec<u8>) -> Result<(), stub::Failure>;

    /// The operation `echo`.
    fn echo(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `swap`.
    fn swap(&self, caller: &stub::Caller, a: &mut Vec<Pair>) -> Result<(), stub::Failure>;
}

/// The interface `Full`.
///
/// A portal on an object of a [`FullService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Full {
    client: stub::Client,
    near: stub::Nearby<Full>,
}

impl stub::Interface for Full {
    type Service = dyn FullService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Full {
        Full { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Full {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl FullService) -> stub::Served<Full> {
        stub::serve::<FullServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Full {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `turn`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn(&self, a: &mut Vec<u8>) -> Result<(), stub::Failure> {
        let words = [stub::bytes_word(0, a, 1048576).argument("Full.turn", "a")?, 0, 0, 0, 0, 0];
        self.client.turn(0, &words, a)?;
        Ok(())
    }

    /// The operation `turn`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn_into(&self, a: &[u8], a_back: &mut Vec<u8>) -> Result<(), stub::Failure> {
        let mut words = [stub::bytes_word(0, a, 1048576).argument("Full.turn", "a")?];
        let mut outputs = [stub::room(a_back)];
        let made = self.client.call(0, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *a_back)]);
        made?;
        stub::bounded(a_back, 1048576).reply("Full.turn")?;
        Ok(())
    }

    /// The operation `echo`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn echo(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.echo_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `echo`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn echo_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 1048576).argument("Full.echo", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 1048576);
            near.call(1, |service, caller| service.echo(caller, a, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, a, 1048576).argument("Full.echo", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(1, &mut words, a, result)?;
            stub::bounded(result, 1048576).reply("Full.echo")?;
            Ok(())
        })
    }

    /// The operation `swap`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn swap(&self, a: &mut Vec<Pair>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, Pair::write).argument("Full.swap", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let a_area = stub::list(&outputs[0], 65536, Pair::read).reply("Full.swap")?;
        *a = a_area;
        Ok(())
    }

    /// The operation `swap`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn swap_into(&self, a: &[Pair], a_back: &mut Vec<Pair>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, Pair::write).argument("Full.swap", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 65536, Pair::read, a_back).reply("Full.swap")?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct FullServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: FullService> stub::Dispatch<S> for FullServer {
    type Interface = Full;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Full>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Full.echo", "a")?;
                Self::op_1(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            2 => Self::op_2(service, call),
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
            1 => Self::op_1(service, caller, stub::head(words)?, piece, out),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl FullServer {
    /// `Full.turn`.
    #[inline(never)]
    fn op_0(service: &impl FullService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a = stub::take_bytes(call.areas, words[0], 1048576).argument("Full.turn", "a")?;
        service.turn(call.caller, &mut a)?;
        words[0] = stub::give_bytes(call.areas, words[0], a, 1048576, "Full.turn")?;
        Ok(())
    }

    /// `Full.echo`.
    #[inline]
    fn op_1(
        service: &impl FullService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 1048576).argument("Full.echo", "a")?;
        let mut result = stub::BytesOut::new(result_area, 1048576);
        service.echo(caller, a, &mut result)?;
        Ok(())
    }

    /// `Full.swap`.
    #[inline(never)]
    fn op_2(service: &impl FullService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a =
            stub::list_in(call.areas, words[0], 65536, Pair::read).argument("Full.swap", "a")?;
        service.swap(call.caller, &mut a)?;
        words[0] = stub::put_list(call.areas, words[0], &a, 65536, Pair::write, "Full.swap")?;
        Ok(())
    }
}

