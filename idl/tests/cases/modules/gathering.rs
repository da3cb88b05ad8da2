// Made from the interface `gathering`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `gathering`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\t\x00\x00\x00gathering\x03\x00\x00\x001.0-\x00\x00\x00Long data that go both wa\
    ys, several at once.\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x04\x00\x00\x00Pair\x00\x00\x00\
    \x00\x02\x00\x01\x00\x00\x00a\x01@\x01\x01\x00\x00\x00b\t@\x03\x00\x00\x00Box\x00\x00\x00\x00\
    \x01\x00\x03\x00\x00\x00raw\x0b\xd0\x07\x00\x00\x01\x08\x00\x05\x00\x00\x00Shelf\x00\x00\x00\
    \x00\x03\x00\x05\x00\x00\x00label\x03\x88\x13\x00\x00\x07\x00\x00\x00numbers\x06\x10\'\x00\x00\
    \x01@\x01\x05\x00\x00\x00texts\x06\x14\x00\x00\x00\x03\xb8\x0b\x00\x00\x00\x00\x00\x00\x01\x00\
    \x05\x00\x00\x00Store\x00\x00\x00\x00\x00\x00\x06\x00\x03\x00\x00\x00sum.\x00\x00\x00What the \
    bytes of all come to, in their order.\x00\x00\x00\x00@\x00\x01@\x01\x00\x00\x05\x00\x01\x00\
    \x00\x00a\x00\x03\xa0\x86\x01\x00\x01\x00\x00\x00b\x00\x04\x00\x00\x10\x00\x01\x00\x00\x00c\
    \x00\x01@\x01\x01\x00\x00\x00d\x00\x03d\x00\x00\x00\x01\x00\x00\x00e\x00\x04\x88\x13\x00\x00\
    \x04\x00\x00\x00text\x15\x00\x00\x00The same of one text.\x00\x00\x00\x00@\x00\x01@\x01\x00\
    \x00\x01\x00\x01\x00\x00\x00a\x00\x03\xa0\x86\x01\x00\x04\x00\x00\x00back\x0f\x00\x00\x00All a\
    s it came.\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00\x01\x00\x00\x00a\x01\x03\xa0\x86\x01\x00\
    \x01\x00\x00\x00b\x01\x04\x80\x1a\x06\x00\x01\x00\x00\x00c\x01\x06\x10\'\x00\x00\x05\x00\x00\
    \x01\x00\x00\x00d\x01\x06,\x01\x00\x00\x03\xa0\x0f\x00\x00\x01\x00\x00\x00e\x01\x05\x02\x00\
    \x05\x00\x00\x00given/\x00\x00\x00So many bytes of each, as far as there is room.\x00\x00\x00\
    \x00\x00\x00\x00\x00\x05\x00\x03\x00\x00\x00len\x00\x01@\x01\x01\x00\x00\x00a\x02\x03\xa0\x86\
    \x01\x00\x01\x00\x00\x00b\x02\x04\x00\x00\x10\x00\x01\x00\x00\x00c\x02\x03d\x00\x00\x00\x01\
    \x00\x00\x00d\x02\x04\x88\x13\x00\x00\x06\x00\x00\x00copiedX\x00\x00\x00Bytes that the server \
    has copied since it was asked before; 0 if it does not count them.\x00\x00\x00\x00@\x00\x01@\
    \x01\x00\x00\x00\x00\x06\x00\x00\x00turned\x1b\x00\x00\x00With each byte turned over.\x00\x00\
    \x00\x00@\x00\x05\x01\x00\x00\x00\x01\x00\x02\x00\x00\x00it\x00\x05\x01\x00\
    ";

/// The struct `Pair`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// `a`.
    pub a: i64,
    /// `b`.
    pub b: f64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pair {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<Pair, stub::Wrong> {
        Ok(Pair { a: words[0].cast_signed(), b: f64::from_bits(words[1]) })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pair {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([self.a.cast_unsigned(), self.b.to_bits()])
    }
}

/// The struct `Box`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Box {
    /// `raw`.
    pub raw: [u8; 2000],
}

/// The struct `Shelf`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// `label`, at most 5000 bytes without NUL.
    pub label: Vec<u8>,
    /// `numbers`, at most 10000 elements.
    pub numbers: Vec<i64>,
    /// `texts`, at most 20 elements.
    pub texts: Vec<Vec<u8>>,
}

/// What a service with the interface `Store` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait StoreService: Send + Sync + 'static {
    /// What the bytes of all come to, in their order.
    fn sum(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        b: &[u8],
        c: i64,
        d: &[u8],
        e: &[u8],
    ) -> Result<i64, stub::Failure>;

    /// The same of one text.
    fn text(&self, caller: &stub::Caller, a: &[u8]) -> Result<i64, stub::Failure>;

    /// All as it came.
    fn back(
        &self,
        caller: &stub::Caller,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &mut Vec<Pair>,
        d: &mut Vec<Vec<u8>>,
        e: &mut Shelf,
    ) -> Result<(), stub::Failure>;

    /// So many bytes of each, as far as there is room.
    fn given(
        &self,
        caller: &stub::Caller,
        len: i64,
        a: &mut stub::BytesOut<'_>,
        b: &mut stub::BytesOut<'_>,
        c: &mut stub::BytesOut<'_>,
        d: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// Bytes that the server has copied since it was asked before; 0 if it does not count them.
    fn copied(&self, caller: &stub::Caller) -> Result<i64, stub::Failure>;

    /// With each byte turned over.
    fn turned(&self, caller: &stub::Caller, it: &Box) -> Result<Box, stub::Failure>;
}

/// The interface `Store`.
///
/// A portal on an object of a [`StoreService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Store {
    client: stub::Client,
    near: stub::Nearby<Store>,
}

impl stub::Interface for Store {
    type Service = dyn StoreService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Store {
        Store { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Store {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl StoreService) -> stub::Served<Store> {
        stub::serve::<StoreServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Store {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// What the bytes of all come to, in their order.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn sum(
        &self,
        a: &[u8],
        b: &[u8],
        c: i64,
        d: &[u8],
        e: &[u8],
    ) -> Result<i64, stub::Failure> {
        let mut words = [
            stub::string_word(0, a, 100000).argument("Store.sum", "a")?,
            stub::bytes_word(1, b, 1048576).argument("Store.sum", "b")?,
            c.cast_unsigned(),
            stub::string_word(2, d, 100).argument("Store.sum", "d")?,
            stub::bytes_word(3, e, 5000).argument("Store.sum", "e")?,
            0,
        ];
        self.client.call(
            0,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::Bytes(b), stub::Input::Bytes(d), stub::Input::Bytes(e)],
            &mut [],
            &[],
        )?;
        let result = words[5].cast_signed();
        Ok(result)
    }

    /// The same of one text.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn text(&self, a: &[u8]) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded_string(a, 100000).argument("Store.text", "a")?;
            let result = near.call(1, |service, caller| service.text(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, a, 100000).argument("Store.text", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(1, &mut words, a)?;
            let result = words[1].cast_signed();
            Ok(result)
        })
    }

    /// All as it came.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn back(
        &self,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &mut Vec<Pair>,
        d: &mut Vec<Vec<u8>>,
        e: &mut Shelf,
    ) -> Result<(), stub::Failure> {
        let c_area = stub::list_area(c, 10000, Pair::write).argument("Store.back", "c")?;
        let d_area = stub::list_area(d, 300, |each, area| Ok([stub::add_string(area, each, 4000)?]))
            .argument("Store.back", "d")?;
        let e_packed = [
            stub::packed(&e.numbers, 10000, |&each, _| Ok([each.cast_unsigned()])).argument("Store.back", "e")?,
            stub::packed(&e.texts, 20, |each, area| Ok([stub::add_string(area, each, 3000)?])).argument("Store.back", "e")?,
        ];
        let mut words = [
            stub::string_word(0, a, 100000).argument("Store.back", "a")?,
            stub::bytes_word(1, b, 400000).argument("Store.back", "b")?,
            stub::area(2),
            stub::area(3),
            stub::string_word(4, &e.label, 5000).argument("Store.back", "e")?,
            stub::bytes_word(5, &e_packed[0], 80008).argument("Store.back", "e")?,
            stub::bytes_word(6, &e_packed[1], 60168).argument("Store.back", "e")?,
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(
            2,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::Bytes(b), stub::Input::List(&c_area), stub::Input::List(&d_area), stub::Input::Bytes(&e.label), stub::Input::Bytes(&e_packed[0]), stub::Input::Bytes(&e_packed[1])],
            &mut outputs,
            &[],
        )?;
        let a_area = stub::string_output(&mut outputs[0], 100000).reply("Store.back")?;
        let b_area = stub::bytes_output(&mut outputs[1], 400000).reply("Store.back")?;
        let c_area = stub::list(&outputs[2], 10000, Pair::read).reply("Store.back")?;
        let d_area = stub::list(&outputs[3], 300, |words: &[u64; 1], area| stub::field_string(area, words[0], 4000))
            .reply("Store.back")?;
        let e_area = Shelf {
            label: stub::string_output(&mut outputs[4], 5000).reply("Store.back")?,
            numbers: stub::unpacked(&outputs[5].bytes, 10000, &[], |words: &[u64; 1], _| Ok(words[0].cast_signed())).reply("Store.back")?,
            texts: stub::unpacked(&outputs[6].bytes, 20, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 3000)).reply("Store.back")?,
        };
        *a = a_area;
        *b = b_area;
        *c = c_area;
        *d = d_area;
        *e = e_area;
        Ok(())
    }

    /// The operation `back`, with what comes back in buffers of the caller's: `a` in `a_back`, `b` in `b_back`, `c` in `c_back`, `d` in `d_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn back_into(
        &self,
        a: &[u8],
        b: &[u8],
        c: &[Pair],
        d: &[Vec<u8>],
        e: &mut Shelf,
        a_back: &mut Vec<u8>,
        b_back: &mut Vec<u8>,
        c_back: &mut Vec<Pair>,
        d_back: &mut Vec<Vec<u8>>,
    ) -> Result<(), stub::Failure> {
        let c_area = stub::list_area(c, 10000, Pair::write).argument("Store.back", "c")?;
        let d_area = stub::list_area(d, 300, |each, area| Ok([stub::add_string(area, each, 4000)?]))
            .argument("Store.back", "d")?;
        let e_packed = [
            stub::packed(&e.numbers, 10000, |&each, _| Ok([each.cast_unsigned()])).argument("Store.back", "e")?,
            stub::packed(&e.texts, 20, |each, area| Ok([stub::add_string(area, each, 3000)?])).argument("Store.back", "e")?,
        ];
        let mut words = [
            stub::string_word(0, a, 100000).argument("Store.back", "a")?,
            stub::bytes_word(1, b, 400000).argument("Store.back", "b")?,
            stub::area(2),
            stub::area(3),
            stub::string_word(4, &e.label, 5000).argument("Store.back", "e")?,
            stub::bytes_word(5, &e_packed[0], 80008).argument("Store.back", "e")?,
            stub::bytes_word(6, &e_packed[1], 60168).argument("Store.back", "e")?,
        ];
        let mut outputs = [
            stub::room(a_back),
            stub::room(b_back),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        let made = self.client.call(
            2,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::Bytes(b), stub::Input::List(&c_area), stub::Input::List(&d_area), stub::Input::Bytes(&e.label), stub::Input::Bytes(&e_packed[0]), stub::Input::Bytes(&e_packed[1])],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [(0, &mut *a_back), (1, &mut *b_back)]);
        made?;
        stub::bounded_string(a_back, 100000).reply("Store.back")?;
        stub::bounded(b_back, 400000).reply("Store.back")?;
        stub::list_into(&outputs[2], 10000, Pair::read, c_back).reply("Store.back")?;
        stub::list_into(
            &outputs[3],
            300,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4000),
            d_back,
        ).reply("Store.back")?;
        let e_area = Shelf {
            label: stub::string_output(&mut outputs[4], 5000).reply("Store.back")?,
            numbers: stub::unpacked(&outputs[5].bytes, 10000, &[], |words: &[u64; 1], _| Ok(words[0].cast_signed())).reply("Store.back")?,
            texts: stub::unpacked(&outputs[6].bytes, 20, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 3000)).reply("Store.back")?,
        };
        *e = e_area;
        Ok(())
    }

    /// So many bytes of each, as far as there is room.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn given(&self, len: i64) -> Result<(Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>), stub::Failure> {
        let mut words = [
            len.cast_unsigned(),
            stub::area(0),
            stub::area(1),
            stub::area(2),
            stub::area(3),
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(3, &mut words, &[], &mut outputs, &[])?;
        let a = stub::string_output(&mut outputs[0], 100000).reply("Store.given")?;
        let b = stub::bytes_output(&mut outputs[1], 1048576).reply("Store.given")?;
        let c = stub::string_output(&mut outputs[2], 100).reply("Store.given")?;
        let d = stub::bytes_output(&mut outputs[3], 5000).reply("Store.given")?;
        Ok((a, b, c, d))
    }

    /// The operation `given`, with what comes back in buffers of the caller's: `a`, `b`, `c`, `d`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn given_into(
        &self,
        len: i64,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &mut Vec<u8>,
        d: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            len.cast_unsigned(),
            stub::area(0),
            stub::area(1),
            stub::area(2),
            stub::area(3),
        ];
        let mut outputs = [stub::room(a), stub::room(b), stub::room(c), stub::room(d)];
        let made = self.client.call(3, &mut words, &[], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *a), (1, &mut *b), (2, &mut *c), (3, &mut *d)]);
        made?;
        stub::bounded_string(a, 100000).reply("Store.given")?;
        stub::bounded(b, 1048576).reply("Store.given")?;
        stub::bounded_string(c, 100).reply("Store.given")?;
        stub::bounded(d, 5000).reply("Store.given")?;
        Ok(())
    }

    /// Bytes that the server has copied since it was asked before; 0 if it does not count them.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn copied(&self) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(4, |service, caller| service.copied(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(4, &mut words, &[])?;
            let result = words[0].cast_signed();
            Ok(result)
        })
    }

    /// With each byte turned over.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turned(&self, it: &Box) -> Result<Box, stub::Failure> {
        let mut words = [
            stub::bytes_word(0, &it.raw, 2000).argument("Store.turned", "it")?,
            stub::area(1),
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(5, &mut words, &[stub::Input::Bytes(&it.raw)], &mut outputs, &[])?;
        let result = Box {
            raw: stub::array(stub::bytes_output(&mut outputs[0], 2000)).reply("Store.turned")?,
        };
        Ok(result)
    }
}

/// An object of a [`StoreService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoreAt(pub stub::Number);

impl From<stub::Number> for StoreAt {
    fn from(number: stub::Number) -> StoreAt {
        StoreAt(number)
    }
}

impl From<StoreAt> for stub::Number {
    fn from(at: StoreAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl StoreAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl StoreService) -> stub::Kept<StoreAt> {
        stub::keep::<StoreServer, _, _>(service)
    }

    /// The same of one text.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn text(self, channel: &mut impl stub::Channel, a: &[u8]) -> Result<i64, stub::Failure> {
        let place = &mut 0;
        stub::call_in::<Store, 5, 5, 5, 0>(self.0, channel, 1, 0, place, 0, a)
    }

    /// Bytes that the server has copied since it was asked before; 0 if it does not count them.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn copied(self, channel: &mut impl stub::Channel) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<Store, 0>(self.0, channel, 4, [])?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct StoreServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: StoreService> stub::Dispatch<S> for StoreServer {
    type Interface = Store;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Store>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("Store.text", "a")?;
                Self::op_1(service, call.caller, stub::block(call.words)?, piece)
            }
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call.caller, stub::block(call.words)?),
            5 => Self::op_5(service, call),
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
            4 => Self::op_4(service, caller, stub::head(words)?),
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
            1 => Self::op_1(service, caller, stub::head(words)?, piece),
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
            4 => Self::plain_4(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            1 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_1(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl StoreServer {
    /// `Store.sum`.
    #[inline(never)]
    fn op_0(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<6>(call.words)?;
        let a = stub::string(call.areas, words[0], 100000).argument("Store.sum", "a")?;
        let b = stub::bytes(call.areas, words[1], 1048576).argument("Store.sum", "b")?;
        let c = words[2].cast_signed();
        let d = stub::string(call.areas, words[3], 100).argument("Store.sum", "d")?;
        let e = stub::bytes(call.areas, words[4], 5000).argument("Store.sum", "e")?;
        let result = service.sum(call.caller, a, b, c, d, e)?;
        words[5] = result.cast_unsigned();
        Ok(())
    }

    /// `Store.text`.
    #[inline]
    fn op_1(
        service: &impl StoreService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        a: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded_string(a, 100000).argument("Store.text", "a")?;
        let result = service.text(caller, a)?;
        words[1] = result.cast_unsigned();
        Ok(())
    }

    /// `Store.back`.
    #[inline(never)]
    fn op_2(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<7>(call.words)?;
        let mut a = stub::take_string(call.areas, words[0], 100000).argument("Store.back", "a")?;
        let mut b = stub::take_bytes(call.areas, words[1], 400000).argument("Store.back", "b")?;
        let mut c =
            stub::list_in(call.areas, words[2], 10000, Pair::read).argument("Store.back", "c")?;
        let mut d = stub::list_in(call.areas, words[3], 300, |words: &[u64; 1], area| stub::field_string(area, words[0], 4000))
            .argument("Store.back", "d")?;
        let mut e = Shelf {
            label: stub::string(call.areas, words[4], 5000).argument("Store.back", "e")?.to_vec(),
            numbers: stub::unpacked_in(call.areas, words[5], 10000, &[], |words: &[u64; 1], _| Ok(words[0].cast_signed())).argument("Store.back", "e")?,
            texts: stub::unpacked_in(call.areas, words[6], 20, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 3000)).argument("Store.back", "e")?,
        };
        service.back(call.caller, &mut a, &mut b, &mut c, &mut d, &mut e)?;
        words[0] = stub::give_string(call.areas, words[0], a, 100000, "Store.back")?;
        words[1] = stub::give_bytes(call.areas, words[1], b, 400000, "Store.back")?;
        words[2] = stub::put_list(call.areas, words[2], &c, 10000, Pair::write, "Store.back")?;
        words[3] =
            stub::put_list(call.areas, words[3], &d, 300, |each, area| Ok([stub::add_string(area, each, 4000)?]), "Store.back")?;
        words[4] = stub::put_string(call.areas, words[4], &e.label, 5000, "Store.back")?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&e.numbers, 10000, |&each, _| Ok([each.cast_unsigned()])).given("Store.back")?, 80008, "Store.back")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&e.texts, 20, |each, area| Ok([stub::add_string(area, each, 3000)?])).given("Store.back")?, 60168, "Store.back")?;
        Ok(())
    }

    /// `Store.given`.
    #[inline(never)]
    fn op_3(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let mut a_area = call.areas.take(words[1])?;
        let mut b_area = call.areas.take(words[2])?;
        let mut c_area = call.areas.take(words[3])?;
        let mut d_area = call.areas.take(words[4])?;
        let len = words[0].cast_signed();
        let mut a = stub::BytesOut::new(&mut a_area.bytes, 100000);
        let mut b = stub::BytesOut::new(&mut b_area.bytes, 1048576);
        let mut c = stub::BytesOut::new(&mut c_area.bytes, 100);
        let mut d = stub::BytesOut::new(&mut d_area.bytes, 5000);
        service.given(call.caller, len, &mut a, &mut b, &mut c, &mut d)?;
        a.finish_string("Store.given")?;
        words[1] = call.areas.put(words[1], a_area)?;
        words[2] = call.areas.put(words[2], b_area)?;
        c.finish_string("Store.given")?;
        words[3] = call.areas.put(words[3], c_area)?;
        words[4] = call.areas.put(words[4], d_area)?;
        Ok(())
    }

    /// `Store.copied`.
    #[inline]
    fn op_4(
        service: &impl StoreService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.copied(caller)?;
        words[0] = result.cast_unsigned();
        Ok(())
    }

    /// `Store.turned`.
    #[inline(never)]
    fn op_5(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let it = Box {
            raw: stub::array(stub::bytes(call.areas, words[0], 2000)).argument("Store.turned", "it")?,
        };
        let result = service.turned(call.caller, &it)?;
        words[1] = stub::put_bytes(call.areas, words[1], &result.raw, 2000, "Store.turned")?;
        Ok(())
    }

    /// `Store.text` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl StoreService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        a: &[u8],
    ) -> stub::One {
        let a = stub::bounded_string(a, 100000).argument("Store.text", "a")?;
        stub::carried("Store.text", || service.text(caller, a))
    }

    /// `Store.copied` in a plain session.
    #[inline(always)]
    fn plain_4(service: &impl StoreService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        let result = stub::carried("Store.copied", || Ok(service.copied(caller)?))?;
        Ok((result, 0))
    }
}

