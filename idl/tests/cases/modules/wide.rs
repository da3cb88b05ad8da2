// Made from the interface `wide`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `wide`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x04\x00\x00\x00wide\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x01\x00\x05\x00\x00\x00Pages\x00\x00\x00\x00\x08\x00\x01\x00\x00\x00a\x0b\x00\x10\x00\x00\
    \x01\x08\x00\x01\x00\x00\x00b\x0b\x00\x10\x00\x00\x01\x08\x00\x01\x00\x00\x00c\x0b\x00\x10\x00\
    \x00\x01\x08\x00\x01\x00\x00\x00d\x0b\x00\x10\x00\x00\x01\x08\x00\x01\x00\x00\x00e\x0b\x00\x10\
    \x00\x00\x01\x08\x00\x01\x00\x00\x00f\x0b\x00\x10\x00\x00\x01\x08\x00\x01\x00\x00\x00g\x0b\x00\
    \x10\x00\x00\x01\x08\x00\x01\x00\x00\x00h\x0b\x00\x10\x00\x00\x01\x08\x00\x00\x00\x00\x00\x01\
    \x00\x04\x00\x00\x00Wide\x00\x00\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00turn\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x01\x00\x00\x00a\x00\x05\x00\x00\x01\x00\x00\x00b\x00\
    \x05\x00\x00\x01\x00\x00\x00c\x00\x05\x00\x00\x01\x00\x00\x00d\x00\x05\x00\x00\x01\x00\x00\x00\
    e\x02\x05\x00\x00\x01\x00\x00\x00f\x02\x05\x00\x00\x01\x00\x00\x00g\x02\x05\x00\x00\x01\x00\
    \x00\x00h\x02\x05\x00\x00\x04\x00\x00\x00list\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x08\x00\
    \x00\x00\x05\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00pages\x00\x06\x08\x00\x00\x00\x05\x00\x00\
    ";

/// The struct `Pages`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages {
    /// `a`.
    pub a: [u8; 4096],
    /// `b`.
    pub b: [u8; 4096],
    /// `c`.
    pub c: [u8; 4096],
    /// `d`.
    pub d: [u8; 4096],
    /// `e`.
    pub e: [u8; 4096],
    /// `f`.
    pub f: [u8; 4096],
    /// `g`.
    pub g: [u8; 4096],
    /// `h`.
    pub h: [u8; 4096],
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pages {
    fn read(words: &[u64; 8], area: &stub::Area) -> Result<Pages, stub::Wrong> {
        Ok(Pages {
            a: stub::array(stub::field_bytes(area, words[0], 4096))?,
            b: stub::array(stub::field_bytes(area, words[1], 4096))?,
            c: stub::array(stub::field_bytes(area, words[2], 4096))?,
            d: stub::array(stub::field_bytes(area, words[3], 4096))?,
            e: stub::array(stub::field_bytes(area, words[4], 4096))?,
            f: stub::array(stub::field_bytes(area, words[5], 4096))?,
            g: stub::array(stub::field_bytes(area, words[6], 4096))?,
            h: stub::array(stub::field_bytes(area, words[7], 4096))?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pages {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 8], stub::Wrong> {
        Ok([
            stub::add_bytes(area, &self.a, 4096)?,
            stub::add_bytes(area, &self.b, 4096)?,
            stub::add_bytes(area, &self.c, 4096)?,
            stub::add_bytes(area, &self.d, 4096)?,
            stub::add_bytes(area, &self.e, 4096)?,
            stub::add_bytes(area, &self.f, 4096)?,
            stub::add_bytes(area, &self.g, 4096)?,
            stub::add_bytes(area, &self.h, 4096)?,
        ])
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct PagesList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PagesList<'_> {
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
    pub fn push(
        &mut self,
        a: &[u8; 4096],
        b: &[u8; 4096],
        c: &[u8; 4096],
        d: &[u8; 4096],
        e: &[u8; 4096],
        f: &[u8; 4096],
        g: &[u8; 4096],
        h: &[u8; 4096],
    ) -> bool {
        self.0.push(|area| {
            Ok([
                stub::add_bytes(area, a, 4096)?,
                stub::add_bytes(area, b, 4096)?,
                stub::add_bytes(area, c, 4096)?,
                stub::add_bytes(area, d, 4096)?,
                stub::add_bytes(area, e, 4096)?,
                stub::add_bytes(area, f, 4096)?,
                stub::add_bytes(area, g, 4096)?,
                stub::add_bytes(area, h, 4096)?,
            ])
        })
    }
}

/// What a service with the interface `Wide` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait WideService: Send + Sync + 'static {
    /// The operation `turn`.
    fn turn(
        &self,
        caller: &stub::Caller,
        a: &Pages,
        b: &Pages,
        c: &Pages,
        d: &Pages,
    ) -> Result<(Pages, Pages, Pages, Pages), stub::Failure>;

    /// The operation `list`.
    fn list(
        &self,
        caller: &stub::Caller,
        pages: &[Pages],
        result: &mut PagesList<'_>,
    ) -> Result<(), stub::Failure>;
}

/// The interface `Wide`.
///
/// A portal on an object of a [`WideService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Wide {
    client: stub::Client,
}

impl stub::Interface for Wide {
    type Service = dyn WideService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Wide {
        Wide { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Wide {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl WideService) -> stub::Served<Wide> {
        stub::serve::<WideServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Wide {
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
    pub fn turn(
        &self,
        a: &Pages,
        b: &Pages,
        c: &Pages,
        d: &Pages,
    ) -> Result<(Pages, Pages, Pages, Pages), stub::Failure> {
        let mut words = [
            stub::bytes_word(0, &a.a, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(1, &a.b, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(2, &a.c, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(3, &a.d, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(4, &a.e, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(5, &a.f, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(6, &a.g, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(7, &a.h, 4096).argument("Wide.turn", "a")?,
            stub::bytes_word(8, &b.a, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(9, &b.b, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(10, &b.c, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(11, &b.d, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(12, &b.e, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(13, &b.f, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(14, &b.g, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(15, &b.h, 4096).argument("Wide.turn", "b")?,
            stub::bytes_word(16, &c.a, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(17, &c.b, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(18, &c.c, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(19, &c.d, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(20, &c.e, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(21, &c.f, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(22, &c.g, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(23, &c.h, 4096).argument("Wide.turn", "c")?,
            stub::bytes_word(24, &d.a, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(25, &d.b, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(26, &d.c, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(27, &d.d, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(28, &d.e, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(29, &d.f, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(30, &d.g, 4096).argument("Wide.turn", "d")?,
            stub::bytes_word(31, &d.h, 4096).argument("Wide.turn", "d")?,
            stub::area(32),
            stub::area(33),
            stub::area(34),
            stub::area(35),
            stub::area(36),
            stub::area(37),
            stub::area(38),
            stub::area(39),
            stub::area(40),
            stub::area(41),
            stub::area(42),
            stub::area(43),
            stub::area(44),
            stub::area(45),
            stub::area(46),
            stub::area(47),
            stub::area(48),
            stub::area(49),
            stub::area(50),
            stub::area(51),
            stub::area(52),
            stub::area(53),
            stub::area(54),
            stub::area(55),
            stub::area(56),
            stub::area(57),
            stub::area(58),
            stub::area(59),
            stub::area(60),
            stub::area(61),
            stub::area(62),
            stub::area(63),
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(
            0,
            &mut words,
            &[stub::Input::Bytes(&a.a), stub::Input::Bytes(&a.b), stub::Input::Bytes(&a.c), stub::Input::Bytes(&a.d), stub::Input::Bytes(&a.e), stub::Input::Bytes(&a.f), stub::Input::Bytes(&a.g), stub::Input::Bytes(&a.h), stub::Input::Bytes(&b.a), stub::Input::Bytes(&b.b), stub::Input::Bytes(&b.c), stub::Input::Bytes(&b.d), stub::Input::Bytes(&b.e), stub::Input::Bytes(&b.f), stub::Input::Bytes(&b.g), stub::Input::Bytes(&b.h), stub::Input::Bytes(&c.a), stub::Input::Bytes(&c.b), stub::Input::Bytes(&c.c), stub::Input::Bytes(&c.d), stub::Input::Bytes(&c.e), stub::Input::Bytes(&c.f), stub::Input::Bytes(&c.g), stub::Input::Bytes(&c.h), stub::Input::Bytes(&d.a), stub::Input::Bytes(&d.b), stub::Input::Bytes(&d.c), stub::Input::Bytes(&d.d), stub::Input::Bytes(&d.e), stub::Input::Bytes(&d.f), stub::Input::Bytes(&d.g), stub::Input::Bytes(&d.h)],
            &mut outputs,
            &[],
        )?;
        let e = Pages {
            a: stub::array(stub::bytes_output(&mut outputs[0], 4096)).reply("Wide.turn")?,
            b: stub::array(stub::bytes_output(&mut outputs[1], 4096)).reply("Wide.turn")?,
            c: stub::array(stub::bytes_output(&mut outputs[2], 4096)).reply("Wide.turn")?,
            d: stub::array(stub::bytes_output(&mut outputs[3], 4096)).reply("Wide.turn")?,
            e: stub::array(stub::bytes_output(&mut outputs[4], 4096)).reply("Wide.turn")?,
            f: stub::array(stub::bytes_output(&mut outputs[5], 4096)).reply("Wide.turn")?,
            g: stub::array(stub::bytes_output(&mut outputs[6], 4096)).reply("Wide.turn")?,
            h: stub::array(stub::bytes_output(&mut outputs[7], 4096)).reply("Wide.turn")?,
        };
        let f = Pages {
            a: stub::array(stub::bytes_output(&mut outputs[8], 4096)).reply("Wide.turn")?,
            b: stub::array(stub::bytes_output(&mut outputs[9], 4096)).reply("Wide.turn")?,
            c: stub::array(stub::bytes_output(&mut outputs[10], 4096)).reply("Wide.turn")?,
            d: stub::array(stub::bytes_output(&mut outputs[11], 4096)).reply("Wide.turn")?,
            e: stub::array(stub::bytes_output(&mut outputs[12], 4096)).reply("Wide.turn")?,
            f: stub::array(stub::bytes_output(&mut outputs[13], 4096)).reply("Wide.turn")?,
            g: stub::array(stub::bytes_output(&mut outputs[14], 4096)).reply("Wide.turn")?,
            h: stub::array(stub::bytes_output(&mut outputs[15], 4096)).reply("Wide.turn")?,
        };
        let g = Pages {
            a: stub::array(stub::bytes_output(&mut outputs[16], 4096)).reply("Wide.turn")?,
            b: stub::array(stub::bytes_output(&mut outputs[17], 4096)).reply("Wide.turn")?,
            c: stub::array(stub::bytes_output(&mut outputs[18], 4096)).reply("Wide.turn")?,
            d: stub::array(stub::bytes_output(&mut outputs[19], 4096)).reply("Wide.turn")?,
            e: stub::array(stub::bytes_output(&mut outputs[20], 4096)).reply("Wide.turn")?,
            f: stub::array(stub::bytes_output(&mut outputs[21], 4096)).reply("Wide.turn")?,
            g: stub::array(stub::bytes_output(&mut outputs[22], 4096)).reply("Wide.turn")?,
            h: stub::array(stub::bytes_output(&mut outputs[23], 4096)).reply("Wide.turn")?,
        };
        let h = Pages {
            a: stub::array(stub::bytes_output(&mut outputs[24], 4096)).reply("Wide.turn")?,
            b: stub::array(stub::bytes_output(&mut outputs[25], 4096)).reply("Wide.turn")?,
            c: stub::array(stub::bytes_output(&mut outputs[26], 4096)).reply("Wide.turn")?,
            d: stub::array(stub::bytes_output(&mut outputs[27], 4096)).reply("Wide.turn")?,
            e: stub::array(stub::bytes_output(&mut outputs[28], 4096)).reply("Wide.turn")?,
            f: stub::array(stub::bytes_output(&mut outputs[29], 4096)).reply("Wide.turn")?,
            g: stub::array(stub::bytes_output(&mut outputs[30], 4096)).reply("Wide.turn")?,
            h: stub::array(stub::bytes_output(&mut outputs[31], 4096)).reply("Wide.turn")?,
        };
        Ok((e, f, g, h))
    }

    /// The operation `list`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn list(&self, pages: &[Pages]) -> Result<Vec<Pages>, stub::Failure> {
        let pages_area = stub::list_area(pages, 8, Pages::write).argument("Wide.list", "pages")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[stub::Input::List(&pages_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 8, Pages::read).reply("Wide.list")?;
        Ok(result)
    }

    /// The operation `list`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn list_into(&self, pages: &[Pages], result: &mut Vec<Pages>) -> Result<(), stub::Failure> {
        let pages_area = stub::list_area(pages, 8, Pages::write).argument("Wide.list", "pages")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(1, &mut words, &[stub::Input::List(&pages_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 8, Pages::read, result).reply("Wide.list")?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct WideServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: WideService> stub::Dispatch<S> for WideServer {
    type Interface = Wide;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Wide>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl WideServer {
    /// `Wide.turn`.
    #[inline(never)]
    fn op_0(service: &impl WideService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let a = Pages {
            a: stub::array(stub::bytes(call.areas, words[0], 4096)).argument("Wide.turn", "a")?,
            b: stub::array(stub::bytes(call.areas, words[1], 4096)).argument("Wide.turn", "a")?,
            c: stub::array(stub::bytes(call.areas, words[2], 4096)).argument("Wide.turn", "a")?,
            d: stub::array(stub::bytes(call.areas, words[3], 4096)).argument("Wide.turn", "a")?,
            e: stub::array(stub::bytes(call.areas, words[4], 4096)).argument("Wide.turn", "a")?,
            f: stub::array(stub::bytes(call.areas, words[5], 4096)).argument("Wide.turn", "a")?,
            g: stub::array(stub::bytes(call.areas, words[6], 4096)).argument("Wide.turn", "a")?,
            h: stub::array(stub::bytes(call.areas, words[7], 4096)).argument("Wide.turn", "a")?,
        };
        let b = Pages {
            a: stub::array(stub::bytes(call.areas, words[8], 4096)).argument("Wide.turn", "b")?,
            b: stub::array(stub::bytes(call.areas, words[9], 4096)).argument("Wide.turn", "b")?,
            c: stub::array(stub::bytes(call.areas, words[10], 4096)).argument("Wide.turn", "b")?,
            d: stub::array(stub::bytes(call.areas, words[11], 4096)).argument("Wide.turn", "b")?,
            e: stub::array(stub::bytes(call.areas, words[12], 4096)).argument("Wide.turn", "b")?,
            f: stub::array(stub::bytes(call.areas, words[13], 4096)).argument("Wide.turn", "b")?,
            g: stub::array(stub::bytes(call.areas, words[14], 4096)).argument("Wide.turn", "b")?,
            h: stub::array(stub::bytes(call.areas, words[15], 4096)).argument("Wide.turn", "b")?,
        };
        let c = Pages {
            a: stub::array(stub::bytes(call.areas, words[16], 4096)).argument("Wide.turn", "c")?,
            b: stub::array(stub::bytes(call.areas, words[17], 4096)).argument("Wide.turn", "c")?,
            c: stub::array(stub::bytes(call.areas, words[18], 4096)).argument("Wide.turn", "c")?,
            d: stub::array(stub::bytes(call.areas, words[19], 4096)).argument("Wide.turn", "c")?,
            e: stub::array(stub::bytes(call.areas, words[20], 4096)).argument("Wide.turn", "c")?,
            f: stub::array(stub::bytes(call.areas, words[21], 4096)).argument("Wide.turn", "c")?,
            g: stub::array(stub::bytes(call.areas, words[22], 4096)).argument("Wide.turn", "c")?,
            h: stub::array(stub::bytes(call.areas, words[23], 4096)).argument("Wide.turn", "c")?,
        };
        let d = Pages {
            a: stub::array(stub::bytes(call.areas, words[24], 4096)).argument("Wide.turn", "d")?,
            b: stub::array(stub::bytes(call.areas, words[25], 4096)).argument("Wide.turn", "d")?,
            c: stub::array(stub::bytes(call.areas, words[26], 4096)).argument("Wide.turn", "d")?,
            d: stub::array(stub::bytes(call.areas, words[27], 4096)).argument("Wide.turn", "d")?,
            e: stub::array(stub::bytes(call.areas, words[28], 4096)).argument("Wide.turn", "d")?,
            f: stub::array(stub::bytes(call.areas, words[29], 4096)).argument("Wide.turn", "d")?,
            g: stub::array(stub::bytes(call.areas, words[30], 4096)).argument("Wide.turn", "d")?,
            h: stub::array(stub::bytes(call.areas, words[31], 4096)).argument("Wide.turn", "d")?,
        };
        let (e, f, g, h) = service.turn(call.caller, &a, &b, &c, &d)?;
        words[32] = stub::put_bytes(call.areas, words[32], &e.a, 4096, "Wide.turn")?;
        words[33] = stub::put_bytes(call.areas, words[33], &e.b, 4096, "Wide.turn")?;
        words[34] = stub::put_bytes(call.areas, words[34], &e.c, 4096, "Wide.turn")?;
        words[35] = stub::put_bytes(call.areas, words[35], &e.d, 4096, "Wide.turn")?;
        words[36] = stub::put_bytes(call.areas, words[36], &e.e, 4096, "Wide.turn")?;
        words[37] = stub::put_bytes(call.areas, words[37], &e.f, 4096, "Wide.turn")?;
        words[38] = stub::put_bytes(call.areas, words[38], &e.g, 4096, "Wide.turn")?;
        words[39] = stub::put_bytes(call.areas, words[39], &e.h, 4096, "Wide.turn")?;
        words[40] = stub::put_bytes(call.areas, words[40], &f.a, 4096, "Wide.turn")?;
        words[41] = stub::put_bytes(call.areas, words[41], &f.b, 4096, "Wide.turn")?;
        words[42] = stub::put_bytes(call.areas, words[42], &f.c, 4096, "Wide.turn")?;
        words[43] = stub::put_bytes(call.areas, words[43], &f.d, 4096, "Wide.turn")?;
        words[44] = stub::put_bytes(call.areas, words[44], &f.e, 4096, "Wide.turn")?;
        words[45] = stub::put_bytes(call.areas, words[45], &f.f, 4096, "Wide.turn")?;
        words[46] = stub::put_bytes(call.areas, words[46], &f.g, 4096, "Wide.turn")?;
        words[47] = stub::put_bytes(call.areas, words[47], &f.h, 4096, "Wide.turn")?;
        words[48] = stub::put_bytes(call.areas, words[48], &g.a, 4096, "Wide.turn")?;
        words[49] = stub::put_bytes(call.areas, words[49], &g.b, 4096, "Wide.turn")?;
        words[50] = stub::put_bytes(call.areas, words[50], &g.c, 4096, "Wide.turn")?;
        words[51] = stub::put_bytes(call.areas, words[51], &g.d, 4096, "Wide.turn")?;
        words[52] = stub::put_bytes(call.areas, words[52], &g.e, 4096, "Wide.turn")?;
        words[53] = stub::put_bytes(call.areas, words[53], &g.f, 4096, "Wide.turn")?;
        words[54] = stub::put_bytes(call.areas, words[54], &g.g, 4096, "Wide.turn")?;
        words[55] = stub::put_bytes(call.areas, words[55], &g.h, 4096, "Wide.turn")?;
        words[56] = stub::put_bytes(call.areas, words[56], &h.a, 4096, "Wide.turn")?;
        words[57] = stub::put_bytes(call.areas, words[57], &h.b, 4096, "Wide.turn")?;
        words[58] = stub::put_bytes(call.areas, words[58], &h.c, 4096, "Wide.turn")?;
        words[59] = stub::put_bytes(call.areas, words[59], &h.d, 4096, "Wide.turn")?;
        words[60] = stub::put_bytes(call.areas, words[60], &h.e, 4096, "Wide.turn")?;
        words[61] = stub::put_bytes(call.areas, words[61], &h.f, 4096, "Wide.turn")?;
        words[62] = stub::put_bytes(call.areas, words[62], &h.g, 4096, "Wide.turn")?;
        words[63] = stub::put_bytes(call.areas, words[63], &h.h, 4096, "Wide.turn")?;
        Ok(())
    }

    /// `Wide.list`.
    #[inline(never)]
    fn op_1(service: &impl WideService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let pages =
            stub::list_in(call.areas, words[0], 8, Pages::read).argument("Wide.list", "pages")?;
        let mut result = PagesList(stub::ListOut::new(&mut result_area, 8));
        service.list(call.caller, &pages, &mut result)?;
        result.0.finish("Wide.list")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }
}

