// Made from the interface `sharing`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `sharing`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x07\x00\x00\x00sharing\x00\x00\x00\x00`\x00\x00\x00As many references as there \
    are words, for messages with which many of them name the same bytes.\x00\x00\x00\x00\x00\x00\
    \x00\x00\x01\x00\x04\x00\x00\x00Rows\x00\x00\x00\x00\x01\x00\x03\x00\x00\x00all\x0b<\x00\x00\
    \x00\x06\x00\x00\x01\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00Taker\x00\
    \x00\x00\x00\x00\x00\x05\x00\x04\x00\x00\x00rows\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\
    \x00\x00\x01\x00\x01\x00\x00\x00a\x00\x05\x00\x00\x05\x00\x00\x00given\x00\x00\x00\x00\x00\x00\
    \x00\x00@\x00\x05\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00texts\x00\x00\x00\x00\x00\x00\x00\x00\
    @\x00\x01 \x01\x00\x00\x04\x00\x01\x00\x00\x00a\x00\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\
    \x01\x00\x00\x00b\x00\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\x01\x00\x00\x00c\x00\x06\x00\x00\
    \x01\x00\x03\x00\x10\x00\x00\x01\x00\x00\x00d\x00\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\x04\
    \x00\x00\x00told\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\
    \x00\x00\x03\x00\x01\x00\x00\x00a\x02\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\x01\x00\x00\x00b\
    \x02\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\x01\x00\x00\x00c\x02\x06\x00\x00\x01\x00\x03\x00\
    \x10\x00\x00\x04\x00\x00\x00turn\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x01\
    \x00\x00\x00a\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00b\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00\
    c\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00d\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00e\x01\x04\
    \x00\x00\x10\x00\x01\x00\x00\x00f\x01\x04\x00\x00\x10\x00\x01\x00\x00\x00g\x01\x04\x00\x00\x10\
    \x00\x01\x00\x00\x00h\x01\x04\x00\x00\x10\x00\
    ";

/// The struct `Rows`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// `all`.
    pub all: [Vec<Vec<u8>>; 60],
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String4096List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String4096List<'_> {
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
        self.0.push(|area| Ok([stub::add_string(area, value, 4096)?]))
    }
}

/// What a service with the interface `Taker` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait TakerService: Send + Sync + 'static {
    /// The operation `rows`.
    fn rows(&self, caller: &stub::Caller, a: &Rows) -> Result<i32, stub::Failure>;

    /// The operation `given`.
    fn given(&self, caller: &stub::Caller) -> Result<Rows, stub::Failure>;

    /// The operation `texts`.
    fn texts(
        &self,
        caller: &stub::Caller,
        a: &[Vec<u8>],
        b: &[Vec<u8>],
        c: &[Vec<u8>],
        d: &[Vec<u8>],
    ) -> Result<i32, stub::Failure>;

    /// The operation `told`.
    fn told(
        &self,
        caller: &stub::Caller,
        result: &mut String4096List<'_>,
        a: &mut String4096List<'_>,
        b: &mut String4096List<'_>,
        c: &mut String4096List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `turn`.
    fn turn(
        &self,
        caller: &stub::Caller,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &mut Vec<u8>,
        d: &mut Vec<u8>,
        e: &mut Vec<u8>,
        f: &mut Vec<u8>,
        g: &mut Vec<u8>,
        h: &mut Vec<u8>,
    ) -> Result<(), stub::Failure>;
}

/// The interface `Taker`.
///
/// A portal on an object of a [`TakerService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Taker {
    client: stub::Client,
}

impl stub::Interface for Taker {
    type Service = dyn TakerService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Taker {
        Taker { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Taker {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl TakerService) -> stub::Served<Taker> {
        stub::serve::<TakerServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Taker {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `rows`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn rows(&self, a: &Rows) -> Result<i32, stub::Failure> {
        let a_packed = [
            stub::packed(&a.all[0], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[1], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[2], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[3], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[4], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[5], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[6], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[7], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[8], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[9], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[10], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[11], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[12], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[13], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[14], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[15], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[16], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[17], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[18], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[19], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[20], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[21], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[22], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[23], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[24], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[25], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[26], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[27], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[28], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[29], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[30], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[31], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[32], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[33], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[34], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[35], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[36], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[37], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[38], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[39], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[40], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[41], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[42], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[43], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[44], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[45], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[46], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[47], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[48], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[49], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[50], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[51], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[52], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[53], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[54], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[55], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[56], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[57], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[58], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
            stub::packed(&a.all[59], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).argument("Taker.rows", "a")?,
        ];
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(1, &a_packed[1], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(2, &a_packed[2], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(3, &a_packed[3], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(4, &a_packed[4], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(5, &a_packed[5], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(6, &a_packed[6], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(7, &a_packed[7], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(8, &a_packed[8], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(9, &a_packed[9], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(10, &a_packed[10], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(11, &a_packed[11], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(12, &a_packed[12], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(13, &a_packed[13], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(14, &a_packed[14], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(15, &a_packed[15], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(16, &a_packed[16], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(17, &a_packed[17], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(18, &a_packed[18], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(19, &a_packed[19], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(20, &a_packed[20], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(21, &a_packed[21], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(22, &a_packed[22], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(23, &a_packed[23], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(24, &a_packed[24], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(25, &a_packed[25], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(26, &a_packed[26], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(27, &a_packed[27], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(28, &a_packed[28], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(29, &a_packed[29], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(30, &a_packed[30], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(31, &a_packed[31], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(32, &a_packed[32], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(33, &a_packed[33], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(34, &a_packed[34], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(35, &a_packed[35], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(36, &a_packed[36], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(37, &a_packed[37], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(38, &a_packed[38], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(39, &a_packed[39], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(40, &a_packed[40], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(41, &a_packed[41], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(42, &a_packed[42], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(43, &a_packed[43], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(44, &a_packed[44], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(45, &a_packed[45], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(46, &a_packed[46], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(47, &a_packed[47], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(48, &a_packed[48], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(49, &a_packed[49], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(50, &a_packed[50], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(51, &a_packed[51], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(52, &a_packed[52], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(53, &a_packed[53], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(54, &a_packed[54], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(55, &a_packed[55], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(56, &a_packed[56], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(57, &a_packed[57], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(58, &a_packed[58], 1048584).argument("Taker.rows", "a")?,
            stub::bytes_word(59, &a_packed[59], 1048584).argument("Taker.rows", "a")?,
            0,
        ];
        self.client.call(
            0,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&a_packed[2]), stub::Input::Bytes(&a_packed[3]), stub::Input::Bytes(&a_packed[4]), stub::Input::Bytes(&a_packed[5]), stub::Input::Bytes(&a_packed[6]), stub::Input::Bytes(&a_packed[7]), stub::Input::Bytes(&a_packed[8]), stub::Input::Bytes(&a_packed[9]), stub::Input::Bytes(&a_packed[10]), stub::Input::Bytes(&a_packed[11]), stub::Input::Bytes(&a_packed[12]), stub::Input::Bytes(&a_packed[13]), stub::Input::Bytes(&a_packed[14]), stub::Input::Bytes(&a_packed[15]), stub::Input::Bytes(&a_packed[16]), stub::Input::Bytes(&a_packed[17]), stub::Input::Bytes(&a_packed[18]), stub::Input::Bytes(&a_packed[19]), stub::Input::Bytes(&a_packed[20]), stub::Input::Bytes(&a_packed[21]), stub::Input::Bytes(&a_packed[22]), stub::Input::Bytes(&a_packed[23]), stub::Input::Bytes(&a_packed[24]), stub::Input::Bytes(&a_packed[25]), stub::Input::Bytes(&a_packed[26]), stub::Input::Bytes(&a_packed[27]), stub::Input::Bytes(&a_packed[28]), stub::Input::Bytes(&a_packed[29]), stub::Input::Bytes(&a_packed[30]), stub::Input::Bytes(&a_packed[31]), stub::Input::Bytes(&a_packed[32]), stub::Input::Bytes(&a_packed[33]), stub::Input::Bytes(&a_packed[34]), stub::Input::Bytes(&a_packed[35]), stub::Input::Bytes(&a_packed[36]), stub::Input::Bytes(&a_packed[37]), stub::Input::Bytes(&a_packed[38]), stub::Input::Bytes(&a_packed[39]), stub::Input::Bytes(&a_packed[40]), stub::Input::Bytes(&a_packed[41]), stub::Input::Bytes(&a_packed[42]), stub::Input::Bytes(&a_packed[43]), stub::Input::Bytes(&a_packed[44]), stub::Input::Bytes(&a_packed[45]), stub::Input::Bytes(&a_packed[46]), stub::Input::Bytes(&a_packed[47]), stub::Input::Bytes(&a_packed[48]), stub::Input::Bytes(&a_packed[49]), stub::Input::Bytes(&a_packed[50]), stub::Input::Bytes(&a_packed[51]), stub::Input::Bytes(&a_packed[52]), stub::Input::Bytes(&a_packed[53]), stub::Input::Bytes(&a_packed[54]), stub::Input::Bytes(&a_packed[55]), stub::Input::Bytes(&a_packed[56]), stub::Input::Bytes(&a_packed[57]), stub::Input::Bytes(&a_packed[58]), stub::Input::Bytes(&a_packed[59])],
            &mut [],
            &[],
        )?;
        let result = stub::int::<i32>(words[60]).reply("Taker.rows")?;
        Ok(result)
    }

    /// The operation `given`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn given(&self) -> Result<Rows, stub::Failure> {
        let mut words = [
            stub::area(0),
            stub::area(1),
            stub::area(2),
            stub::area(3),
            stub::area(4),
            stub::area(5),
            stub::area(6),
            stub::area(7),
            stub::area(8),
            stub::area(9),
            stub::area(10),
            stub::area(11),
            stub::area(12),
            stub::area(13),
            stub::area(14),
            stub::area(15),
            stub::area(16),
            stub::area(17),
            stub::area(18),
            stub::area(19),
            stub::area(20),
            stub::area(21),
            stub::area(22),
            stub::area(23),
            stub::area(24),
            stub::area(25),
            stub::area(26),
            stub::area(27),
            stub::area(28),
            stub::area(29),
            stub::area(30),
            stub::area(31),
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
        self.client.call(1, &mut words, &[], &mut outputs, &[])?;
        let result = Rows {
            all: [stub::unpacked(&outputs[0].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[1].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[2].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[3].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[4].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[5].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[6].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[7].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[8].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[9].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[10].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[11].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[12].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[13].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[14].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[15].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[16].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[17].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[18].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[19].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[20].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[21].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[22].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[23].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[24].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[25].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[26].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[27].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[28].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[29].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[30].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[31].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[32].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[33].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[34].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[35].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[36].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[37].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[38].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[39].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[40].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[41].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[42].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[43].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[44].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[45].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[46].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[47].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[48].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[49].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[50].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[51].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[52].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[53].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[54].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[55].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[56].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[57].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[58].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?, stub::unpacked(&outputs[59].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).reply("Taker.given")?],
        };
        Ok(result)
    }

    /// The operation `texts`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn texts(
        &self,
        a: &[Vec<u8>],
        b: &[Vec<u8>],
        c: &[Vec<u8>],
        d: &[Vec<u8>],
    ) -> Result<i32, stub::Failure> {
        let a_area = stub::list_area(a, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?]))
            .argument("Taker.texts", "a")?;
        let b_area = stub::list_area(b, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?]))
            .argument("Taker.texts", "b")?;
        let c_area = stub::list_area(c, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?]))
            .argument("Taker.texts", "c")?;
        let d_area = stub::list_area(d, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?]))
            .argument("Taker.texts", "d")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(2), stub::area(3), 0];
        self.client.call(
            2,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area), stub::Input::List(&c_area), stub::Input::List(&d_area)],
            &mut [],
            &[],
        )?;
        let result = stub::int::<i32>(words[4]).reply("Taker.texts")?;
        Ok(result)
    }

    /// The operation `told`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn told(
        &self,
    ) -> Result<(Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<Vec<u8>>), stub::Failure> {
        let mut words = [stub::area(0), stub::area(1), stub::area(2), stub::area(3)];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(3, &mut words, &[], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .reply("Taker.told")?;
        let a = stub::list(&outputs[1], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .reply("Taker.told")?;
        let b = stub::list(&outputs[2], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .reply("Taker.told")?;
        let c = stub::list(&outputs[3], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .reply("Taker.told")?;
        Ok((result, a, b, c))
    }

    /// The operation `told`, with what comes back in buffers of the caller's: `result`, `a`, `b`, `c`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn told_into(
        &self,
        result: &mut Vec<Vec<u8>>,
        a: &mut Vec<Vec<u8>>,
        b: &mut Vec<Vec<u8>>,
        c: &mut Vec<Vec<u8>>,
    ) -> Result<(), stub::Failure> {
        let mut words = [stub::area(0), stub::area(1), stub::area(2), stub::area(3)];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(3, &mut words, &[], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4096),
            result,
        ).reply("Taker.told")?;
        stub::list_into(
            &outputs[1],
            65536,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4096),
            a,
        ).reply("Taker.told")?;
        stub::list_into(
            &outputs[2],
            65536,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4096),
            b,
        ).reply("Taker.told")?;
        stub::list_into(
            &outputs[3],
            65536,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4096),
            c,
        ).reply("Taker.told")?;
        Ok(())
    }

    /// The operation `turn`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn(
        &self,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &mut Vec<u8>,
        d: &mut Vec<u8>,
        e: &mut Vec<u8>,
        f: &mut Vec<u8>,
        g: &mut Vec<u8>,
        h: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            stub::bytes_word(0, a, 1048576).argument("Taker.turn", "a")?,
            stub::bytes_word(1, b, 1048576).argument("Taker.turn", "b")?,
            stub::bytes_word(2, c, 1048576).argument("Taker.turn", "c")?,
            stub::bytes_word(3, d, 1048576).argument("Taker.turn", "d")?,
            stub::bytes_word(4, e, 1048576).argument("Taker.turn", "e")?,
            stub::bytes_word(5, f, 1048576).argument("Taker.turn", "f")?,
            stub::bytes_word(6, g, 1048576).argument("Taker.turn", "g")?,
            stub::bytes_word(7, h, 1048576).argument("Taker.turn", "h")?,
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
        ];
        self.client.call(
            4,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::Bytes(b), stub::Input::Bytes(c), stub::Input::Bytes(d), stub::Input::Bytes(e), stub::Input::Bytes(f), stub::Input::Bytes(g), stub::Input::Bytes(h)],
            &mut outputs,
            &[],
        )?;
        let a_area = stub::bytes_output(&mut outputs[0], 1048576).reply("Taker.turn")?;
        let b_area = stub::bytes_output(&mut outputs[1], 1048576).reply("Taker.turn")?;
        let c_area = stub::bytes_output(&mut outputs[2], 1048576).reply("Taker.turn")?;
        let d_area = stub::bytes_output(&mut outputs[3], 1048576).reply("Taker.turn")?;
        let e_area = stub::bytes_output(&mut outputs[4], 1048576).reply("Taker.turn")?;
        let f_area = stub::bytes_output(&mut outputs[5], 1048576).reply("Taker.turn")?;
        let g_area = stub::bytes_output(&mut outputs[6], 1048576).reply("Taker.turn")?;
        let h_area = stub::bytes_output(&mut outputs[7], 1048576).reply("Taker.turn")?;
        *a = a_area;
        *b = b_area;
        *c = c_area;
        *d = d_area;
        *e = e_area;
        *f = f_area;
        *g = g_area;
        *h = h_area;
        Ok(())
    }

    /// The operation `turn`, with what comes back in buffers of the caller's: `a` in `a_back`, `b` in `b_back`, `c` in `c_back`, `d` in `d_back`, `e` in `e_back`, `f` in `f_back`, `g` in `g_back`, `h` in `h_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn_into(
        &self,
        a: &[u8],
        b: &[u8],
        c: &[u8],
        d: &[u8],
        e: &[u8],
        f: &[u8],
        g: &[u8],
        h: &[u8],
        a_back: &mut Vec<u8>,
        b_back: &mut Vec<u8>,
        c_back: &mut Vec<u8>,
        d_back: &mut Vec<u8>,
        e_back: &mut Vec<u8>,
        f_back: &mut Vec<u8>,
        g_back: &mut Vec<u8>,
        h_back: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            stub::bytes_word(0, a, 1048576).argument("Taker.turn", "a")?,
            stub::bytes_word(1, b, 1048576).argument("Taker.turn", "b")?,
            stub::bytes_word(2, c, 1048576).argument("Taker.turn", "c")?,
            stub::bytes_word(3, d, 1048576).argument("Taker.turn", "d")?,
            stub::bytes_word(4, e, 1048576).argument("Taker.turn", "e")?,
            stub::bytes_word(5, f, 1048576).argument("Taker.turn", "f")?,
            stub::bytes_word(6, g, 1048576).argument("Taker.turn", "g")?,
            stub::bytes_word(7, h, 1048576).argument("Taker.turn", "h")?,
        ];
        let mut outputs = [
            stub::room(a_back),
            stub::room(b_back),
            stub::room(c_back),
            stub::room(d_back),
            stub::room(e_back),
            stub::room(f_back),
            stub::room(g_back),
            stub::room(h_back),
        ];
        let made = self.client.call(
            4,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::Bytes(b), stub::Input::Bytes(c), stub::Input::Bytes(d), stub::Input::Bytes(e), stub::Input::Bytes(f), stub::Input::Bytes(g), stub::Input::Bytes(h)],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [
            (0, &mut *a_back),
            (1, &mut *b_back),
            (2, &mut *c_back),
            (3, &mut *d_back),
            (4, &mut *e_back),
            (5, &mut *f_back),
            (6, &mut *g_back),
            (7, &mut *h_back),
        ]);
        made?;
        stub::bounded(a_back, 1048576).reply("Taker.turn")?;
        stub::bounded(b_back, 1048576).reply("Taker.turn")?;
        stub::bounded(c_back, 1048576).reply("Taker.turn")?;
        stub::bounded(d_back, 1048576).reply("Taker.turn")?;
        stub::bounded(e_back, 1048576).reply("Taker.turn")?;
        stub::bounded(f_back, 1048576).reply("Taker.turn")?;
        stub::bounded(g_back, 1048576).reply("Taker.turn")?;
        stub::bounded(h_back, 1048576).reply("Taker.turn")?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct TakerServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: TakerService> stub::Dispatch<S> for TakerServer {
    type Interface = Taker;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Taker>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl TakerServer {
    /// `Taker.rows`.
    #[inline(never)]
    fn op_0(service: &impl TakerService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<61>(call.words)?;
        let a = Rows {
            all: [stub::unpacked_in(call.areas, words[0], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[1], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[2], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[3], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[4], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[5], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[6], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[7], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[8], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[9], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[10], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[11], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[12], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[13], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[14], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[15], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[16], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[17], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[18], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[19], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[20], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[21], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[22], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[23], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[24], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[25], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[26], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[27], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[28], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[29], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[30], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[31], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[32], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[33], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[34], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[35], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[36], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[37], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[38], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[39], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[40], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[41], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[42], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[43], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[44], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[45], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[46], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[47], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[48], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[49], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[50], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[51], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[52], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[53], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[54], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[55], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[56], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[57], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[58], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?, stub::unpacked_in(call.areas, words[59], 65536, &[0], |words: &[u64; 1], area| stub::field_bytes(area, words[0], 8)).argument("Taker.rows", "a")?],
        };
        let result = service.rows(call.caller, &a)?;
        words[60] = stub::word(result);
        Ok(())
    }

    /// `Taker.given`.
    #[inline(never)]
    fn op_1(service: &impl TakerService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<60>(call.words)?;
        let result = service.given(call.caller)?;
        words[0] =
            stub::put_bytes(call.areas, words[0], &stub::packed(&result.all[0], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[1] =
            stub::put_bytes(call.areas, words[1], &stub::packed(&result.all[1], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[2] =
            stub::put_bytes(call.areas, words[2], &stub::packed(&result.all[2], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[3] =
            stub::put_bytes(call.areas, words[3], &stub::packed(&result.all[3], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[4] =
            stub::put_bytes(call.areas, words[4], &stub::packed(&result.all[4], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&result.all[5], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&result.all[6], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[7] =
            stub::put_bytes(call.areas, words[7], &stub::packed(&result.all[7], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[8] =
            stub::put_bytes(call.areas, words[8], &stub::packed(&result.all[8], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[9] =
            stub::put_bytes(call.areas, words[9], &stub::packed(&result.all[9], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[10] =
            stub::put_bytes(call.areas, words[10], &stub::packed(&result.all[10], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[11] =
            stub::put_bytes(call.areas, words[11], &stub::packed(&result.all[11], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[12] =
            stub::put_bytes(call.areas, words[12], &stub::packed(&result.all[12], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[13] =
            stub::put_bytes(call.areas, words[13], &stub::packed(&result.all[13], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[14] =
            stub::put_bytes(call.areas, words[14], &stub::packed(&result.all[14], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[15] =
            stub::put_bytes(call.areas, words[15], &stub::packed(&result.all[15], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[16] =
            stub::put_bytes(call.areas, words[16], &stub::packed(&result.all[16], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[17] =
            stub::put_bytes(call.areas, words[17], &stub::packed(&result.all[17], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[18] =
            stub::put_bytes(call.areas, words[18], &stub::packed(&result.all[18], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[19] =
            stub::put_bytes(call.areas, words[19], &stub::packed(&result.all[19], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[20] =
            stub::put_bytes(call.areas, words[20], &stub::packed(&result.all[20], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[21] =
            stub::put_bytes(call.areas, words[21], &stub::packed(&result.all[21], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[22] =
            stub::put_bytes(call.areas, words[22], &stub::packed(&result.all[22], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[23] =
            stub::put_bytes(call.areas, words[23], &stub::packed(&result.all[23], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[24] =
            stub::put_bytes(call.areas, words[24], &stub::packed(&result.all[24], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[25] =
            stub::put_bytes(call.areas, words[25], &stub::packed(&result.all[25], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[26] =
            stub::put_bytes(call.areas, words[26], &stub::packed(&result.all[26], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[27] =
            stub::put_bytes(call.areas, words[27], &stub::packed(&result.all[27], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[28] =
            stub::put_bytes(call.areas, words[28], &stub::packed(&result.all[28], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[29] =
            stub::put_bytes(call.areas, words[29], &stub::packed(&result.all[29], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[30] =
            stub::put_bytes(call.areas, words[30], &stub::packed(&result.all[30], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[31] =
            stub::put_bytes(call.areas, words[31], &stub::packed(&result.all[31], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[32] =
            stub::put_bytes(call.areas, words[32], &stub::packed(&result.all[32], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[33] =
            stub::put_bytes(call.areas, words[33], &stub::packed(&result.all[33], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[34] =
            stub::put_bytes(call.areas, words[34], &stub::packed(&result.all[34], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[35] =
            stub::put_bytes(call.areas, words[35], &stub::packed(&result.all[35], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[36] =
            stub::put_bytes(call.areas, words[36], &stub::packed(&result.all[36], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[37] =
            stub::put_bytes(call.areas, words[37], &stub::packed(&result.all[37], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[38] =
            stub::put_bytes(call.areas, words[38], &stub::packed(&result.all[38], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[39] =
            stub::put_bytes(call.areas, words[39], &stub::packed(&result.all[39], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[40] =
            stub::put_bytes(call.areas, words[40], &stub::packed(&result.all[40], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[41] =
            stub::put_bytes(call.areas, words[41], &stub::packed(&result.all[41], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[42] =
            stub::put_bytes(call.areas, words[42], &stub::packed(&result.all[42], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[43] =
            stub::put_bytes(call.areas, words[43], &stub::packed(&result.all[43], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[44] =
            stub::put_bytes(call.areas, words[44], &stub::packed(&result.all[44], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[45] =
            stub::put_bytes(call.areas, words[45], &stub::packed(&result.all[45], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[46] =
            stub::put_bytes(call.areas, words[46], &stub::packed(&result.all[46], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[47] =
            stub::put_bytes(call.areas, words[47], &stub::packed(&result.all[47], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[48] =
            stub::put_bytes(call.areas, words[48], &stub::packed(&result.all[48], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[49] =
            stub::put_bytes(call.areas, words[49], &stub::packed(&result.all[49], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[50] =
            stub::put_bytes(call.areas, words[50], &stub::packed(&result.all[50], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[51] =
            stub::put_bytes(call.areas, words[51], &stub::packed(&result.all[51], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[52] =
            stub::put_bytes(call.areas, words[52], &stub::packed(&result.all[52], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[53] =
            stub::put_bytes(call.areas, words[53], &stub::packed(&result.all[53], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[54] =
            stub::put_bytes(call.areas, words[54], &stub::packed(&result.all[54], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[55] =
            stub::put_bytes(call.areas, words[55], &stub::packed(&result.all[55], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[56] =
            stub::put_bytes(call.areas, words[56], &stub::packed(&result.all[56], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[57] =
            stub::put_bytes(call.areas, words[57], &stub::packed(&result.all[57], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[58] =
            stub::put_bytes(call.areas, words[58], &stub::packed(&result.all[58], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        words[59] =
            stub::put_bytes(call.areas, words[59], &stub::packed(&result.all[59], 65536, |each, area| Ok([stub::add_bytes(area, each, 8)?])).given("Taker.given")?, 1048584, "Taker.given")?;
        Ok(())
    }

    /// `Taker.texts`.
    #[inline(never)]
    fn op_2(service: &impl TakerService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .argument("Taker.texts", "a")?;
        let b = stub::list_in(call.areas, words[1], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .argument("Taker.texts", "b")?;
        let c = stub::list_in(call.areas, words[2], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .argument("Taker.texts", "c")?;
        let d = stub::list_in(call.areas, words[3], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 4096))
            .argument("Taker.texts", "d")?;
        let result = service.texts(call.caller, &a, &b, &c, &d)?;
        words[4] = stub::word(result);
        Ok(())
    }

    /// `Taker.told`.
    #[inline(never)]
    fn op_3(service: &impl TakerService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut result_area = call.areas.take(words[0])?;
        let mut a_area = call.areas.take(words[1])?;
        let mut b_area = call.areas.take(words[2])?;
        let mut c_area = call.areas.take(words[3])?;
        let mut result = String4096List(stub::ListOut::new(&mut result_area, 65536));
        let mut a = String4096List(stub::ListOut::new(&mut a_area, 65536));
        let mut b = String4096List(stub::ListOut::new(&mut b_area, 65536));
        let mut c = String4096List(stub::ListOut::new(&mut c_area, 65536));
        service.told(call.caller, &mut result, &mut a, &mut b, &mut c)?;
        result.0.finish("Taker.told")?;
        words[0] = call.areas.put(words[0], result_area)?;
        a.0.finish("Taker.told")?;
        words[1] = call.areas.put(words[1], a_area)?;
        b.0.finish("Taker.told")?;
        words[2] = call.areas.put(words[2], b_area)?;
        c.0.finish("Taker.told")?;
        words[3] = call.areas.put(words[3], c_area)?;
        Ok(())
    }

    /// `Taker.turn`.
    #[inline(never)]
    fn op_4(service: &impl TakerService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<8>(call.words)?;
        let mut a = stub::take_bytes(call.areas, words[0], 1048576).argument("Taker.turn", "a")?;
        let mut b = stub::take_bytes(call.areas, words[1], 1048576).argument("Taker.turn", "b")?;
        let mut c = stub::take_bytes(call.areas, words[2], 1048576).argument("Taker.turn", "c")?;
        let mut d = stub::take_bytes(call.areas, words[3], 1048576).argument("Taker.turn", "d")?;
        let mut e = stub::take_bytes(call.areas, words[4], 1048576).argument("Taker.turn", "e")?;
        let mut f = stub::take_bytes(call.areas, words[5], 1048576).argument("Taker.turn", "f")?;
        let mut g = stub::take_bytes(call.areas, words[6], 1048576).argument("Taker.turn", "g")?;
        let mut h = stub::take_bytes(call.areas, words[7], 1048576).argument("Taker.turn", "h")?;
        service.turn(call.caller, &mut a, &mut b, &mut c, &mut d, &mut e, &mut f, &mut g, &mut h)?;
        words[0] = stub::give_bytes(call.areas, words[0], a, 1048576, "Taker.turn")?;
        words[1] = stub::give_bytes(call.areas, words[1], b, 1048576, "Taker.turn")?;
        words[2] = stub::give_bytes(call.areas, words[2], c, 1048576, "Taker.turn")?;
        words[3] = stub::give_bytes(call.areas, words[3], d, 1048576, "Taker.turn")?;
        words[4] = stub::give_bytes(call.areas, words[4], e, 1048576, "Taker.turn")?;
        words[5] = stub::give_bytes(call.areas, words[5], f, 1048576, "Taker.turn")?;
        words[6] = stub::give_bytes(call.areas, words[6], g, 1048576, "Taker.turn")?;
        words[7] = stub::give_bytes(call.areas, words[7], h, 1048576, "Taker.turn")?;
        Ok(())
    }
}

