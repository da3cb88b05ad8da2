// Made from the interface `names`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `names`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x05\x00\x00\x00names\x00\x00\x00\x00D\x00\x00\x00Names that generated code, or \
    every type of a language, has already.\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x01\x00\x05\x00\x00\x00Clash\x00\x00\x00\x00\x00\x00\x0c\x00\x04\x00\x00\x00read\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x03\x14\x00\x00\x00\x00\x00\x04\x00\x05\x00\x00\x00words\x00\x01 \
    \x01\x05\x00\x00\x00piece\x00\x01 \x01\x06\x00\x00\x00caller\x00\x01 \x01\x06\x00\x00\x00porta\
    l\x00\x01 \x01\t\x00\x00\x00read_into\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\x14\x00\x00\x00\
    \x00\x00\x01\x00\x04\x00\x00\x00area\x00\x01 \x01\n\x00\x00\x00read_into_\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x03\x14\x00\x00\x00\x00\x00\x01\x00\x02\x00\x00\x00op\x00\x01 \x01\x04\x00\
    \x00\x00both\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\x08\x00\x00\x00\x00\x00\x01\x00\x05\x00\
    \x00\x00piece\x00\x03\x08\x00\x00\x00\x04\x00\x00\x00loud\x00\x00\x00\x00\x00\x00\x00\x00@\x00\
    \x04\n\x00\x00\x00\x00\x00\x03\x00\x07\x00\x00\x00outputs\x00\x01 \x01\x04\x00\x00\x00call\x01\
    \x01@\x01\x04\x00\x00\x00made\x02\x01 \x01\x05\x00\x00\x00sized\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x01 \x01\x00\x00\x02\x00\x05\x00\x00\x00words\x00\x04\n\x00\x00\x00\x04\x00\x00\x00c\
    all\x01\x01@\x01\x04\x00\x00\x00show\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\
    \x05\x00\x00\x00words\x02\x03\n\x00\x00\x00\x04\x00\x00\x00call\x01\x01 \x01\x04\x00\x00\x00ho\
    ld\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x02\x00\x07\x00\x00\x00portals\x00\
    \x06\x03\x00\x00\x00\x07\x00\x00\x04\x00\x00\x00call\x01\x01 \x01\x04\x00\x00\x00into\x00\x00\
    \x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x01 \x01\x08\x00\
    \x00\x00try_into\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x01\x00\x00\x00\
    a\x00\x01 \x01\t\x00\x00\x00_get_name\x00\x00\x00\x00\x00\x00\x00\x00C\x00\x03\t\x00\x00\x00\
    \x00\x00\x00\x00\t\x00\x00\x00_set_name\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\
    \x00\x05\x00\x00\x00value\x00\x03\t\x00\x00\x00\
    ";

/// What a service with the interface `Clash` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait ClashService: Send + Sync + 'static {
    /// The operation `read`.
    fn read(
        &self,
        caller: &stub::Caller,
        words_: i32,
        piece: i32,
        caller_: i32,
        portal: i32,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `read_into`.
    fn read_into(
        &self,
        caller: &stub::Caller,
        area: i32,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `read_into_`.
    fn read_into_(
        &self,
        caller: &stub::Caller,
        op: i32,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `both`.
    fn both(
        &self,
        caller: &stub::Caller,
        piece: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `loud`.
    fn loud(
        &self,
        caller: &stub::Caller,
        outputs_: i32,
        call_: &mut i64,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<i32, stub::Failure>;

    /// The operation `sized`.
    fn sized(
        &self,
        caller: &stub::Caller,
        words_: &[u8],
        call_: &mut i64,
    ) -> Result<i32, stub::Failure>;

    /// The operation `show`.
    fn show(
        &self,
        caller: &stub::Caller,
        call_: &mut i32,
        words_: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `hold`.
    fn hold(
        &self,
        caller: &stub::Caller,
        portals_: &[stub::PortalIn<'_, Clash>],
        call_: &mut i32,
    ) -> Result<i32, stub::Failure>;

    /// The operation `into`.
    fn into_(&self, caller: &stub::Caller, a: i32) -> Result<i32, stub::Failure>;

    /// The operation `try_into`.
    fn try_into_(&self, caller: &stub::Caller, a: i32) -> Result<i32, stub::Failure>;

    /// The operation `_get_name`.
    fn name(
        &self,
        caller: &stub::Caller,
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `_set_name`.
    fn set_name(&self, caller: &stub::Caller, value: &[u8]) -> Result<(), stub::Failure>;
}

/// The interface `Clash`.
///
/// A portal on an object of a [`ClashService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Clash {
    client: stub::Client,
    near: stub::Nearby<Clash>,
}

impl stub::Interface for Clash {
    type Service = dyn ClashService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Clash {
        Clash { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Clash {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ClashService) -> stub::Served<Clash> {
        stub::serve::<ClashServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Clash {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `read`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read(
        &self,
        words_: i32,
        piece: i32,
        caller_: i32,
        portal: i32,
    ) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.read_into__(words_, piece, caller_, portal, &mut result)?;
        Ok(result)
    }

    /// The operation `read`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into__(
        &self,
        words_: i32,
        piece: i32,
        caller_: i32,
        portal: i32,
        result: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 20);
            near.call(0, |service, caller| service.read(
                caller,
                words_,
                piece,
                caller_,
                portal,
                &mut result_area,
            ))?;
            result_area.finish_string("Clash.read")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::word(words_),
                stub::word(piece),
                stub::word(caller_),
                stub::word(portal),
                0,
                0,
            ];
            self.client.short_out(0, &mut words, &[], result)?;
            stub::bounded_string(result, 20).reply("Clash.read")?;
            Ok(())
        })
    }

    /// The operation `read_into`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into(&self, area: i32) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.read_into_into(area, &mut result)?;
        Ok(result)
    }

    /// The operation `read_into`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into_into(&self, area: i32, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 20);
            near.call(1, |service, caller| service.read_into(caller, area, &mut result_area))?;
            result_area.finish_string("Clash.read_into")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(area), 0, 0, 0, 0, 0];
            self.client.short_out(1, &mut words, &[], result)?;
            stub::bounded_string(result, 20).reply("Clash.read_into")?;
            Ok(())
        })
    }

    /// The operation `read_into_`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into_(&self, op: i32) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.read_into_into_(op, &mut result)?;
        Ok(result)
    }

    /// The operation `read_into_`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn read_into_into_(&self, op: i32, result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 20);
            near.call(2, |service, caller| service.read_into_(caller, op, &mut result_area))?;
            result_area.finish_string("Clash.read_into_")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(op), 0, 0, 0, 0, 0];
            self.client.short_out(2, &mut words, &[], result)?;
            stub::bounded_string(result, 20).reply("Clash.read_into_")?;
            Ok(())
        })
    }

    /// The operation `both`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn both(&self, piece: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.both_into(piece, &mut result)?;
        Ok(result)
    }

    /// The operation `both`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn both_into(&self, piece: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let piece = stub::bounded_string(piece, 8).argument("Clash.both", "piece")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 8);
            near.call(3, |service, caller| service.both(caller, piece, &mut result_area))?;
            result_area.finish_string("Clash.both")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, piece, 8).argument("Clash.both", "piece")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(3, &mut words, piece, result)?;
            stub::bounded_string(result, 8).reply("Clash.both")?;
            Ok(())
        })
    }

    /// The operation `loud`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn loud(&self, outputs_: i32, call_: &mut i64) -> Result<(Vec<u8>, i32), stub::Failure> {
        let mut result = Vec::new();
        let made_ = self.loud_into(outputs_, call_, &mut result)?;
        Ok((result, made_))
    }

    /// The operation `loud`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn loud_into(
        &self,
        outputs_: i32,
        call_: &mut i64,
        result: &mut Vec<u8>,
    ) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let mut call_area = *call_;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 10);
            let made_ = near.call(4, |service, caller| service.loud(
                caller,
                outputs_,
                &mut call_area,
                &mut result_area,
            ))?;
            *call_ = call_area;
            return Ok(made_);
        }
        stub::far(move || {
            let mut words = [stub::word(outputs_), (*call_).cast_unsigned(), 0, 0, 0, 0];
            self.client.short_out(4, &mut words, &[], result)?;
            stub::bounded(result, 10).reply("Clash.loud")?;
            let call_area = words[1].cast_signed();
            let made_ = stub::int::<i32>(words[3]).reply("Clash.loud")?;
            *call_ = call_area;
            Ok(made_)
        })
    }

    /// The operation `sized`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn sized(&self, words_: &[u8], call_: &mut i64) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let words_ = stub::bounded(words_, 10).argument("Clash.sized", "words")?;
            let mut call_area = *call_;
            let result = near.call(5, |service, caller| service.sized(
                caller,
                words_,
                &mut call_area,
            ))?;
            *call_ = call_area;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, words_, 10).argument("Clash.sized", "words")?,
                (*call_).cast_unsigned(),
                0,
                0,
                0,
                0,
            ];
            self.client.short(5, &mut words, words_)?;
            let call_area = words[1].cast_signed();
            let result = stub::int::<i32>(words[2]).reply("Clash.sized")?;
            *call_ = call_area;
            Ok(result)
        })
    }

    /// The operation `show`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn show(&self, call_: &mut i32) -> Result<Vec<u8>, stub::Failure> {
        let mut words_ = Vec::new();
        self.show_into(call_, &mut words_)?;
        Ok(words_)
    }

    /// The operation `show`, with `words` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn show_into(&self, call_: &mut i32, words_: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let mut call_area = *call_;
            words_.clear();
            let mut words_area = stub::BytesOut::new(words_, 10);
            near.call(6, |service, caller| service.show(caller, &mut call_area, &mut words_area))?;
            words_area.finish_string("Clash.show")?;
            *call_ = call_area;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(*call_), 0, 0, 0, 0, 0];
            self.client.short_out(6, &mut words, &[], words_)?;
            stub::bounded_string(words_, 10).reply("Clash.show")?;
            let call_area = stub::int::<i32>(words[0]).reply("Clash.show")?;
            *call_ = call_area;
            Ok(())
        })
    }

    /// The operation `hold`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn hold(&self, portals_: &[Clash], call_: &mut i32) -> Result<i32, stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let portals_area = stub::list_area(portals_, 3, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Clash.hold", "portals")?;
        let mut words = [stub::area(0), stub::word(*call_), 0];
        self.client.call(7, &mut words, &[stub::Input::List(&portals_area)], &mut [], &portals)?;
        let call_area = stub::int::<i32>(words[1]).reply("Clash.hold")?;
        let result = stub::int::<i32>(words[2]).reply("Clash.hold")?;
        *call_ = call_area;
        Ok(result)
    }

    /// The operation `into`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn into_(&self, a: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(8, |service, caller| service.into_(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(8, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Clash.into")?;
            Ok(result)
        })
    }

    /// The operation `try_into`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn try_into_(&self, a: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(9, |service, caller| service.try_into_(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(9, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Clash.try_into")?;
            Ok(result)
        })
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
            near.call(10, |service, caller| service.name(caller, &mut result_area))?;
            result_area.finish_string("Clash._get_name")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(10, &mut words, &[], result)?;
            stub::bounded_string(result, 9).reply("Clash._get_name")?;
            Ok(())
        })
    }

    /// The operation `_set_name`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_name(&self, value: &[u8]) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let value = stub::bounded_string(value, 9).argument("Clash._set_name", "value")?;
            near.call(11, |service, caller| service.set_name(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, value, 9).argument("Clash._set_name", "value")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(11, &mut words, value)?;
            Ok(())
        })
    }
}

/// An object of a [`ClashService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClashAt(pub stub::Number);

impl From<stub::Number> for ClashAt {
    fn from(number: stub::Number) -> ClashAt {
        ClashAt(number)
    }
}

impl From<ClashAt> for stub::Number {
    fn from(at: ClashAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ClashAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ClashService) -> stub::Kept<ClashAt> {
        stub::keep::<ClashServer, _, _>(service)
    }

    /// The operation `read_into`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn read_into<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        area: i32,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Clash, 0, 5, 5>(self.0, channel, 1, stub::word(area), place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 20).reply("Clash.read_into")?;
        Ok(result)
    }

    /// The operation `read_into_`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn read_into_<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        op: i32,
    ) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Clash, 0, 5, 5>(self.0, channel, 2, stub::word(op), place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 20).reply("Clash.read_into_")?;
        Ok(result)
    }

    /// The operation `loud`.
    ///
    /// # Errors
    /// Why the call failed.
    /// What `call` holds then means nothing.
    #[inline]
    pub fn loud<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        outputs_: i32,
        call_: &mut i64,
    ) -> Result<(&'c [u8], i32), stub::Failure> {
        let made_ = stub::call_out::<Clash, 0, 1, 5>(
            self.0,
            channel,
            4,
            stub::word(outputs_),
            call_,
            0,
        )?;
        let made_ = stub::int::<i32>(made_.cast_unsigned()).reply("Clash.loud")?;
        let result = stub::bounded(stub::Channel::reply(channel), 10).reply("Clash.loud")?;
        Ok((result, made_))
    }

    /// The operation `sized`.
    ///
    /// # Errors
    /// Why the call failed.
    /// What `call` holds then means nothing.
    #[inline]
    pub fn sized(
        self,
        channel: &mut impl stub::Channel,
        words_: &[u8],
        call_: &mut i64,
    ) -> Result<i32, stub::Failure> {
        let result = stub::call_in::<Clash, 5, 1, 5, 0>(self.0, channel, 5, 0, call_, 0, words_)?;
        let result = stub::int::<i32>(result.cast_unsigned()).reply("Clash.sized")?;
        Ok(result)
    }

    /// The operation `into`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn into_(self, channel: &mut impl stub::Channel, a: i32) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Clash, 1>(self.0, channel, 8, [a])?;
        Ok(result)
    }

    /// The operation `try_into`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn try_into_(self, channel: &mut impl stub::Channel, a: i32) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Clash, 1>(self.0, channel, 9, [a])?;
        Ok(result)
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn name<'c>(self, channel: &'c mut impl stub::Channel) -> Result<&'c [u8], stub::Failure> {
        let place = &mut 0;
        stub::call_out::<Clash, 5, 5, 5>(self.0, channel, 10, 0, place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 9).reply("Clash._get_name")?;
        Ok(result)
    }

    /// The operation `_set_name`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_name(
        self,
        channel: &mut impl stub::Channel,
        value: &[u8],
    ) -> Result<(), stub::Failure> {
        let place = &mut 0;
        stub::call_in::<Clash, 5, 5, 5, 0>(self.0, channel, 11, 0, place, 0, value)?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct ClashServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: ClashService> stub::Dispatch<S> for ClashServer {
    type Interface = Clash;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Clash>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => {
                let mut area = call.take(4)?;
                Self::op_0(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(4, area)
            }
            1 => {
                let mut area = call.take(1)?;
                Self::op_1(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            2 => {
                let mut area = call.take(1)?;
                Self::op_2(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            3 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Clash.both", "piece")?;
                Self::op_3(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            4 => {
                let mut area = call.take(2)?;
                Self::op_4(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(2, area)
            }
            5 => {
                let piece =
                    stub::piece(call.areas, call.words, 0).argument("Clash.sized", "words")?;
                Self::op_5(service, call.caller, stub::block(call.words)?, piece)
            }
            6 => {
                let mut area = call.take(1)?;
                Self::op_6(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            7 => Self::op_7(service, call),
            8 => Self::op_8(service, call.caller, stub::block(call.words)?),
            9 => Self::op_9(service, call.caller, stub::block(call.words)?),
            10 => {
                let mut area = call.take(0)?;
                Self::op_10(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(0, area)
            }
            11 => {
                let piece =
                    stub::piece(call.areas, call.words, 0).argument("Clash._set_name", "value")?;
                Self::op_11(service, call.caller, stub::block(call.words)?, piece)
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
            8 => Self::op_8(service, caller, stub::head(words)?),
            9 => Self::op_9(service, caller, stub::head(words)?),
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
            11 => Self::op_11(service, caller, stub::head(words)?, piece),
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
            0 => Self::op_0(service, caller, stub::head(words)?, out),
            1 => Self::op_1(service, caller, stub::head(words)?, out),
            2 => Self::op_2(service, caller, stub::head(words)?, out),
            3 => Self::op_3(service, caller, stub::head(words)?, piece, out),
            4 => Self::op_4(service, caller, stub::head(words)?, out),
            6 => Self::op_6(service, caller, stub::head(words)?, out),
            10 => Self::op_10(service, caller, stub::head(words)?, out),
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
            8 => Self::plain_8(service, caller, [w0, w1, w2, w3]),
            9 => Self::plain_9(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            5 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 1, 5, 0>()?;
                Self::plain_5(service, caller, w0, place, w1, piece)
            }
            11 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_11(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            1 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_1(service, caller, w0, place, w1, out)
            }
            2 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_2(service, caller, w0, place, w1, out)
            }
            4 => {
                let (caller, w0, place, w1, out) = from.take::<0, 1, 5>();
                Self::plain_4(service, caller, w0, place, w1, out)
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
            8 => Self::narrow_8(service, caller, [w0, w1, w2, w3]),
            9 => Self::narrow_9(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ClashServer {
    /// `Clash.read`.
    #[inline]
    fn op_0(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 5],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let words_ = stub::int::<i32>(words[0]).argument("Clash.read", "words")?;
        let piece = stub::int::<i32>(words[1]).argument("Clash.read", "piece")?;
        let caller_ = stub::int::<i32>(words[2]).argument("Clash.read", "caller")?;
        let portal = stub::int::<i32>(words[3]).argument("Clash.read", "portal")?;
        let mut result = stub::BytesOut::new(result_area, 20);
        service.read(caller, words_, piece, caller_, portal, &mut result)?;
        result.finish_string("Clash.read")?;
        Ok(())
    }

    /// `Clash.read_into`.
    #[inline]
    fn op_1(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let area = stub::int::<i32>(words[0]).argument("Clash.read_into", "area")?;
        let mut result = stub::BytesOut::new(result_area, 20);
        service.read_into(caller, area, &mut result)?;
        result.finish_string("Clash.read_into")?;
        Ok(())
    }

    /// `Clash.read_into_`.
    #[inline]
    fn op_2(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let op = stub::int::<i32>(words[0]).argument("Clash.read_into_", "op")?;
        let mut result = stub::BytesOut::new(result_area, 20);
        service.read_into_(caller, op, &mut result)?;
        result.finish_string("Clash.read_into_")?;
        Ok(())
    }

    /// `Clash.both`.
    #[inline]
    fn op_3(
        service: &impl ClashService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        piece: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let piece = stub::bounded_string(piece, 8).argument("Clash.both", "piece")?;
        let mut result = stub::BytesOut::new(result_area, 8);
        service.both(caller, piece, &mut result)?;
        result.finish_string("Clash.both")?;
        Ok(())
    }

    /// `Clash.loud`.
    #[inline]
    fn op_4(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let outputs_ = stub::int::<i32>(words[0]).argument("Clash.loud", "outputs")?;
        let call_ = stub::in_place(&mut words[1]);
        let mut result = stub::BytesOut::new(result_area, 10);
        let made_ = service.loud(caller, outputs_, call_, &mut result)?;
        words[3] = stub::word(made_);
        Ok(())
    }

    /// `Clash.sized`.
    #[inline]
    fn op_5(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
        words_: &[u8],
    ) -> Result<(), stub::Failure> {
        let words_ = stub::bounded(words_, 10).argument("Clash.sized", "words")?;
        let call_ = stub::in_place(&mut words[1]);
        let result = service.sized(caller, words_, call_)?;
        words[2] = stub::word(result);
        Ok(())
    }

    /// `Clash.show`.
    #[inline]
    fn op_6(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        words_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut call_ = stub::int::<i32>(words[0]).argument("Clash.show", "call")?;
        let mut words_ = stub::BytesOut::new(words_area, 10);
        service.show(caller, &mut call_, &mut words_)?;
        words[0] = stub::word(call_);
        words_.finish_string("Clash.show")?;
        Ok(())
    }

    /// `Clash.hold`.
    #[inline(never)]
    fn op_7(service: &impl ClashService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let portals_ = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| Ok(stub::portal_in::<Clash>(call.portals, words[0])?))
            .argument("Clash.hold", "portals")?;
        let mut call_ = stub::int::<i32>(words[1]).argument("Clash.hold", "call")?;
        let result = service.hold(call.caller, &portals_, &mut call_)?;
        words[1] = stub::word(call_);
        words[2] = stub::word(result);
        Ok(())
    }

    /// `Clash.into`.
    #[inline]
    fn op_8(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Clash.into", "a")?;
        let result = service.into_(caller, a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Clash.try_into`.
    #[inline]
    fn op_9(
        service: &impl ClashService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Clash.try_into", "a")?;
        let result = service.try_into_(caller, a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Clash._get_name`.
    #[inline]
    fn op_10(
        service: &impl ClashService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut result = stub::BytesOut::new(result_area, 9);
        service.name(caller, &mut result)?;
        result.finish_string("Clash._get_name")?;
        Ok(())
    }

    /// `Clash._set_name`.
    #[inline]
    fn op_11(
        service: &impl ClashService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        value: &[u8],
    ) -> Result<(), stub::Failure> {
        let value = stub::bounded_string(value, 9).argument("Clash._set_name", "value")?;
        service.set_name(caller, value)?;
        Ok(())
    }

    /// `Clash.read_into` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl ClashService,
        caller: &stub::Caller,
        area: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let area = stub::int::<i32>(area).argument("Clash.read_into", "area")?;
        let mut result = stub::BytesOut::new(result, 20);
        stub::carried("Clash.read_into", || Ok(service.read_into(caller, area, &mut result)?))?;
        result.finish_string("Clash.read_into")?;
        Ok(0)
    }

    /// `Clash.read_into_` in a plain session.
    #[inline(always)]
    fn plain_2(
        service: &impl ClashService,
        caller: &stub::Caller,
        op: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let op = stub::int::<i32>(op).argument("Clash.read_into_", "op")?;
        let mut result = stub::BytesOut::new(result, 20);
        stub::carried("Clash.read_into_", || Ok(service.read_into_(caller, op, &mut result)?))?;
        result.finish_string("Clash.read_into_")?;
        Ok(0)
    }

    /// `Clash.loud` in a plain session.
    #[inline(always)]
    fn plain_4(
        service: &impl ClashService,
        caller: &stub::Caller,
        outputs_: u64,
        call_: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let outputs_ = stub::int::<i32>(outputs_).argument("Clash.loud", "outputs")?;
        let mut result = stub::BytesOut::new(result, 10);
        let made_ = stub::carried("Clash.loud", || Ok(service.loud(caller, outputs_, call_, &mut result)?))?;
        Ok(stub::word(made_).cast_signed())
    }

    /// `Clash.sized` in a plain session.
    #[inline(always)]
    fn plain_5(
        service: &impl ClashService,
        caller: &stub::Caller,
        _: u64,
        call_: &mut i64,
        _: u64,
        words_: &[u8],
    ) -> stub::One {
        let words_ = stub::bounded(words_, 10).argument("Clash.sized", "words")?;
        let result = stub::carried("Clash.sized", || Ok(service.sized(caller, words_, call_)?))?;
        Ok(stub::word(result).cast_signed())
    }

    /// `Clash.into` in a plain session.
    #[inline(always)]
    fn plain_8(service: &impl ClashService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = stub::int::<i32>(a).argument("Clash.into", "a")?;
        stub::widened(Self::narrow_8(service, caller, [a, 0, 0, 0]))
    }

    /// `Clash.into` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_8(
        service: &impl ClashService,
        caller: &stub::Caller,
        [a, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Clash.into", || Ok(service.into_(caller, a)?))?;
        Ok((result, 0))
    }

    /// `Clash.try_into` in a plain session.
    #[inline(always)]
    fn plain_9(service: &impl ClashService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = stub::int::<i32>(a).argument("Clash.try_into", "a")?;
        stub::widened(Self::narrow_9(service, caller, [a, 0, 0, 0]))
    }

    /// `Clash.try_into` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_9(
        service: &impl ClashService,
        caller: &stub::Caller,
        [a, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Clash.try_into", || Ok(service.try_into_(caller, a)?))?;
        Ok((result, 0))
    }

    /// `Clash._get_name` in a plain session.
    #[inline(always)]
    fn plain_10(
        service: &impl ClashService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let mut result = stub::BytesOut::new(result, 9);
        stub::carried("Clash._get_name", || Ok(service.name(caller, &mut result)?))?;
        result.finish_string("Clash._get_name")?;
        Ok(0)
    }

    /// `Clash._set_name` in a plain session.
    #[inline(always)]
    fn plain_11(
        service: &impl ClashService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        value: &[u8],
    ) -> stub::One {
        let value = stub::bounded_string(value, 9).argument("Clash._set_name", "value")?;
        stub::carried("Clash._set_name", || Ok(service.set_name(caller, value)?))?;
        Ok(0)
    }
}

