// Made from the interface `paper`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `paper`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x05\x00\x00\x00paper\x00\x00\x00\x00$\x00\x00\x00Sizes in the paper\'s form, ea\
    ch way.\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00Sizes\
    \x00\x00\x00\x00\x00\x00\x08\x00\x04\x00\x00\x00goes8\x00\x00\x00The size goes the same way: i\
    t is the sequence\'s length.\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\
    \x00\x00\x01\x00\x01 \x01\x05\x00\x00\x00comes\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x01\x00\x01\x00\x00\x00a\x02\x06\x00\x00\x01\x00\x01 \x01\x04\x00\x00\x00both\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x01\x06\x00\x00\x01\x00\x01 \x01\x07\
    \x00\x00\x00changedQ\x00\x00\x00It goes in, and the array both ways: its length, and what come\
    s back has its own.\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x01\x06\x00\x00\
    \x01\x00\x01 \x01\x06\x00\x00\x00beside\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\
    \x00\x01\x00\x00\x00a\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00b\x00\x04\x00\x00\x10\x00\x05\x00\
    \x00\x00up_toH\x00\x00\x00How much may come back, and how much came: a number beside the seque\
    nce.\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00n\x00\x01 \x01\x01\x00\x00\x00a\
    \x02\x06\x00\x00\x01\x00\x01 \x01\x07\x00\x00\x00at_most\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x02\x00\x01\x00\x00\x00n\x01\x01 \x01\x01\x00\x00\x00a\x02\x06\x00\x00\x01\x00\
    \x01 \x01\x05\x00\x00\x00taken1\x00\x00\x00What is left of it: a number beside the sequence.\
    \x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00n\x01\x01 \x01\x01\x00\x00\x00a\x00\
    \x06\x00\x00\x01\x00\x01 \x01\
    ";

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I32List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32List<'_> {
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
    pub fn push(&mut self, value: i32) -> bool {
        self.0.push(|_| Ok([stub::word(value)]))
    }
}

/// What a service with the interface `Sizes` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait SizesService: Send + Sync + 'static {
    /// The size goes the same way: it is the sequence's length.
    fn goes(&self, caller: &stub::Caller, a: &[i32]) -> Result<(), stub::Failure>;

    /// The operation `comes`.
    fn comes(&self, caller: &stub::Caller, a: &mut I32List<'_>) -> Result<(), stub::Failure>;

    /// The operation `both`.
    fn both(&self, caller: &stub::Caller, a: &mut Vec<i32>) -> Result<(), stub::Failure>;

    /// It goes in, and the array both ways: its length, and what comes back has its own.
    fn changed(&self, caller: &stub::Caller, a: &mut Vec<i32>) -> Result<(), stub::Failure>;

    /// The operation `beside`.
    fn beside(&self, caller: &stub::Caller, a: &mut Vec<u8>, b: &[u8]) -> Result<(), stub::Failure>;

    /// How much may come back, and how much came: a number beside the sequence.
    fn up_to(
        &self,
        caller: &stub::Caller,
        n: i32,
        a: &mut I32List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `at_most`.
    fn at_most(
        &self,
        caller: &stub::Caller,
        n: &mut i32,
        a: &mut I32List<'_>,
    ) -> Result<(), stub::Failure>;

    /// What is left of it: a number beside the sequence.
    fn taken(&self, caller: &stub::Caller, n: &mut i32, a: &[i32]) -> Result<(), stub::Failure>;
}

/// The interface `Sizes`.
///
/// A portal on an object of a [`SizesService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Sizes {
    client: stub::Client,
}

impl stub::Interface for Sizes {
    type Service = dyn SizesService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Sizes {
        Sizes { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Sizes {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SizesService) -> stub::Served<Sizes> {
        stub::serve::<SizesServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Sizes {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The size goes the same way: it is the sequence's length.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn goes(&self, a: &[i32]) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.goes", "a")?;
        let mut words = [stub::area(0)];
        self.client.call(0, &mut words, &[stub::Input::List(&a_area)], &mut [], &[])?;
        Ok(())
    }

    /// The operation `comes`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn comes(&self) -> Result<Vec<i32>, stub::Failure> {
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[], &mut outputs, &[])?;
        let a = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Sizes.comes")?;
        Ok(a)
    }

    /// The operation `comes`, with what comes back in buffers of the caller's: `a`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn comes_into(&self, a: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            a,
        ).reply("Sizes.comes")?;
        Ok(())
    }

    /// The operation `both`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn both(&self, a: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.both", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let a_area = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Sizes.both")?;
        *a = a_area;
        Ok(())
    }

    /// The operation `both`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn both_into(&self, a: &[i32], a_back: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.both", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            a_back,
        ).reply("Sizes.both")?;
        Ok(())
    }

    /// It goes in, and the array both ways: its length, and what comes back has its own.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn changed(&self, a: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.changed", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(3, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let a_area = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Sizes.changed")?;
        *a = a_area;
        Ok(())
    }

    /// The operation `changed`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn changed_into(&self, a: &[i32], a_back: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.changed", "a")?;
        let mut words = [stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(3, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            a_back,
        ).reply("Sizes.changed")?;
        Ok(())
    }

    /// The operation `beside`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn beside(&self, a: &mut Vec<u8>, b: &[u8]) -> Result<(), stub::Failure> {
        let mut words = [
            stub::bytes_word(0, b, 1048576).argument("Sizes.beside", "b")?,
            stub::bytes_word(1, a, 1048576).argument("Sizes.beside", "a")?,
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(
            4,
            &mut words,
            &[stub::Input::Bytes(b), stub::Input::Bytes(a)],
            &mut outputs,
            &[],
        )?;
        let a_area = stub::bytes_output(&mut outputs[0], 1048576).reply("Sizes.beside")?;
        *a = a_area;
        Ok(())
    }

    /// The operation `beside`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn beside_into(
        &self,
        a: &[u8],
        b: &[u8],
        a_back: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            stub::bytes_word(0, b, 1048576).argument("Sizes.beside", "b")?,
            stub::bytes_word(1, a, 1048576).argument("Sizes.beside", "a")?,
        ];
        let mut outputs = [stub::room(a_back)];
        let made = self.client.call(
            4,
            &mut words,
            &[stub::Input::Bytes(b), stub::Input::Bytes(a)],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [(0, &mut *a_back)]);
        made?;
        stub::bounded(a_back, 1048576).reply("Sizes.beside")?;
        Ok(())
    }

    /// How much may come back, and how much came: a number beside the sequence.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn up_to(&self, n: i32) -> Result<Vec<i32>, stub::Failure> {
        let mut words = [stub::word(n), stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(5, &mut words, &[], &mut outputs, &[])?;
        let a = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Sizes.up_to")?;
        Ok(a)
    }

    /// The operation `up_to`, with what comes back in buffers of the caller's: `a`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn up_to_into(&self, n: i32, a: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let mut words = [stub::word(n), stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(5, &mut words, &[], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            a,
        ).reply("Sizes.up_to")?;
        Ok(())
    }

    /// The operation `at_most`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn at_most(&self, n: &mut i32) -> Result<Vec<i32>, stub::Failure> {
        let mut words = [stub::word(*n), stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(6, &mut words, &[], &mut outputs, &[])?;
        let n_area = stub::int::<i32>(words[0]).reply("Sizes.at_most")?;
        let a = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Sizes.at_most")?;
        *n = n_area;
        Ok(a)
    }

    /// The operation `at_most`, with what comes back in buffers of the caller's: `a`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn at_most_into(&self, n: &mut i32, a: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let mut words = [stub::word(*n), stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(6, &mut words, &[], &mut outputs, &[])?;
        let n_area = stub::int::<i32>(words[0]).reply("Sizes.at_most")?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            a,
        ).reply("Sizes.at_most")?;
        *n = n_area;
        Ok(())
    }

    /// What is left of it: a number beside the sequence.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn taken(&self, n: &mut i32, a: &[i32]) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Sizes.taken", "a")?;
        let mut words = [stub::area(0), stub::word(*n)];
        self.client.call(7, &mut words, &[stub::Input::List(&a_area)], &mut [], &[])?;
        let n_area = stub::int::<i32>(words[1]).reply("Sizes.taken")?;
        *n = n_area;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct SizesServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: SizesService> stub::Dispatch<S> for SizesServer {
    type Interface = Sizes;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Sizes>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
            5 => Self::op_5(service, call),
            6 => Self::op_6(service, call),
            7 => Self::op_7(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SizesServer {
    /// `Sizes.goes`.
    #[inline(never)]
    fn op_0(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Sizes.goes", "a")?;
        service.goes(call.caller, &a)?;
        Ok(())
    }

    /// `Sizes.comes`.
    #[inline(never)]
    fn op_1(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a_area = call.areas.take(words[0])?;
        let mut a = I32List(stub::ListOut::new(&mut a_area, 65536));
        service.comes(call.caller, &mut a)?;
        a.0.finish("Sizes.comes")?;
        words[0] = call.areas.put(words[0], a_area)?;
        Ok(())
    }

    /// `Sizes.both`.
    #[inline(never)]
    fn op_2(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Sizes.both", "a")?;
        service.both(call.caller, &mut a)?;
        words[0] =
            stub::put_list(call.areas, words[0], &a, 65536, |&each, _| Ok([stub::word(each)]), "Sizes.both")?;
        Ok(())
    }

    /// `Sizes.changed`.
    #[inline(never)]
    fn op_3(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Sizes.changed", "a")?;
        service.changed(call.caller, &mut a)?;
        words[0] =
            stub::put_list(call.areas, words[0], &a, 65536, |&each, _| Ok([stub::word(each)]), "Sizes.changed")?;
        Ok(())
    }

    /// `Sizes.beside`.
    #[inline(never)]
    fn op_4(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut a = stub::take_bytes(call.areas, words[1], 1048576).argument("Sizes.beside", "a")?;
        let b = stub::bytes(call.areas, words[0], 1048576).argument("Sizes.beside", "b")?;
        service.beside(call.caller, &mut a, b)?;
        words[1] = stub::give_bytes(call.areas, words[1], a, 1048576, "Sizes.beside")?;
        Ok(())
    }

    /// `Sizes.up_to`.
    #[inline(never)]
    fn op_5(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut a_area = call.areas.take(words[1])?;
        let n = stub::int::<i32>(words[0]).argument("Sizes.up_to", "n")?;
        let mut a = I32List(stub::ListOut::new(&mut a_area, 65536));
        service.up_to(call.caller, n, &mut a)?;
        a.0.finish("Sizes.up_to")?;
        words[1] = call.areas.put(words[1], a_area)?;
        Ok(())
    }

    /// `Sizes.at_most`.
    #[inline(never)]
    fn op_6(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut a_area = call.areas.take(words[1])?;
        let mut n = stub::int::<i32>(words[0]).argument("Sizes.at_most", "n")?;
        let mut a = I32List(stub::ListOut::new(&mut a_area, 65536));
        service.at_most(call.caller, &mut n, &mut a)?;
        words[0] = stub::word(n);
        a.0.finish("Sizes.at_most")?;
        words[1] = call.areas.put(words[1], a_area)?;
        Ok(())
    }

    /// `Sizes.taken`.
    #[inline(never)]
    fn op_7(service: &impl SizesService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Sizes.taken", "a")?;
        let mut n = stub::int::<i32>(words[1]).argument("Sizes.taken", "n")?;
        service.taken(call.caller, &mut n, &a)?;
        words[1] = stub::word(n);
        Ok(())
    }
}

