// Made from the interface `landing`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `landing`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x07\x00\x00\x00landing\x03\x00\x00\x001.0;\x00\x00\x00Data that come back: alon\
    e, several at once, beside others.\x00\x00\x00\x00\x01\x00\x08\x00\x00\x00TEXT_MAX\x00\x00\x00\
    \x00\x01 \x00\x00@\r\x03\x00\x00\x00\x00\x00\x01\x00\x03\x00\x00\x00Why\x00\x00\x00\x00\x01\
    \x00\x05\x00\x00\x00asked\x02\x00\x04\x00\x00\x00Pair\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00a\
    \x01@\x01\x01\x00\x00\x00b\x01@\x01\x04\x00\x00\x00Card\x00\x00\x00\x00\x02\x00\x04\x00\x00\
    \x00name\x03d\x00\x00\x00\x07\x00\x00\x00picture\x04\xa0\x86\x01\x00\x00\x00\x01\x00\x07\x00\
    \x00\x00Refused\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00kind\x02\x00\x00\x07\x00\x00\x00message\
    \x03d\x00\x00\x00\x01\x00\x06\x00\x00\x00Source\x00\x00\x00\x00\x00\x00\x07\x00\x05\x00\x00\
    \x00bytes,\x00\x00\x00So many bytes, each of which its place says.\x00\x00\x00\x00@\x00\x04\
    \x00\x00\x10\x00\x00\x00\x01\x00\x03\x00\x00\x00len\x00\x01@\x01\x04\x00\x00\x00text4\x00\x00\
    \x00So many letters; none if fewer than none are wanted.\x00\x00\x00\x00@\x00\x03@\r\x03\x00\
    \x01\x00\x00\x00\x01\x00\x03\x00\x00\x00len\x00\x01@\x01\x04\x00\x00\x00turn\x17\x00\x00\x00Th\
    e bytes turned round.\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x01\x04\x00\x00\
    \x10\x00\x07\x00\x00\x00several1\x00\x00\x00As many of all kinds, and the bytes turned round.\
    \x00\x00\x00\x00@\x00\x01@\x01\x00\x00\x06\x00\x03\x00\x00\x00len\x00\x01@\x01\x01\x00\x00\x00\
    a\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00b\x02\x03@\r\x03\x00\x01\x00\x00\x00c\x02\x01@\x01\
    \x01\x00\x00\x00d\x02\x06\xa0\x0f\x00\x00\x05\x00\x00\x01\x00\x00\x00e\x02\x06\xe8\x03\x00\x00\
    \x03\t\x00\x00\x00\x04\x00\x00\x00card%\x00\x00\x00What lies in a struct, and beside it.\x00\
    \x00\x00\x00@\x00\x05\x01\x00\x00\x00\x02\x00\x03\x00\x00\x00len\x00\x01@\x01\x06\x00\x00\x00b\
    eside\x02\x04\x00\x00\x10\x00\x04\x00\x00\x00next\x1f\x00\x00\x00Another one, and so many byte\
    s.\x00\x00\x00\x00@\x00\x07\x00\x00\x00\x00\x02\x00\x03\x00\x00\x00len\x00\x01@\x01\x01\x00\
    \x00\x00a\x02\x04\x00\x00\x10\x00\x03\x00\x00\x00sum\x11\x00\x00\x00The sum of bytes.\x00\x00\
    \x00\x00@\x00\x01@\x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x04\x00\x00\x10\x00\
    ";

/// The constant `TEXT_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const TEXT_MAX: u32 = 200000;

/// The enum `Why`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// `asked`.
    Asked,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Why {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Why> {
        match word {
            0 => Some(Why::Asked),
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
            Why::Asked => "asked",
        }
    }
}

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

/// The struct `Card`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// `name`, at most 100 bytes without NUL.
    pub name: Vec<u8>,
    /// `picture`, at most 100000 bytes.
    pub picture: Vec<u8>,
}

/// The exception `Refused`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What programs test.
    pub kind: Why,
    /// What people read; cut to 100 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Refused {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: Why, message: &str) -> Refused {
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
        stub::raised(raised.kind.to_word(), raised.message, 100)
    }
}

impl stub::Exception for Refused {
    fn from_details(details: &stub::Details) -> Option<Refused> {
        let kind = Why::from_word(u64::from(details.raised))?;
        Some(Refused { kind, message: details.message.clone() })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct PairList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PairList<'_> {
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
    pub fn push(&mut self, a: i64, b: i64) -> bool {
        self.0.push(|_| {
            Ok([a.cast_unsigned(), b.cast_unsigned()])
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String9List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String9List<'_> {
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
    pub fn push(&mut self, value: &[u8]) -> bool {
        self.0.push(|area| Ok([stub::add_string(area, value, 9)?]))
    }
}

/// What a service with the interface `Source` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait SourceService: Send + Sync + 'static {
    /// So many bytes, each of which its place says.
    fn bytes(
        &self,
        caller: &stub::Caller,
        len: i64,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// So many letters; none if fewer than none are wanted.
    fn text(
        &self,
        caller: &stub::Caller,
        len: i64,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), Refused>;

    /// The bytes turned round.
    fn turn(&self, caller: &stub::Caller, a: &mut Vec<u8>) -> Result<(), stub::Failure>;

    /// As many of all kinds, and the bytes turned round.
    fn several(
        &self,
        caller: &stub::Caller,
        len: i64,
        a: &mut Vec<u8>,
        b: &mut stub::BytesOut<'_>,
        d: &mut PairList<'_>,
        e: &mut String9List<'_>,
    ) -> Result<(i64, i64), stub::Failure>;

    /// What lies in a struct, and beside it.
    fn card(
        &self,
        caller: &stub::Caller,
        len: i64,
        beside: &mut stub::BytesOut<'_>,
    ) -> Result<Card, stub::Failure>;

    /// Another one, and so many bytes.
    fn next(
        &self,
        caller: &stub::Caller,
        len: i64,
        a: &mut stub::BytesOut<'_>,
    ) -> Result<stub::Served<Source>, stub::Failure>;

    /// The sum of bytes.
    fn sum(&self, caller: &stub::Caller, a: &[u8]) -> Result<i64, stub::Failure>;
}

/// The interface `Source`.
///
/// A portal on an object of a [`SourceService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Source {
    client: stub::Client,
    near: stub::Nearby<Source>,
}

impl stub::Interface for Source {
    type Service = dyn SourceService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Source {
        Source { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Source {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SourceService) -> stub::Served<Source> {
        stub::serve::<SourceServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Source {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// So many bytes, each of which its place says.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn bytes(&self, len: i64) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.bytes_into(len, &mut result)?;
        Ok(result)
    }

    /// The operation `bytes`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn bytes_into(&self, len: i64, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 1048576);
            near.call(0, |service, caller| service.bytes(caller, len, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [len.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short_out(0, &mut words, &[], result)?;
            stub::bounded(result, 1048576).reply("Source.bytes")?;
            Ok(())
        })
    }

    /// So many letters; none if fewer than none are wanted.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn text(&self, len: i64) -> Result<Vec<u8>, stub::CallError<Refused>> {
        let mut result = Vec::new();
        self.text_into(len, &mut result)?;
        Ok(result)
    }

    /// The operation `text`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn text_into(
        &self,
        len: i64,
        result: &mut Vec<u8>,
    ) -> Result<(), stub::CallError<Refused>> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 200000);
            near.call(1, |service, caller| service.text(caller, len, &mut result_area))?;
            result_area.finish_string("Source.text")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [len.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short_out(1, &mut words, &[], result)?;
            stub::bounded_string(result, 200000).reply("Source.text")?;
            Ok(())
        })
    }

    /// The bytes turned round.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn(&self, a: &mut Vec<u8>) -> Result<(), stub::Failure> {
        let words = [stub::bytes_word(0, a, 1048576).argument("Source.turn", "a")?, 0, 0, 0, 0, 0];
        self.client.turn(2, &words, a)?;
        Ok(())
    }

    /// The operation `turn`, with what comes back in buffers of the caller's: `a` in `a_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn_into(&self, a: &[u8], a_back: &mut Vec<u8>) -> Result<(), stub::Failure> {
        let mut words = [stub::bytes_word(0, a, 1048576).argument("Source.turn", "a")?];
        let mut outputs = [stub::room(a_back)];
        let made = self.client.call(2, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *a_back)]);
        made?;
        stub::bounded(a_back, 1048576).reply("Source.turn")?;
        Ok(())
    }

    /// As many of all kinds, and the bytes turned round.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn several(
        &self,
        len: i64,
        a: &mut Vec<u8>,
    ) -> Result<(i64, Vec<u8>, i64, Vec<Pair>, Vec<Vec<u8>>), stub::Failure> {
        let mut words = [
            len.cast_unsigned(),
            stub::bytes_word(0, a, 1048576).argument("Source.several", "a")?,
            0,
            stub::area(2),
            0,
            stub::area(3),
            stub::area(4),
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(3, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[])?;
        let a_area = stub::bytes_output(&mut outputs[0], 1048576).reply("Source.several")?;
        let result = words[2].cast_signed();
        let b = stub::string_output(&mut outputs[1], 200000).reply("Source.several")?;
        let c = words[4].cast_signed();
        let d = stub::list(&outputs[2], 4000, Pair::read).reply("Source.several")?;
        let e = stub::list(&outputs[3], 1000, |words: &[u64; 1], area| stub::field_string(area, words[0], 9))
            .reply("Source.several")?;
        *a = a_area;
        Ok((result, b, c, d, e))
    }

    /// The operation `several`, with what comes back in buffers of the caller's: `a` in `a_back`, `b`, `d`, `e`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn several_into(
        &self,
        len: i64,
        a: &[u8],
        a_back: &mut Vec<u8>,
        b: &mut Vec<u8>,
        d: &mut Vec<Pair>,
        e: &mut Vec<Vec<u8>>,
    ) -> Result<(i64, i64), stub::Failure> {
        let mut words = [
            len.cast_unsigned(),
            stub::bytes_word(0, a, 1048576).argument("Source.several", "a")?,
            0,
            stub::area(2),
            0,
            stub::area(3),
            stub::area(4),
        ];
        let mut outputs = [
            stub::room(a_back),
            stub::room(b),
            stub::Area::default(),
            stub::Area::default(),
        ];
        let made = self.client.call(3, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *a_back), (1, &mut *b)]);
        made?;
        stub::bounded(a_back, 1048576).reply("Source.several")?;
        let result = words[2].cast_signed();
        stub::bounded_string(b, 200000).reply("Source.several")?;
        let c = words[4].cast_signed();
        stub::list_into(&outputs[2], 4000, Pair::read, d).reply("Source.several")?;
        stub::list_into(
            &outputs[3],
            1000,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 9),
            e,
        ).reply("Source.several")?;
        Ok((result, c))
    }

    /// What lies in a struct, and beside it.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn card(&self, len: i64) -> Result<(Card, Vec<u8>), stub::Failure> {
        let mut words = [len.cast_unsigned(), stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(4, &mut words, &[], &mut outputs, &[])?;
        let result = Card {
            name: stub::string_output(&mut outputs[0], 100).reply("Source.card")?,
            picture: stub::bytes_output(&mut outputs[1], 100000).reply("Source.card")?,
        };
        let beside = stub::bytes_output(&mut outputs[2], 1048576).reply("Source.card")?;
        Ok((result, beside))
    }

    /// The operation `card`, with what comes back in buffers of the caller's: `beside`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn card_into(&self, len: i64, beside: &mut Vec<u8>) -> Result<Card, stub::Failure> {
        let mut words = [len.cast_unsigned(), stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::room(beside)];
        let made = self.client.call(4, &mut words, &[], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(2, &mut *beside)]);
        made?;
        let result = Card {
            name: stub::string_output(&mut outputs[0], 100).reply("Source.card")?,
            picture: stub::bytes_output(&mut outputs[1], 100000).reply("Source.card")?,
        };
        stub::bounded(beside, 1048576).reply("Source.card")?;
        Ok(result)
    }

    /// Another one, and so many bytes.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn next(&self, len: i64) -> Result<(Source, Vec<u8>), stub::Failure> {
        let mut words = [len.cast_unsigned(), 0, stub::area(0)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(5, &mut words, &[], &mut outputs, &[])?;
        let result = Source::from_portal(stub::made(&made, words[1]).reply("Source.next")?);
        let a = stub::bytes_output(&mut outputs[0], 1048576).reply("Source.next")?;
        Ok((result, a))
    }

    /// The operation `next`, with what comes back in buffers of the caller's: `a`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn next_into(&self, len: i64, a: &mut Vec<u8>) -> Result<Source, stub::Failure> {
        let mut words = [len.cast_unsigned(), 0, stub::area(0)];
        let mut outputs = [stub::room(a)];
        let made = self.client.call(5, &mut words, &[], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *a)]);
        let made = made?;
        let result = Source::from_portal(stub::made(&made, words[1]).reply("Source.next")?);
        stub::bounded(a, 1048576).reply("Source.next")?;
        Ok(result)
    }

    /// The sum of bytes.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn sum(&self, a: &[u8]) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 1048576).argument("Source.sum", "a")?;
            let result = near.call(6, |service, caller| service.sum(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, a, 1048576).argument("Source.sum", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(6, &mut words, a)?;
            let result = words[1].cast_signed();
            Ok(result)
        })
    }
}

/// An object of a [`SourceService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceAt(pub stub::Number);

impl From<stub::Number> for SourceAt {
    fn from(number: stub::Number) -> SourceAt {
        SourceAt(number)
    }
}

impl From<SourceAt> for stub::Number {
    fn from(at: SourceAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SourceAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl SourceService) -> stub::Kept<SourceAt> {
        stub::keep::<SourceServer, _, _>(service)
    }

    /// So many bytes, each of which its place says.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn bytes<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        len: i64,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Source, 0, 5, 5>(self.0, channel, 0, len.cast_unsigned(), place, 0)?;
        let result = stub::bounded(stub::Channel::reply(channel), 1048576).reply("Source.bytes")?;
        Ok(result)
    }

    /// So many letters; none if fewer than none are wanted.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn text<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        len: i64,
    ) -> Result<&'c [u8], stub::CallError<Refused>> {
        let place = &mut 0;
        stub::call_out::<Source, 0, 5, 5>(self.0, channel, 1, len.cast_unsigned(), place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 200000).reply("Source.text")?;
        Ok(result)
    }

    /// The sum of bytes.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn sum(self, channel: &mut impl stub::Channel, a: &[u8]) -> Result<i64, stub::Failure> {
        let place = &mut 0;
        stub::call_in::<Source, 5, 5, 5, 0>(self.0, channel, 6, 0, place, 0, a)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct SourceServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: SourceService> stub::Dispatch<S> for SourceServer {
    type Interface = Source;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Source>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => {
                let mut area = call.take(1)?;
                Self::op_0(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            1 => {
                let mut area = call.take(1)?;
                Self::op_1(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
            5 => Self::op_5(service, call),
            6 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("Source.sum", "a")?;
                Self::op_6(service, call.caller, stub::block(call.words)?, piece)
            }
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
            6 => Self::op_6(service, caller, stub::head(words)?, piece),
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
            1 => Self::op_1(service, caller, stub::head(words)?, out),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            6 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_6(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            0 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_0(service, caller, w0, place, w1, out)
            }
            1 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_1(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SourceServer {
    /// `Source.bytes`.
    #[inline]
    fn op_0(
        service: &impl SourceService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let len = words[0].cast_signed();
        let mut result = stub::BytesOut::new(result_area, 1048576);
        service.bytes(caller, len, &mut result)?;
        Ok(())
    }

    /// `Source.text`.
    #[inline]
    fn op_1(
        service: &impl SourceService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let len = words[0].cast_signed();
        let mut result = stub::BytesOut::new(result_area, 200000);
        service.text(caller, len, &mut result)?;
        result.finish_string("Source.text")?;
        Ok(())
    }

    /// `Source.turn`.
    #[inline(never)]
    fn op_2(service: &impl SourceService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<1>(call.words)?;
        let mut a = stub::take_bytes(call.areas, words[0], 1048576).argument("Source.turn", "a")?;
        service.turn(call.caller, &mut a)?;
        words[0] = stub::give_bytes(call.areas, words[0], a, 1048576, "Source.turn")?;
        Ok(())
    }

    /// `Source.several`.
    #[inline(never)]
    fn op_3(service: &impl SourceService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<7>(call.words)?;
        let mut b_area = call.areas.take(words[3])?;
        let mut d_area = call.areas.take(words[5])?;
        let mut e_area = call.areas.take(words[6])?;
        let mut a =
            stub::take_bytes(call.areas, words[1], 1048576).argument("Source.several", "a")?;
        let len = words[0].cast_signed();
        let mut b = stub::BytesOut::new(&mut b_area.bytes, 200000);
        let mut d = PairList(stub::ListOut::new(&mut d_area, 4000));
        let mut e = String9List(stub::ListOut::new(&mut e_area, 1000));
        let (result, c) = service.several(call.caller, len, &mut a, &mut b, &mut d, &mut e)?;
        words[1] = stub::give_bytes(call.areas, words[1], a, 1048576, "Source.several")?;
        words[2] = result.cast_unsigned();
        b.finish_string("Source.several")?;
        words[3] = call.areas.put(words[3], b_area)?;
        words[4] = c.cast_unsigned();
        d.0.finish("Source.several")?;
        words[5] = call.areas.put(words[5], d_area)?;
        e.0.finish("Source.several")?;
        words[6] = call.areas.put(words[6], e_area)?;
        Ok(())
    }

    /// `Source.card`.
    #[inline(never)]
    fn op_4(service: &impl SourceService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut beside_area = call.areas.take(words[3])?;
        let len = words[0].cast_signed();
        let mut beside = stub::BytesOut::new(&mut beside_area.bytes, 1048576);
        let result = service.card(call.caller, len, &mut beside)?;
        words[1] = stub::put_string(call.areas, words[1], &result.name, 100, "Source.card")?;
        words[2] = stub::put_bytes(call.areas, words[2], &result.picture, 100000, "Source.card")?;
        words[3] = call.areas.put(words[3], beside_area)?;
        Ok(())
    }

    /// `Source.next`.
    #[inline(never)]
    fn op_5(service: &impl SourceService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut a_area = call.areas.take(words[2])?;
        let len = words[0].cast_signed();
        let mut a = stub::BytesOut::new(&mut a_area.bytes, 1048576);
        let result = service.next(call.caller, len, &mut a)?;
        words[1] = stub::make(call.made, result);
        words[2] = call.areas.put(words[2], a_area)?;
        Ok(())
    }

    /// `Source.sum`.
    #[inline]
    fn op_6(
        service: &impl SourceService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        a: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 1048576).argument("Source.sum", "a")?;
        let result = service.sum(caller, a)?;
        words[1] = result.cast_unsigned();
        Ok(())
    }

    /// `Source.bytes` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl SourceService,
        caller: &stub::Caller,
        len: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let len = len.cast_signed();
        let mut result = stub::BytesOut::new(result, 1048576);
        stub::carried("Source.bytes", || Ok(service.bytes(caller, len, &mut result)?))?;
        Ok(0)
    }

    /// `Source.text` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl SourceService,
        caller: &stub::Caller,
        len: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let len = len.cast_signed();
        let mut result = stub::BytesOut::new(result, 200000);
        stub::carried("Source.text", || Ok(service.text(caller, len, &mut result)?))?;
        result.finish_string("Source.text")?;
        Ok(0)
    }

    /// `Source.sum` in a plain session.
    #[inline(always)]
    fn plain_6(
        service: &impl SourceService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        a: &[u8],
    ) -> stub::One {
        let a = stub::bounded(a, 1048576).argument("Source.sum", "a")?;
        stub::carried("Source.sum", || service.sum(caller, a))
    }
}

