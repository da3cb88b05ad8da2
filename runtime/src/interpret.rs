//! The interpreter: runs the operations of one thread until it has used its slice, waits, or ends.
//!
//! The inner loop does what needs nothing but registers and heap. Whatever else there is (linking, initialization,
//! collection, calls of natives, exceptions) leaves it with an [`Event`], is done with the whole domain at hand, and goes back;
//! where an operation could not be done yet it is done again. So nothing is half done where another thread may run or
//! objects may move. Until an operation is done its frame names it; then it names the next.

mod computed;
mod events;
mod far;
mod select;
mod throw;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_classes::class::flags::SYNCHRONIZED;

use crate::class::{Body, ClassId, Kind, Method, MethodId, Shape};
use crate::code::{Code, Word, op};
use crate::domain::{Domain, Ended, MOVED_BYTES, deeper, shallower};
use crate::heap::{ELEMENTS, LOCK, NULL, Ref, Stray};
use crate::thread::{Frame, Leaving, Thread, WINDOW};
use crate::universe::Universe;

/// Why a thread stopped running for now.
#[derive(Debug)]
pub enum Stop {
    /// Its slice is over.
    Slice,
    /// It waits.
    Waits,
    /// It has nothing left to run.
    Done,
    /// The domain is ended.
    Ended(Ended),
}

/// An exception that an operation throws by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Null, where an object is needed.
    Null,
    /// An index outside of an array.
    Bounds(i32, u32),
    /// Division by zero.
    Zero,
    /// An array of less than no elements.
    Negative(i32),
    /// An object that the array cannot hold.
    Store(ClassId),
    /// An object that is of another class.
    Cast(ClassId, ClassId),
    /// A monitor that the thread does not hold.
    Monitor,
}

/// What the inner loop cannot do.
enum Event<'u> {
    /// The operation names a constant.
    Link,
    /// An exception.
    Fault(Fault),
    /// An object is thrown.
    Throw(Ref),
    /// A method is called that is no code yet, or more than code.
    Call(&'u Arc<Method>, usize),
    /// A method of an interface is called that the site does not know.
    Select(usize),
    /// The class must be initialized first.
    Initialize(ClassId),
    /// A frame is left with something to do: what it returns is in its first register.
    Return,
    /// There is no room for so many bytes.
    Collect(usize),
    /// The slice is over.
    Slice,
    /// A monitor is entered.
    Enter(Ref),
    /// A monitor is left.
    Exit(Ref),
    /// A string constant.
    String(u32),
    /// A `Class` object.
    Class(u32),
    /// Arrays of arrays.
    Arrays,
    /// A method that takes any arguments.
    Handle,
    /// Variables that operations cannot name.
    Far,
    /// Something that cannot be.
    Stray,
}

impl From<Stray> for Event<'_> {
    fn from(_: Stray) -> Self {
        Event::Stray
    }
}

/// Runs a thread for so many instructions.
///
/// Returns why it stopped, and how many of them are left; this may be less than none, since straight code is not cut.
pub fn run(domain: &mut Domain, thread: &mut Thread, fuel: i64) -> (Stop, i64) {
    let universe = Arc::clone(&domain.universe);
    let mut run = Run { universe: &universe, domain, thread, fuel, pass: NOBODY, statics: 0..0 };
    let stop = run.go();
    (stop, run.fuel)
}

struct Run<'r, 'u> {
    universe: &'u Universe,
    domain: &'r mut Domain,
    thread: &'r mut Thread,
    fuel: i64,
    /// The class that this thread initializes and that it used last: it may, though the class is not ready for others.
    pass: ClassId,
    /// The statics of that class.
    statics: std::ops::Range<usize>,
}

/// No class.
const NOBODY: ClassId = ClassId(0);

/// What the outer loop does next.
type Next = Result<(), Stop>;

fn array_bytes(kind: Kind, length: u32) -> usize {
    ELEMENTS as usize + kind.bytes() as usize * length as usize
}

impl<'u> Run<'_, 'u> {
    /// The running frame's code; `None` if there is no frame.
    fn top(&self) -> Option<(Frame, &'u Code)> {
        let frame = *self.thread.frames.last()?;
        Some((frame, self.universe.method(frame.method)?.translated()?))
    }

    /// Runs operations until one needs more than registers and heap.
    #[expect(clippy::too_many_lines, reason = "one arm for each operation, and they share the registers")]
    fn inner(&mut self) -> Option<Event<'u>> {
        let universe = self.universe;
        let (frame, mut code) = self.top()?;
        let mut pc = frame.pc as usize;
        let mut base = frame.base as usize;
        let mut fuel = self.fuel;
        let (pass, passed) = (self.pass, self.statics.clone());
        self.thread.reserve(base);
        let Thread { numbers, references, frames, holder, .. } = &mut *self.thread;
        let Domain { heap, statics, strings, mirrors, states, holders, limits, .. } = &mut *self.domain;
        let (holder, held) = (*holder, &mut holders.held[usize::from(*holder & 31)]);
        let fast = crate::domain::FRAMES_FAST.min(limits.frames as usize);
        let mut space = heap.space.objects();
        macro_rules! window {
            ($file:expr) => {
                match $file.get_mut(base..).and_then(|rest| rest.first_chunk_mut::<WINDOW>()) {
                    Some(window) => window,
                    None => return Some(Event::Stray),
                }
            };
        }
        let mut p = window!(numbers);
        let mut r = window!(references);
        let event = loop {
            let Some(word) = code.words.get(pc) else { break Event::Stray };
            let word = Word(word.load(Ordering::Acquire));
            pc += 1;
            // Registers are named in 8 bits, and a window has as many.
            macro_rules! a {
                () => {
                    word.a()
                };
            }
            macro_rules! b {
                () => {
                    word.b()
                };
            }
            macro_rules! c {
                () => {
                    word.c()
                };
            }
            macro_rules! int {
                ($at:expr) => {
                    p[$at] as i32
                };
            }
            macro_rules! long {
                ($at:expr) => {
                    p[$at] as i64
                };
            }
            macro_rules! float {
                ($at:expr) => {
                    f32::from_bits(p[$at] as u32)
                };
            }
            macro_rules! double {
                ($at:expr) => {
                    f64::from_bits(p[$at])
                };
            }
            macro_rules! set_int {
                ($value:expr) => {
                    p[a!()] = u64::from($value as u32)
                };
            }
            macro_rules! set_long {
                ($value:expr) => {
                    p[a!()] = $value as u64
                };
            }
            macro_rules! set_float {
                ($value:expr) => {
                    p[a!()] = u64::from(f32::to_bits($value))
                };
            }
            macro_rules! set_double {
                ($value:expr) => {
                    p[a!()] = f64::to_bits($value)
                };
            }
            macro_rules! ok {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(stray) => break Event::from(stray),
                    }
                };
            }
            macro_rules! not_null {
                ($object:expr) => {{
                    let object = $object;
                    if object == NULL {
                        break Event::Fault(Fault::Null);
                    }
                    object
                }};
            }
            macro_rules! jump {
                ($condition:expr) => {{
                    fuel -= c!() as i64;
                    if $condition {
                        pc = word.imm() as usize;
                        // Looked at here alone: so this stays a branch, which the processor foresees, and what comes next does
                        // not wait for the comparison.
                        if fuel < 0 {
                            break Event::Slice;
                        }
                    }
                }};
            }
            // The place of an element, if the index is within the array.
            macro_rules! element {
                ($width:literal) => {{
                    let array = not_null!(r[b!()]);
                    let length = ok!(space.length(array));
                    let index = p[c!()] as u32;
                    if index >= length {
                        break Event::Fault(Fault::Bounds(index as i32, length));
                    }
                    (array, ELEMENTS.wrapping_add(index.wrapping_mul($width)), index)
                }};
            }
            // Changes the lock bits of an object; `false` if they cannot say it.
            macro_rules! lock {
                ($object:expr, $change:expr) => {{
                    let object: Ref = $object;
                    let lock = ok!(space.u8(object, LOCK));
                    let changed = $change(lock, holder);
                    if let Some(changed) = changed {
                        *held = held.wrapping_add(u32::from(lock == 0)).wrapping_sub(u32::from(changed == 0));
                        ok!(space.set_u8(object, LOCK, changed));
                    }
                    changed.is_some()
                }};
            }
            // The result is put into the first register when nothing refuses the return any more.
            macro_rules! back {
                ($($result:expr)?) => {{
                    fuel -= c!() as i64;
                    let Some(left) = frames.pop() else { break Event::Stray };
                    if left.leaving != Leaving::Plain {
                        let is_left = match left.leaving {
                            Leaving::Monitor(object) if frames.len() > 0 => lock!(object, shallower),
                            _ => false,
                        };
                        if !is_left {
                            frames.push(left);
                            break Event::Return;
                        }
                    }
                    $($result;)?
                    let Some(below) = frames.last() else {
                        self.fuel = fuel;
                        return None;
                    };
                    let method = universe.method(below.method);
                    let Some(Body::Code(caller)) = method.and_then(|method| method.body.get()) else {
                        break Event::Stray;
                    };
                    code = caller;
                    pc = below.pc as usize + 1;
                    base = below.base as usize;
                    p = window!(numbers);
                    r = window!(references);
                    if fuel < 0 {
                        break Event::Slice;
                    }
                }};
            }
            // Calls code at once, and leaves the loop for anything else.
            macro_rules! call {
                ($method:expr) => {{
                    let method: &'u Arc<Method> = $method;
                    let first = base + word.base();
                    match method.body.get() {
                        Some(Body::Code(called))
                            if first + WINDOW <= numbers.len() && frames.len() < fast =>
                        {
                            let mut leaving = Leaving::Plain;
                            if method.has(SYNCHRONIZED) {
                                let object = references.get(first).copied().filter(|_| !method.is_static());
                                let Some(object) = object else { break Event::Call(method, first) };
                                if !lock!(object, deeper) {
                                    break Event::Call(method, first);
                                }
                                leaving = Leaving::Monitor(object);
                            }
                            if let Some(frame) = frames.last_mut() {
                                frame.pc = pc as u32 - 1;
                            }
                            frames.push(Frame { method: method.id, pc: 0, base: first as u32, leaving });
                            code = called;
                            pc = 0;
                            base = first;
                            p = window!(numbers);
                            r = window!(references);
                        }
                        _ => break Event::Call(method, first),
                    }
                }};
            }
            match word.op() {
                op::CHARGE => {
                    fuel -= i64::from(word.imm());
                    if fuel < 0 {
                        break Event::Slice;
                    }
                }
                op::MOVE => p[a!()] = p[b!()],
                op::MOVE_R => r[a!()] = r[b!()],
                op::CONST => p[a!()] = u64::from(word.imm()),
                op::CONST_LONG => p[a!()] = i64::from(word.imm() as i32) as u64,
                op::CONST_WIDE => match code.wide.get(word.imm() as usize) {
                    Some(value) => p[a!()] = *value,
                    None => break Event::Stray,
                },
                op::NULL => r[a!()] = NULL,
                op::STRING => match strings.get(word.imm() as usize) {
                    Some(string) if *string != NULL => r[a!()] = *string,
                    _ => break Event::String(word.imm()),
                },
                op::CLASS => match mirrors.get(word.imm() as usize) {
                    Some(mirror) if *mirror != NULL => r[a!()] = *mirror,
                    _ => break Event::Class(word.imm()),
                },

                op::ADD => set_int!(int!(b!()).wrapping_add(int!(c!()))),
                op::SUB => set_int!(int!(b!()).wrapping_sub(int!(c!()))),
                op::MUL => set_int!(int!(b!()).wrapping_mul(int!(c!()))),
                op::DIV => {
                    if int!(c!()) == 0 {
                        break Event::Fault(Fault::Zero);
                    }
                    set_int!(int!(b!()).wrapping_div(int!(c!())));
                }
                op::REM => {
                    if int!(c!()) == 0 {
                        break Event::Fault(Fault::Zero);
                    }
                    set_int!(int!(b!()).wrapping_rem(int!(c!())));
                }
                op::AND => set_int!(int!(b!()) & int!(c!())),
                op::OR => set_int!(int!(b!()) | int!(c!())),
                op::XOR => set_int!(int!(b!()) ^ int!(c!())),
                op::SHL => set_int!(int!(b!()).wrapping_shl(p[c!()] as u32)),
                op::SHR => set_int!(int!(b!()).wrapping_shr(p[c!()] as u32)),
                op::USHR => set_int!((int!(b!()) as u32).wrapping_shr(p[c!()] as u32)),
                op::ADD_N => set_int!(int!(b!()).wrapping_add(word.imm() as i32)),
                op::MUL_N => set_int!(int!(b!()).wrapping_mul(word.imm() as i32)),
                op::DIV_N => match int!(b!()).checked_div(word.imm() as i32) {
                    Some(quotient) => set_int!(quotient),
                    // Only the least number divided by -1 has no quotient.
                    None => set_int!(i32::MIN),
                },
                op::REM_N => set_int!(int!(b!()).checked_rem(word.imm() as i32).unwrap_or(0)),
                op::AND_N => set_int!(int!(b!()) & word.imm() as i32),
                op::SHL_N => set_int!(int!(b!()).wrapping_shl(word.imm())),
                op::SHR_N => set_int!(int!(b!()).wrapping_shr(word.imm())),
                op::USHR_N => set_int!((int!(b!()) as u32).wrapping_shr(word.imm())),
                op::NEG => set_int!(int!(b!()).wrapping_neg()),
                op::ADD_L => set_long!(long!(b!()).wrapping_add(long!(c!()))),
                op::SUB_L => set_long!(long!(b!()).wrapping_sub(long!(c!()))),
                op::MUL_L => set_long!(long!(b!()).wrapping_mul(long!(c!()))),
                op::DIV_L => {
                    if long!(c!()) == 0 {
                        break Event::Fault(Fault::Zero);
                    }
                    set_long!(long!(b!()).wrapping_div(long!(c!())));
                }
                op::REM_L => {
                    if long!(c!()) == 0 {
                        break Event::Fault(Fault::Zero);
                    }
                    set_long!(long!(b!()).wrapping_rem(long!(c!())));
                }
                op::AND_L => p[a!()] = p[b!()] & p[c!()],
                op::OR_L => p[a!()] = p[b!()] | p[c!()],
                op::XOR_L => p[a!()] = p[b!()] ^ p[c!()],
                op::SHL_L => set_long!(long!(b!()).wrapping_shl(p[c!()] as u32)),
                op::SHR_L => set_long!(long!(b!()).wrapping_shr(p[c!()] as u32)),
                op::USHR_L => p[a!()] = p[b!()].wrapping_shr(p[c!()] as u32),
                op::ADD_LN => set_long!(long!(b!()).wrapping_add(i64::from(word.imm() as i32))),
                op::NEG_L => set_long!(long!(b!()).wrapping_neg()),
                op::COMPARE_L => set_int!(long!(b!()).cmp(&long!(c!())) as i32),
                op::ADD_F => set_float!(float!(b!()) + float!(c!())),
                op::SUB_F => set_float!(float!(b!()) - float!(c!())),
                op::MUL_F => set_float!(float!(b!()) * float!(c!())),
                op::DIV_F => set_float!(float!(b!()) / float!(c!())),
                op::REM_F => set_float!(float!(b!()) % float!(c!())),
                op::NEG_F => set_float!(-float!(b!())),
                op::COMPARE_FL => {
                    set_int!(float!(b!()).partial_cmp(&float!(c!())).map_or(-1, |order| order as i32))
                }
                op::COMPARE_FG => {
                    set_int!(float!(b!()).partial_cmp(&float!(c!())).map_or(1, |order| order as i32))
                }
                op::ADD_D => set_double!(double!(b!()) + double!(c!())),
                op::SUB_D => set_double!(double!(b!()) - double!(c!())),
                op::MUL_D => set_double!(double!(b!()) * double!(c!())),
                op::DIV_D => set_double!(double!(b!()) / double!(c!())),
                op::REM_D => set_double!(double!(b!()) % double!(c!())),
                op::NEG_D => set_double!(-double!(b!())),
                op::COMPARE_DL => {
                    set_int!(double!(b!()).partial_cmp(&double!(c!())).map_or(-1, |order| order as i32))
                }
                op::COMPARE_DG => {
                    set_int!(double!(b!()).partial_cmp(&double!(c!())).map_or(1, |order| order as i32))
                }
                op::I2L => set_long!(i64::from(int!(b!()))),
                op::I2F => set_float!(int!(b!()) as f32),
                op::I2D => set_double!(f64::from(int!(b!()))),
                op::L2I => set_int!(p[b!()]),
                op::L2F => set_float!(long!(b!()) as f32),
                op::L2D => set_double!(long!(b!()) as f64),
                op::F2I => set_int!(float!(b!()) as i32),
                op::F2L => set_long!(float!(b!()) as i64),
                op::F2D => set_double!(f64::from(float!(b!()))),
                op::D2I => set_int!(double!(b!()) as i32),
                op::D2L => set_long!(double!(b!()) as i64),
                op::D2F => set_float!(double!(b!()) as f32),
                op::I2B => set_int!(i32::from(p[b!()] as i8)),
                op::I2C => set_int!(u32::from(p[b!()] as u16)),
                op::I2S => set_int!(i32::from(p[b!()] as i16)),

                op::LOAD_8 => {
                    let (array, at, _) = element!(1);
                    set_int!(i32::from(ok!(space.u8(array, at)) as i8));
                }
                op::LOAD_CHAR => {
                    let (array, at, _) = element!(2);
                    set_int!(u32::from(ok!(space.u16(array, at))));
                }
                op::LOAD_SHORT => {
                    let (array, at, _) = element!(2);
                    set_int!(i32::from(ok!(space.u16(array, at)) as i16));
                }
                op::LOAD_32 => {
                    let (array, at, _) = element!(4);
                    p[a!()] = u64::from(ok!(space.u32(array, at)));
                }
                op::LOAD_64 => {
                    let (array, at, _) = element!(8);
                    p[a!()] = ok!(space.u64(array, at));
                }
                op::LOAD_R => {
                    let (array, at, _) = element!(4);
                    r[a!()] = ok!(space.u32(array, at));
                }
                op::STORE_8 => {
                    let (array, at, _) = element!(1);
                    let mut value = p[a!()] as u8;
                    if ok!(space.class_of(array)) == universe.primitive_array(Kind::Boolean) {
                        value &= 1;
                    }
                    ok!(space.set_u8(array, at, value));
                }
                op::STORE_16 => {
                    let (array, at, _) = element!(2);
                    ok!(space.set_u16(array, at, p[a!()] as u16));
                }
                op::STORE_32 => {
                    let (array, at, _) = element!(4);
                    ok!(space.set_u32(array, at, p[a!()] as u32));
                }
                op::STORE_64 => {
                    let (array, at, _) = element!(8);
                    ok!(space.set_u64(array, at, p[a!()]));
                }
                op::STORE_R => {
                    let (array, at, _) = element!(4);
                    let value = r[a!()];
                    if value != NULL {
                        let class = ok!(space.class_of(value));
                        let of = universe.class(ok!(space.class_of(array)));
                        let Some(Shape::References { element }) = of.map(|class| class.shape) else {
                            break Event::Stray;
                        };
                        if class != element && !universe.is_subclass(class, element) {
                            break Event::Fault(Fault::Store(class));
                        }
                    }
                    ok!(space.set_u32(array, at, value));
                }
                op::LENGTH => {
                    let array = not_null!(r[b!()]);
                    p[a!()] = u64::from(ok!(space.length(array)));
                }

                op::GOTO => jump!(true),
                op::LOOP => {
                    let counted = int!(a!()).wrapping_add(i32::from(word.imm() as i8));
                    set_int!(counted);
                    fuel -= c!() as i64;
                    if counted < int!(b!()) {
                        pc = (word.imm() >> 8) as usize;
                        if fuel < 0 {
                            break Event::Slice;
                        }
                    }
                }
                op::IF_EQ => jump!(int!(a!()) == int!(b!())),
                op::IF_NE => jump!(int!(a!()) != int!(b!())),
                op::IF_LT => jump!(int!(a!()) < int!(b!())),
                op::IF_GE => jump!(int!(a!()) >= int!(b!())),
                op::IF_GT => jump!(int!(a!()) > int!(b!())),
                op::IF_LE => jump!(int!(a!()) <= int!(b!())),
                op::IF_EQ_N => jump!(int!(a!()) == i32::from(b!() as i8)),
                op::IF_NE_N => jump!(int!(a!()) != i32::from(b!() as i8)),
                op::IF_LT_N => jump!(int!(a!()) < i32::from(b!() as i8)),
                op::IF_GE_N => jump!(int!(a!()) >= i32::from(b!() as i8)),
                op::IF_GT_N => jump!(int!(a!()) > i32::from(b!() as i8)),
                op::IF_LE_N => jump!(int!(a!()) <= i32::from(b!() as i8)),
                op::IF_EQ_L => jump!(long!(a!()) == long!(b!())),
                op::IF_NE_L => jump!(long!(a!()) != long!(b!())),
                op::IF_LT_L => jump!(long!(a!()) < long!(b!())),
                op::IF_GE_L => jump!(long!(a!()) >= long!(b!())),
                op::IF_GT_L => jump!(long!(a!()) > long!(b!())),
                op::IF_LE_L => jump!(long!(a!()) <= long!(b!())),
                op::IF_SAME => jump!(r[a!()] == r[b!()]),
                op::IF_OTHER => jump!(r[a!()] != r[b!()]),
                op::IF_NULL => jump!(r[a!()] == NULL),
                op::IF_SOME => jump!(r[a!()] != NULL),
                op::SWITCH => {
                    fuel -= c!() as i64;
                    let Some(switch) = code.switches.get(word.imm() as usize) else { break Event::Stray };
                    pc = switch.target(int!(a!())) as usize;
                    if fuel < 0 {
                        break Event::Slice;
                    }
                }
                op::RETURN => back!(p[0] = p[a!()]),
                op::RETURN_R => back!(r[0] = r[a!()]),
                op::RETURN_VOID => back!(),
                op::THROW => {
                    fuel -= c!() as i64;
                    break Event::Throw(not_null!(r[a!()]));
                }
                op::ENTER => {
                    let object = not_null!(r[a!()]);
                    if !lock!(object, deeper) {
                        break Event::Enter(object);
                    }
                }
                op::EXIT => {
                    let object = not_null!(r[a!()]);
                    if !lock!(object, shallower) {
                        break Event::Exit(object);
                    }
                }

                op::GET_8 => {
                    let object = not_null!(r[b!()]);
                    set_int!(i32::from(ok!(space.u8(object, word.imm())) as i8));
                }
                op::GET_CHAR => {
                    let object = not_null!(r[b!()]);
                    set_int!(u32::from(ok!(space.u16(object, word.imm()))));
                }
                op::GET_SHORT => {
                    let object = not_null!(r[b!()]);
                    set_int!(i32::from(ok!(space.u16(object, word.imm())) as i16));
                }
                op::GET_32 => {
                    let object = not_null!(r[b!()]);
                    p[a!()] = u64::from(ok!(space.u32(object, word.imm())));
                }
                op::GET_64 => {
                    let object = not_null!(r[b!()]);
                    p[a!()] = ok!(space.u64(object, word.imm()));
                }
                op::GET_R => {
                    let object = not_null!(r[b!()]);
                    r[a!()] = ok!(space.u32(object, word.imm()));
                }
                op::PUT_8 => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u8(object, word.imm(), p[a!()] as u8));
                }
                op::PUT_BOOLEAN => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u8(object, word.imm(), p[a!()] as u8 & 1));
                }
                op::PUT_16 => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u16(object, word.imm(), p[a!()] as u16));
                }
                op::PUT_32 => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u32(object, word.imm(), p[a!()] as u32));
                }
                op::PUT_64 => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u64(object, word.imm(), p[a!()]));
                }
                op::PUT_R => {
                    let object = not_null!(r[b!()]);
                    ok!(space.set_u32(object, word.imm(), r[a!()]));
                }
                op::GET_STATIC | op::GET_STATIC_R | op::PUT_STATIC | op::PUT_STATIC_R => {
                    let at = word.imm() as usize;
                    let place = match statics.get_mut(at) {
                        Some(field) if field.is_ready || passed.contains(&at) => &mut field.value,
                        _ => break Event::Link,
                    };
                    match word.op() {
                        op::GET_STATIC => p[a!()] = *place,
                        op::GET_STATIC_R => r[a!()] = *place as Ref,
                        op::PUT_STATIC => *place = p[a!()],
                        _ => *place = u64::from(r[a!()]),
                    }
                }
                op::NEW => {
                    let class = ClassId(word.imm());
                    if states.get(class.0 as usize) != Some(&crate::domain::READY) && class != pass {
                        break Event::Initialize(class);
                    }
                    let Some(of) = universe.class(class) else { break Event::Stray };
                    match space.allocate(class, of.bytes as usize) {
                        Ok(object) => r[a!()] = object,
                        Err(_) => break Event::Collect(of.bytes as usize),
                    }
                }
                op::NEW_ARRAY => {
                    let class = ClassId(word.imm());
                    let length = int!(b!());
                    let Ok(count) = u32::try_from(length) else {
                        break Event::Fault(Fault::Negative(length));
                    };
                    let kind = universe.class(class).and_then(|class| class.elements());
                    let Some(kind) = kind else { break Event::Stray };
                    let bytes = array_bytes(kind, count);
                    match space.allocate(class, bytes) {
                        Ok(array) => {
                            fuel -= (bytes / MOVED_BYTES) as i64;
                            ok!(space.set_u32(array, crate::heap::LENGTH, count));
                            r[a!()] = array;
                        }
                        Err(_) => break Event::Collect(bytes),
                    }
                }
                op::NEW_ARRAYS => break Event::Arrays,
                op::CAST => {
                    let object = r[b!()];
                    if object != NULL {
                        let (class, of) = (ok!(space.class_of(object)), ClassId(word.imm()));
                        if class != of && !universe.is_subclass(class, of) {
                            break Event::Fault(Fault::Cast(class, of));
                        }
                    }
                }
                op::IS_A => {
                    let object = r[b!()];
                    p[a!()] = match object {
                        NULL => 0,
                        _ => {
                            u64::from(universe.is_subclass(ok!(space.class_of(object)), ClassId(word.imm())))
                        }
                    };
                }
                op::CALL => match universe.method(MethodId(word.imm())) {
                    Some(method) => {
                        if !method.is_static() {
                            match references.get(base + word.base()) {
                                Some(&NULL) => break Event::Fault(Fault::Null),
                                Some(_) => {}
                                None => break Event::Stray,
                            }
                        }
                        call!(method);
                    }
                    None => break Event::Stray,
                },
                op::CALL_STATIC => match universe.method(MethodId(word.imm())) {
                    Some(method) => {
                        if states.get(method.class.0 as usize) != Some(&crate::domain::READY)
                            && method.class != pass
                        {
                            break Event::Initialize(method.class);
                        }
                        call!(method);
                    }
                    None => break Event::Stray,
                },
                op::CALL_VIRTUAL => {
                    let object = match references.get(base + word.base()) {
                        Some(object) => not_null!(*object),
                        None => break Event::Stray,
                    };
                    let class = universe.class(ok!(space.class_of(object)));
                    match class.and_then(|class| class.table.get(word.imm() as usize)) {
                        Some(method) => call!(method),
                        None => break Event::Stray,
                    }
                }
                op::CALL_INTERFACE => {
                    let object = match references.get(base + word.base()) {
                        Some(object) => not_null!(*object),
                        None => break Event::Stray,
                    };
                    let class = ok!(space.class_of(object));
                    let Some(site) = code.sites.get(word.c()) else {
                        break Event::Select(base + word.base());
                    };
                    let known = site.load(Ordering::Acquire);
                    if (known >> 32) as u32 != class.0 {
                        break Event::Select(base + word.base());
                    }
                    match universe.method(MethodId(known as u32)) {
                        Some(method) => call!(method),
                        None => break Event::Stray,
                    }
                }
                op::CALL_HANDLE => break Event::Handle,
                op::FAR_ENTER..=op::FAR_PUT_R => break Event::Far,
                op::LINK_CONSTANT..=op::LINK_CALL_DYNAMIC => break Event::Link,
                _ => break Event::Stray,
            }
        };
        self.fuel = fuel;
        if let Some(frame) = frames.last_mut() {
            // Nothing else leaves the loop after an operation, and not within one.
            let is_done = matches!(event, Event::Slice);
            frame.pc = (pc as u32).saturating_sub(u32::from(!is_done));
        }
        Some(event)
    }
}
