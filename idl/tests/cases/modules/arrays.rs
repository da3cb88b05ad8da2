// Made from the interface `arrays`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `arrays`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x06\x00\x00\x00arrays\x00\x00\x00\x009\x00\x00\x00Arrays of portals, and of str\
    ucts with portals, each way.\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00Place\x00\
    \x00\x00\x00\x02\x00\x04\x00\x00\x00item\x07\x00\x00\x04\x00\x00\x00name\x03\x08\x00\x00\x00\
    \x05\x00\x00\x00Board\x00\x00\x00\x00\x03\x00\x04\x00\x00\x00pair\x0b\x02\x00\x00\x00\x07\x00\
    \x00\x03\x00\x00\x00row\x0b\x02\x00\x00\x00\x05\x00\x00\x02\x00\x00\x00at\x01 \x01\x00\x00\x00\
    \x00\x02\x00\x04\x00\x00\x00Item\x00\x00\x00\x00\x00\x00\x01\x00\x0b\x00\x00\x00_get_number\
    \x00\x00\x00\x00\x00\x00\x00\x00C\x00\x01 \x01\x00\x00\x00\x00\x05\x00\x00\x00Shelf\x00\x00\
    \x00\x00\x00\x00\x05\x00\x04\x00\x00\x00item\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x07\x00\x00\
    \x00\x00\x01\x00\x06\x00\x00\x00number\x00\x01 \x01\x04\x00\x00\x00pair\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x0b\x02\x00\x00\x00\x07\x00\x00\x00\x00\x03\x00\x01\x00\x00\x00a\x00\x0b\x02\
    \x00\x00\x00\x07\x00\x00\x01\x00\x00\x00b\x01\x0b\x02\x00\x00\x00\x07\x00\x00\x01\x00\x00\x00c\
    \x02\x0b\x02\x00\x00\x00\x0b\x02\x00\x00\x00\x07\x00\x00\x03\x00\x00\x00row\x00\x00\x00\x00\
    \x00\x00\x00\x00@\x00\x0b\x02\x00\x00\x00\x05\x00\x00\x00\x00\x03\x00\x01\x00\x00\x00a\x00\x0b\
    \x02\x00\x00\x00\x05\x00\x00\x01\x00\x00\x00b\x01\x0b\x02\x00\x00\x00\x05\x00\x00\x01\x00\x00\
    \x00c\x02\x0b\x02\x00\x00\x00\x07\x00\x00\x05\x00\x00\x00board\x00\x00\x00\x00\x00\x00\x00\x00\
    @\x00\x05\x01\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x05\x01\x00\x01\x00\x00\x00b\x01\x05\
    \x01\x00\x05\x00\x00\x00pairs\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x0b\x02\
    \x00\x00\x00\x07\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x0b\x02\x00\
    \x00\x00\x07\x00\x00\x01\x00\x00\x00b\x01\x06\x02\x00\x00\x00\x05\x01\x00\
    ";

/// The struct `Place`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Place {
    /// `item`.
    pub item: Item,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `Place`, as a service is handed it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct PlaceGiven<'a> {
    /// `item`.
    pub item: stub::PortalIn<'a, Item>,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `Place`, as a service returns it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct PlaceReturned {
    /// `item`.
    pub item: stub::Served<Item>,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `Board`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Board {
    /// `pair`.
    pub pair: [Item; 2],
    /// `row`.
    pub row: [Place; 2],
    /// `at`.
    pub at: i32,
}

/// The struct `Board`, as a service is handed it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct BoardGiven<'a> {
    /// `pair`.
    pub pair: [stub::PortalIn<'a, Item>; 2],
    /// `row`.
    pub row: [PlaceGiven<'a>; 2],
    /// `at`.
    pub at: i32,
}

/// The struct `Board`, as a service returns it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct BoardReturned {
    /// `pair`.
    pub pair: [stub::Served<Item>; 2],
    /// `row`.
    pub row: [PlaceReturned; 2],
    /// `at`.
    pub at: i32,
}

/// What a service with the interface `Item` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait ItemService: Send + Sync + 'static {
    /// The operation `_get_number`.
    fn number(&self, caller: &stub::Caller) -> Result<i32, stub::Failure>;
}

/// The interface `Item`.
///
/// A portal on an object of a [`ItemService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Item {
    client: stub::Client,
    near: stub::Nearby<Item>,
}

impl stub::Interface for Item {
    type Service = dyn ItemService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Item {
        Item { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Item {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ItemService) -> stub::Served<Item> {
        stub::serve::<ItemServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Item {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `_get_number`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn number(&self) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(0, |service, caller| service.number(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            let result = stub::int::<i32>(words[0]).reply("Item._get_number")?;
            Ok(result)
        })
    }
}

/// An object of a [`ItemService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemAt(pub stub::Number);

impl From<stub::Number> for ItemAt {
    fn from(number: stub::Number) -> ItemAt {
        ItemAt(number)
    }
}

impl From<ItemAt> for stub::Number {
    fn from(at: ItemAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ItemAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ItemService) -> stub::Kept<ItemAt> {
        stub::keep::<ItemServer, _, _>(service)
    }

    /// The operation `_get_number`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn number(self, channel: &mut impl stub::Channel) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Item, 0>(self.0, channel, 0, [])?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct ItemServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: ItemService> stub::Dispatch<S> for ItemServer {
    type Interface = Item;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Item>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
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
impl ItemServer {
    /// `Item._get_number`.
    #[inline]
    fn op_0(
        service: &impl ItemService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.number(caller)?;
        words[0] = stub::word(result);
        Ok(())
    }

    /// `Item._get_number` in a plain session.
    #[inline(always)]
    fn plain_0(service: &impl ItemService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::widened(Self::narrow_0(service, caller, [0, 0, 0, 0]))
    }

    /// `Item._get_number` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_0(service: &impl ItemService, caller: &stub::Caller, _: [i32; 4]) -> stub::Narrow {
        let result = stub::carried("Item._get_number", || Ok(service.number(caller)?))?;
        Ok((result, 0))
    }
}

/// What a service with the interface `Shelf` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait ShelfService: Send + Sync + 'static {
    /// The operation `item`.
    fn item(&self, caller: &stub::Caller, number: i32) -> Result<stub::Served<Item>, stub::Failure>;

    /// The operation `pair`.
    fn pair(
        &self,
        caller: &stub::Caller,
        a: &[stub::PortalIn<'_, Item>; 2],
        b: &[stub::PortalIn<'_, Item>; 2],
    ) -> Result<([stub::Served<Item>; 2], [stub::Served<Item>; 2], [[stub::Served<Item>; 2]; 2]), stub::Failure>;

    /// The operation `row`.
    fn row(
        &self,
        caller: &stub::Caller,
        a: &[PlaceGiven<'_>; 2],
        b: &[PlaceGiven<'_>; 2],
    ) -> Result<([PlaceReturned; 2], [PlaceReturned; 2], [stub::Served<Item>; 2]), stub::Failure>;

    /// The operation `board`.
    fn board(
        &self,
        caller: &stub::Caller,
        a: &BoardGiven<'_>,
        b: &BoardGiven<'_>,
    ) -> Result<(BoardReturned, BoardReturned), stub::Failure>;

    /// The operation `pairs`.
    fn pairs(
        &self,
        caller: &stub::Caller,
        a: &[[stub::PortalIn<'_, Item>; 2]],
        b: &[BoardGiven<'_>],
    ) -> Result<(Vec<[stub::Served<Item>; 2]>, Vec<BoardReturned>), stub::Failure>;
}

/// The interface `Shelf`.
///
/// A portal on an object of a [`ShelfService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Shelf {
    client: stub::Client,
}

impl stub::Interface for Shelf {
    type Service = dyn ShelfService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Shelf {
        Shelf { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Shelf {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ShelfService) -> stub::Served<Shelf> {
        stub::serve::<ShelfServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Shelf {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `item`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn item(&self, number: i32) -> Result<Item, stub::Failure> {
        let mut words = [stub::word(number), 0];
        let made = self.client.call(0, &mut words, &[], &mut [], &[])?;
        let result = Item::from_portal(stub::made(&made, words[1]).reply("Shelf.item")?);
        Ok(result)
    }

    /// The operation `pair`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pair(
        &self,
        a: &[Item; 2],
        b: &mut [Item; 2],
    ) -> Result<([Item; 2], [[Item; 2]; 2]), stub::Failure> {
        let mut words = [0, 1, 2, 3, 0, 0, 0, 0, 0, 0];
        let made = self.client.call(
            1,
            &mut words,
            &[],
            &mut [],
            &[a[0].portal(), a[1].portal(), b[0].portal(), b[1].portal()],
        )?;
        let b_area = [Item::from_portal(stub::made(&made, words[2]).reply("Shelf.pair")?), Item::from_portal(stub::made(&made, words[3])
            .reply("Shelf.pair")?)];
        let result = [Item::from_portal(stub::made(&made, words[4]).reply("Shelf.pair")?), Item::from_portal(stub::made(&made, words[5])
            .reply("Shelf.pair")?)];
        let c = [[Item::from_portal(stub::made(&made, words[6]).reply("Shelf.pair")?), Item::from_portal(stub::made(&made, words[7]).reply("Shelf.pair")?)], [Item::from_portal(stub::made(&made, words[8]).reply("Shelf.pair")?), Item::from_portal(stub::made(&made, words[9])
            .reply("Shelf.pair")?)]];
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `row`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn row(
        &self,
        a: &[Place; 2],
        b: &mut [Place; 2],
    ) -> Result<([Place; 2], [Item; 2]), stub::Failure> {
        let mut words = [
            0,
            stub::string_word(0, &a[0].name, 8).argument("Shelf.row", "a")?,
            1,
            stub::string_word(1, &a[1].name, 8).argument("Shelf.row", "a")?,
            2,
            stub::string_word(2, &b[0].name, 8).argument("Shelf.row", "b")?,
            3,
            stub::string_word(3, &b[1].name, 8).argument("Shelf.row", "b")?,
            0,
            stub::area(6),
            0,
            stub::area(7),
            0,
            0,
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        let made = self.client.call(
            2,
            &mut words,
            &[stub::Input::Bytes(&a[0].name), stub::Input::Bytes(&a[1].name), stub::Input::Bytes(&b[0].name), stub::Input::Bytes(&b[1].name)],
            &mut outputs,
            &[a[0].item.portal(), a[1].item.portal(), b[0].item.portal(), b[1].item.portal()],
        )?;
        let b_area = [Place { item: Item::from_portal(stub::made(&made, words[4]).reply("Shelf.row")?), name: stub::string_output(&mut outputs[0], 8).reply("Shelf.row")? }, Place { item: Item::from_portal(stub::made(&made, words[6]).reply("Shelf.row")?), name: stub::string_output(&mut outputs[1], 8)
            .reply("Shelf.row")? }];
        let result = [Place { item: Item::from_portal(stub::made(&made, words[8]).reply("Shelf.row")?), name: stub::string_output(&mut outputs[2], 8).reply("Shelf.row")? }, Place { item: Item::from_portal(stub::made(&made, words[10]).reply("Shelf.row")?), name: stub::string_output(&mut outputs[3], 8)
            .reply("Shelf.row")? }];
        let c = [Item::from_portal(stub::made(&made, words[12]).reply("Shelf.row")?), Item::from_portal(stub::made(&made, words[13])
            .reply("Shelf.row")?)];
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `board`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn board(&self, a: &Board, b: &mut Board) -> Result<Board, stub::Failure> {
        let mut words = [
            0,
            1,
            2,
            stub::string_word(0, &a.row[0].name, 8).argument("Shelf.board", "a")?,
            3,
            stub::string_word(1, &a.row[1].name, 8).argument("Shelf.board", "a")?,
            stub::word(a.at),
            4,
            5,
            6,
            stub::string_word(2, &b.row[0].name, 8).argument("Shelf.board", "b")?,
            7,
            stub::string_word(3, &b.row[1].name, 8).argument("Shelf.board", "b")?,
            stub::word(b.at),
            0,
            0,
            0,
            stub::area(6),
            0,
            stub::area(7),
            0,
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        let made = self.client.call(
            3,
            &mut words,
            &[stub::Input::Bytes(&a.row[0].name), stub::Input::Bytes(&a.row[1].name), stub::Input::Bytes(&b.row[0].name), stub::Input::Bytes(&b.row[1].name)],
            &mut outputs,
            &[a.pair[0].portal(), a.pair[1].portal(), a.row[0].item.portal(), a.row[1].item.portal(), b.pair[0].portal(), b.pair[1].portal(), b.row[0].item.portal(), b.row[1].item.portal()],
        )?;
        let b_area = Board {
            pair: [Item::from_portal(stub::made(&made, words[7]).reply("Shelf.board")?), Item::from_portal(stub::made(&made, words[8]).reply("Shelf.board")?)],
            row: [Place { item: Item::from_portal(stub::made(&made, words[9]).reply("Shelf.board")?), name: stub::string_output(&mut outputs[0], 8).reply("Shelf.board")? }, Place { item: Item::from_portal(stub::made(&made, words[11]).reply("Shelf.board")?), name: stub::string_output(&mut outputs[1], 8).reply("Shelf.board")? }],
            at: stub::int::<i32>(words[13]).reply("Shelf.board")?,
        };
        let result = Board {
            pair: [Item::from_portal(stub::made(&made, words[14]).reply("Shelf.board")?), Item::from_portal(stub::made(&made, words[15]).reply("Shelf.board")?)],
            row: [Place { item: Item::from_portal(stub::made(&made, words[16]).reply("Shelf.board")?), name: stub::string_output(&mut outputs[2], 8).reply("Shelf.board")? }, Place { item: Item::from_portal(stub::made(&made, words[18]).reply("Shelf.board")?), name: stub::string_output(&mut outputs[3], 8).reply("Shelf.board")? }],
            at: stub::int::<i32>(words[20]).reply("Shelf.board")?,
        };
        *b = b_area;
        Ok(result)
    }

    /// The operation `pairs`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pairs(
        &self,
        a: &[[Item; 2]],
        b: &mut Vec<Board>,
    ) -> Result<Vec<[Item; 2]>, stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::hand(&mut portals, each[0].portal()), stub::hand(&mut portals, each[1].portal())]))
            .argument("Shelf.pairs", "a")?;
        let b_area = stub::list_area(b, 2, |each, area| Ok([stub::hand(&mut portals, each.pair[0].portal()), stub::hand(&mut portals, each.pair[1].portal()), stub::hand(&mut portals, each.row[0].item.portal()), stub::add_string(area, &each.row[0].name, 8)?, stub::hand(&mut portals, each.row[1].item.portal()), stub::add_string(area, &each.row[1].name, 8)?, stub::word(each.at)]))
            .argument("Shelf.pairs", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        let made = self.client.call(
            4,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &portals,
        )?;
        let b_area = stub::list(&outputs[0], 2, |words: &[u64; 7], area| Ok(Board { pair: [Item::from_portal(stub::made(&made, words[0])?), Item::from_portal(stub::made(&made, words[1])?)], row: [Place { item: Item::from_portal(stub::made(&made, words[2])?), name: stub::field_string(area, words[3], 8)? }, Place { item: Item::from_portal(stub::made(&made, words[4])?), name: stub::field_string(area, words[5], 8)? }], at: stub::int::<i32>(words[6])? }))
            .reply("Shelf.pairs")?;
        let result = stub::list(&outputs[1], 3, |words: &[u64; 2], _| Ok([Item::from_portal(stub::made(&made, words[0])?), Item::from_portal(stub::made(&made, words[1])?)]))
            .reply("Shelf.pairs")?;
        *b = b_area;
        Ok(result)
    }

    /// The operation `pairs`, with what comes back in buffers of the caller's: `b` in `b_back`, `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pairs_into(
        &self,
        a: &[[Item; 2]],
        b: &[Board],
        b_back: &mut Vec<Board>,
        result: &mut Vec<[Item; 2]>,
    ) -> Result<(), stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::hand(&mut portals, each[0].portal()), stub::hand(&mut portals, each[1].portal())]))
            .argument("Shelf.pairs", "a")?;
        let b_area = stub::list_area(b, 2, |each, area| Ok([stub::hand(&mut portals, each.pair[0].portal()), stub::hand(&mut portals, each.pair[1].portal()), stub::hand(&mut portals, each.row[0].item.portal()), stub::add_string(area, &each.row[0].name, 8)?, stub::hand(&mut portals, each.row[1].item.portal()), stub::add_string(area, &each.row[1].name, 8)?, stub::word(each.at)]))
            .argument("Shelf.pairs", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        let made = self.client.call(
            4,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &portals,
        )?;
        stub::list_into(
            &outputs[0],
            2,
            |words: &[u64; 7], area| Ok(Board { pair: [Item::from_portal(stub::made(&made, words[0])?), Item::from_portal(stub::made(&made, words[1])?)], row: [Place { item: Item::from_portal(stub::made(&made, words[2])?), name: stub::field_string(area, words[3], 8)? }, Place { item: Item::from_portal(stub::made(&made, words[4])?), name: stub::field_string(area, words[5], 8)? }], at: stub::int::<i32>(words[6])? }),
            b_back,
        ).reply("Shelf.pairs")?;
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 2], _| Ok([Item::from_portal(stub::made(&made, words[0])?), Item::from_portal(stub::made(&made, words[1])?)]),
            result,
        ).reply("Shelf.pairs")?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct ShelfServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: ShelfService> stub::Dispatch<S> for ShelfServer {
    type Interface = Shelf;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Shelf>(place, ::std::sync::Arc::<S>::clone(service));
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
impl ShelfServer {
    /// `Shelf.item`.
    #[inline(never)]
    fn op_0(service: &impl ShelfService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let number = stub::int::<i32>(words[0]).argument("Shelf.item", "number")?;
        let result = service.item(call.caller, number)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `Shelf.pair`.
    #[inline(never)]
    fn op_1(service: &impl ShelfService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<10>(call.words)?;
        let a = [stub::portal_in::<Item>(call.portals, words[0]).argument("Shelf.pair", "a")?, stub::portal_in::<Item>(call.portals, words[1])
            .argument("Shelf.pair", "a")?];
        let b = [stub::portal_in::<Item>(call.portals, words[2]).argument("Shelf.pair", "b")?, stub::portal_in::<Item>(call.portals, words[3])
            .argument("Shelf.pair", "b")?];
        let (result, b_area, c) = service.pair(call.caller, &a, &b)?;
        words[2] = stub::make(call.made, b_area[0].clone());
        words[3] = stub::make(call.made, b_area[1].clone());
        words[4] = stub::make(call.made, result[0].clone());
        words[5] = stub::make(call.made, result[1].clone());
        words[6] = stub::make(call.made, c[0][0].clone());
        words[7] = stub::make(call.made, c[0][1].clone());
        words[8] = stub::make(call.made, c[1][0].clone());
        words[9] = stub::make(call.made, c[1][1].clone());
        Ok(())
    }

    /// `Shelf.row`.
    #[inline(never)]
    fn op_2(service: &impl ShelfService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<14>(call.words)?;
        let a = [PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[0]).argument("Shelf.row", "a")?, name: stub::string(call.areas, words[1], 8).argument("Shelf.row", "a")?.to_vec() }, PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[2]).argument("Shelf.row", "a")?, name: stub::string(call.areas, words[3], 8)
            .argument("Shelf.row", "a")?.to_vec() }];
        let b = [PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[4]).argument("Shelf.row", "b")?, name: stub::string(call.areas, words[5], 8).argument("Shelf.row", "b")?.to_vec() }, PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[6]).argument("Shelf.row", "b")?, name: stub::string(call.areas, words[7], 8)
            .argument("Shelf.row", "b")?.to_vec() }];
        let (result, b_area, c) = service.row(call.caller, &a, &b)?;
        words[4] = stub::make(call.made, b_area[0].item.clone());
        words[5] = stub::put_string(call.areas, words[5], &b_area[0].name, 8, "Shelf.row")?;
        words[6] = stub::make(call.made, b_area[1].item.clone());
        words[7] = stub::put_string(call.areas, words[7], &b_area[1].name, 8, "Shelf.row")?;
        words[8] = stub::make(call.made, result[0].item.clone());
        words[9] = stub::put_string(call.areas, words[9], &result[0].name, 8, "Shelf.row")?;
        words[10] = stub::make(call.made, result[1].item.clone());
        words[11] = stub::put_string(call.areas, words[11], &result[1].name, 8, "Shelf.row")?;
        words[12] = stub::make(call.made, c[0].clone());
        words[13] = stub::make(call.made, c[1].clone());
        Ok(())
    }

    /// `Shelf.board`.
    #[inline(never)]
    fn op_3(service: &impl ShelfService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<21>(call.words)?;
        let a = BoardGiven {
            pair: [stub::portal_in::<Item>(call.portals, words[0]).argument("Shelf.board", "a")?, stub::portal_in::<Item>(call.portals, words[1]).argument("Shelf.board", "a")?],
            row: [PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[2]).argument("Shelf.board", "a")?, name: stub::string(call.areas, words[3], 8).argument("Shelf.board", "a")?.to_vec() }, PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[4]).argument("Shelf.board", "a")?, name: stub::string(call.areas, words[5], 8).argument("Shelf.board", "a")?.to_vec() }],
            at: stub::int::<i32>(words[6]).argument("Shelf.board", "a")?,
        };
        let b = BoardGiven {
            pair: [stub::portal_in::<Item>(call.portals, words[7]).argument("Shelf.board", "b")?, stub::portal_in::<Item>(call.portals, words[8]).argument("Shelf.board", "b")?],
            row: [PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[9]).argument("Shelf.board", "b")?, name: stub::string(call.areas, words[10], 8).argument("Shelf.board", "b")?.to_vec() }, PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[11]).argument("Shelf.board", "b")?, name: stub::string(call.areas, words[12], 8).argument("Shelf.board", "b")?.to_vec() }],
            at: stub::int::<i32>(words[13]).argument("Shelf.board", "b")?,
        };
        let (result, b_area) = service.board(call.caller, &a, &b)?;
        words[7] = stub::make(call.made, b_area.pair[0].clone());
        words[8] = stub::make(call.made, b_area.pair[1].clone());
        words[9] = stub::make(call.made, b_area.row[0].item.clone());
        words[10] = stub::put_string(call.areas, words[10], &b_area.row[0].name, 8, "Shelf.board")?;
        words[11] = stub::make(call.made, b_area.row[1].item.clone());
        words[12] = stub::put_string(call.areas, words[12], &b_area.row[1].name, 8, "Shelf.board")?;
        words[13] = stub::word(b_area.at);
        words[14] = stub::make(call.made, result.pair[0].clone());
        words[15] = stub::make(call.made, result.pair[1].clone());
        words[16] = stub::make(call.made, result.row[0].item.clone());
        words[17] = stub::put_string(call.areas, words[17], &result.row[0].name, 8, "Shelf.board")?;
        words[18] = stub::make(call.made, result.row[1].item.clone());
        words[19] = stub::put_string(call.areas, words[19], &result.row[1].name, 8, "Shelf.board")?;
        words[20] = stub::word(result.at);
        Ok(())
    }

    /// `Shelf.pairs`.
    #[inline(never)]
    fn op_4(service: &impl ShelfService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 2], _| Ok([stub::portal_in::<Item>(call.portals, words[0])?, stub::portal_in::<Item>(call.portals, words[1])?]))
            .argument("Shelf.pairs", "a")?;
        let b = stub::list_in(call.areas, words[1], 2, |words: &[u64; 7], area| Ok(BoardGiven { pair: [stub::portal_in::<Item>(call.portals, words[0])?, stub::portal_in::<Item>(call.portals, words[1])?], row: [PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[2])?, name: stub::field_string(area, words[3], 8)? }, PlaceGiven { item: stub::portal_in::<Item>(call.portals, words[4])?, name: stub::field_string(area, words[5], 8)? }], at: stub::int::<i32>(words[6])? }))
            .argument("Shelf.pairs", "b")?;
        let (result, b_area) = service.pairs(call.caller, &a, &b)?;
        words[1] =
            stub::put_list(call.areas, words[1], b_area, 2, |each, area| Ok([stub::make(call.made, each.pair[0].clone()), stub::make(call.made, each.pair[1].clone()), stub::make(call.made, each.row[0].item.clone()), stub::add_string(area, &each.row[0].name, 8)?, stub::make(call.made, each.row[1].item.clone()), stub::add_string(area, &each.row[1].name, 8)?, stub::word(each.at)]), "Shelf.pairs")?;
        words[2] =
            stub::put_list(call.areas, words[2], result, 3, |each, _| Ok([stub::make(call.made, each[0].clone()), stub::make(call.made, each[1].clone())]), "Shelf.pairs")?;
        Ok(())
    }
}

