//! What an applet is refused for, what ends its calls, and what its host does for it. Needs no JDK, but for Figure 2.

use carnet_applet::{Alone, Applet, Heap, Memory, Natives, Rule, Stop, Stopped};
use carnet_fuzz::classes::assemble::assemble;

use super::{call, compiled, with_applet};

const HEAD: &str = "class A extends java/lang/Object\n";

/// An applet of these members.
fn assembled(members: &str) -> Vec<u8> {
    assemble(&format!("{HEAD}{members}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The rule that a class breaks.
fn rule(file: &[u8]) -> Option<Rule> {
    with_applet(file, |_| ()).err().map(|refused| refused.rule)
}

/// A static method of this code.
fn method(code: &str) -> String {
    format!("method f ()I static\nstack 2 locals 2\n{code}")
}

#[test]
fn every_rule_refuses() {
    let good = assembled(&method("iconst_0\nireturn"));
    assert_eq!(rule(&good), None);
    assert_eq!(rule(&good[..good.len() - 1]), Some(Rule::Layout));
    assert_eq!(rule(&[&good[..], &[0]].concat()), Some(Rule::Layout));
    assert_eq!(rule(&vec![0; 1 << 16]), Some(Rule::Layout));
    let whole = [
        ("class A extends java/lang/Object\nversion 49", Rule::Version),
        ("class A extends java/lang/String", Rule::Class),
        ("class A extends java/lang/Object\nimplements java/lang/Runnable", Rule::Class),
        ("class A extends java/lang/Object\nflags interface abstract", Rule::Class),
        ("class java/lang/Object extends java/lang/Object", Rule::Class),
    ];
    for (text, expected) in whole {
        assert_eq!(rule(&assemble(text).expect("assembles")), Some(expected), "{text}");
    }
    let members = [
        ("field a J", Rule::Descriptor),
        ("field a [[I", Rule::Descriptor),
        ("field a I public private", Rule::Flags),
        ("field a I\nfield a I", Rule::Duplicate),
        ("method f ()V native\nmethod f (I)V native", Rule::Code),
        ("method f (Z)V native", Rule::Descriptor),
        ("method f ()V synchronized native", Rule::Flags),
        ("method f ()V", Rule::Code),
        ("method f ()V static\nstack 200 locals 56\nreturn", Rule::Limit),
        ("method f (I)V\nstack 0 locals 1\nreturn", Rule::Limit),
        (
            "method f ()V static\nstack 1 locals 0\na:\nreturn\nb:\nhandler a b b any\nframe same1 java/lang/Object\npop\nreturn",
            Rule::Handler,
        ),
        (
            "method f ()V static\nstack 0 locals 0\nreturn\nmethod f (I)V static\nstack 0 locals 1\nreturn",
            Rule::Duplicate,
        ),
    ];
    for (text, expected) in members {
        assert_eq!(rule(&assembled(text)), Some(expected), "{text}");
    }
    let code = [
        ("lconst_0\npop2\niconst_0\nireturn", Rule::Instruction),
        ("aconst_null\nathrow", Rule::Instruction),
        ("iconst_0", Rule::Target),
        ("goto a\nnop\na:\nframe same\niconst_0\nireturn", Rule::Target),
        ("goto a\na:\niconst_0\nireturn", Rule::Target),
        ("getstatic B.a I\nireturn", Rule::Operand),
        ("invokestatic A.g()I\nireturn", Rule::Operand),
        ("ldc float 1\nireturn", Rule::Operand),
        ("iconst_1\nnewarray 5\narraylength\nireturn", Rule::Operand),
        ("iload 2\nireturn", Rule::Operand),
        // A `lookupswitch` whose keys are not in order, at 1.
        (
            "iconst_0\nbytes ab 00 00 00 00 00 1b 00 00 00 02 00 00 00 07 00 00 00 1b 00 00 00 07 00 00 00 1b\nframe same\niconst_0\nireturn",
            Rule::Operand,
        ),
        ("bytes 11\nframe same\nbytes 00 01\nireturn", Rule::Frame),
        ("goto a\na:\nframe full B / \niconst_0\nireturn", Rule::Frame),
        ("goto a\na:\nframe append int\niconst_0\nireturn", Rule::Mismatch),
        ("pop\niconst_0\nireturn", Rule::Stack),
        ("iconst_0\ndup\ndup\nireturn", Rule::Stack),
        ("aconst_null\nireturn", Rule::Type),
        ("iconst_0\narraylength\nireturn", Rule::Type),
        ("iload_0\nireturn", Rule::Type),
    ];
    for (text, expected) in code {
        assert_eq!(rule(&assembled(&method(text))), Some(expected), "{text}");
    }
    let mut file = good.clone();
    file[10] = 99; // The tag of the first constant.
    assert_eq!(rule(&file), Some(Rule::Constant));
}

#[test]
fn memory_is_what_was_given() {
    let file = assembled(&format!("field a I static\n{}", method("iconst_0\nireturn")));
    let load = |words: usize| {
        let memory = Memory { words: &mut vec![0; words], bytes: &mut [] };
        Applet::load(&file, memory, &Alone).err().map(|refused| refused.rule)
    };
    let constants = usize::from(u16::from_be_bytes([file[8], file[9]]));
    assert_eq!(load(constants - 1), Some(Rule::Limit));
    assert_eq!(load(constants), Some(Rule::Limit));
    assert_eq!(load(constants + 1), None);
}

/// Everything that ends a call, each by a method; and the applet goes on.
#[test]
fn every_limit_ends_the_call_and_nothing_else() {
    let file = assembled(
        "field kept [I static
method endless ()V static\nstack 0 locals 0\na:\nframe same\ngoto a
method deep ()V static\nstack 0 locals 1\ninvokestatic A.deep()V\nreturn
method large ()V static\nstack 1 locals 0\nldc int 2000000000\nnewarray 10\nputstatic A.kept [I\nreturn
method index (I)I static\nstack 2 locals 1\niconst_3\nnewarray 8\niload_0\nbaload\nireturn
method size (I)V static\nstack 1 locals 1\niload_0\nnewarray 9\npop\nreturn
method divide (II)I static\nstack 2 locals 2\niload_0\niload_1\nirem\nireturn
method null ()I static\nstack 1 locals 0\naconst_null\narraylength\nireturn
method field ()V\nstack 1 locals 1\naconst_null\ninvokevirtual A.field()V\nreturn
method array ([I)V static\nstack 0 locals 1\nreturn
method fine ()I static\nstack 1 locals 0\niconst_4\nireturn",
    );
    let cases: [(&str, &[i32], Stop); 14] = [
        ("endless", &[], Stop::Instructions),
        ("deep", &[], Stop::Depth),
        ("large", &[], Stop::Memory),
        ("index", &[3], Stop::Bounds),
        ("index", &[-1], Stop::Bounds),
        ("size", &[-1], Stop::NegativeSize),
        ("divide", &[1, 0], Stop::Division),
        ("null", &[], Stop::Null),
        ("field", &[], Stop::Null),
        ("none", &[], Stop::NoMethod),
        ("fine", &[1], Stop::Arguments),
        ("divide", &[1], Stop::Arguments),
        ("array", &[1], Stop::Arguments),
        ("array", &[], Stop::Arguments),
    ];
    with_applet(&file, |applet| {
        for (name, arguments, why) in cases {
            let stopped = call(applet, name, arguments).expect_err(name);
            assert_eq!(stopped.why, why, "{name}");
            assert_eq!(call(applet, "fine", &[]), Ok(4));
        }
        assert_eq!(call(applet, "divide", &[i32::MIN, -1]), Ok(0));
        // The method and the instruction in it.
        assert_eq!(call(applet, "index", &[7]), Err(Stopped { why: Stop::Bounds, method: 3, at: 4 }));
        applet.instructions = 1;
        assert_eq!(call(applet, "fine", &[]).expect_err("two instructions").why, Stop::Instructions);
    })
    .expect("an applet");
}

#[test]
fn what_is_stored_and_returned_is_narrowed() {
    let file = assembled(
        "field small B static\nfield limit S static
method stored ()I static\nstack 1 locals 0\nsipush 300\nputstatic A.small B\ngetstatic A.small B\nireturn
method returned ()S static\nstack 1 locals 0\nldc int 70000\nireturn
method element ()I static\nstack 4 locals 0
iconst_1\nnewarray 8\ndup\niconst_0\nsipush 200\nbastore\niconst_0\nbaload\nireturn",
    );
    with_applet(&file, |applet| {
        assert_eq!(call(applet, "stored", &[]), Ok(44));
        assert_eq!(call(applet, "returned", &[]), Ok(4464));
        assert_eq!(call(applet, "element", &[]), Ok(-56));
    })
    .expect("an applet");
}

#[test]
fn clearing_and_collecting_are_charged() {
    let file = assembled(
        "field rounds I static
method make (I)V static\nstack 2 locals 1
a:\nframe same\ngetstatic A.rounds I\niconst_1\niadd\nputstatic A.rounds I\niload_0\nnewarray 8\npop\ngoto a
method rounds ()I static\nstack 1 locals 0\ngetstatic A.rounds I\nireturn",
    );
    with_applet(&file, |applet| {
        applet.instructions = 100_000;
        assert_eq!(call(applet, "make", &[8192]).expect_err("endless").why, Stop::Instructions);
        // Each round clears 8 KiB, and each but the first collects as much.
        let rounds = call(applet, "rounds", &[]).expect("a count");
        assert!((300..500).contains(&rounds), "{rounds}");
        assert!(applet.heap().used() <= super::BYTES);
    })
    .expect("an applet");
}

/// The host of Figure 2: an area of 8 KiB, and what it was told to do.
#[derive(Default)]
struct Endpoint {
    area: Vec<u8>,
    free: Vec<u32>,
    done: Vec<String>,
}

const NATIVES: [(&[u8], &[u8]); 8] = [
    (b"newAlignedArray", b"(I)[B"),
    (b"getFreeBufferLength", b"()I"),
    (b"getFreeBuffer", b"()I"),
    (b"doHtoLDMA", b"([BIII)V"),
    (b"doLtoHDMA", b"([BIII)V"),
    (b"txPush", b"([BIII)V"),
    (b"dmaRxd", b"([III)V"),
    (b"dmaRxdPayload", b"([BII)V"),
];

/// The host's own reason to refuse: a place outside of the area.
const OUTSIDE: Stop = Stop::Native(1);

impl Natives for Endpoint {
    fn find(&self, name: &[u8], descriptor: &[u8]) -> Option<u16> {
        NATIVES.iter().position(|native| *native == (name, descriptor)).map(|at| at as u16)
    }

    fn call(&mut self, number: u16, arguments: &[u32], heap: &mut Heap<'_>) -> Result<u32, Stop> {
        match (number, arguments) {
            (0, [size]) => return heap.make(*size as usize, 0),
            (1, []) => return Ok(2048),
            (2, []) => return Ok(self.free.pop().unwrap_or(u32::MAX)),
            (3 | 4, [array, at, from, length]) => {
                let [at, from, length] = [at, from, length].map(|word| *word as usize);
                let array = heap.array(*array)?.get_mut(at..at + length).ok_or(Stop::Bounds)?;
                let area = self.area.get_mut(from..from + length).ok_or(OUTSIDE)?;
                if number == 3 { array.copy_from_slice(area) } else { area.copy_from_slice(array) }
            }
            (5, [array, _, channel, length]) => {
                let sent = &heap.array(*array)?[..*length as usize];
                self.done.push(format!("sent {sent:?} to {channel}"));
            }
            (6, [offsets, channel, length]) => {
                let first = &heap.array(*offsets)?[..4];
                self.done.push(format!("received {length} from {channel} at {first:?}"));
            }
            (_, [_, channel, length]) => self.done.push(format!("received {length} from {channel}")),
            other => panic!("{other:?}"),
        }
        Ok(0)
    }
}

#[test]
fn the_applet_of_figure_2_hands_packets_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = ("RawUnet", include_str!("java/RawUnet.java"));
    let Some(files) = compiled(folder.path(), &[source]) else { return };
    for (_, file) in &files {
        assert_eq!(rule(file), Some(Rule::Code), "without its host");
        let mut endpoint = Endpoint { area: vec![7; 8192], free: vec![256], ..Endpoint::default() };
        let (mut words, mut bytes) = (vec![0; 512], vec![0; 10 << 10]);
        let memory = Memory { words: &mut words, bytes: &mut bytes };
        let mut applet = Applet::load(file, memory, &endpoint).expect("an applet");
        let mut call = |name: &str, arguments: &[i32]| {
            applet.call(name.as_bytes(), arguments, &mut endpoint).map_err(|stopped| stopped.why)
        };
        assert_eq!(call("<init>", &[]), Ok(0));
        assert_eq!(call("doTx", &[3, 5, 64]), Ok(0));
        assert_eq!(call("doRx", &[40, 6]), Ok(0));
        assert_eq!(call("doRx", &[57, 6]), Ok(0));
        assert_eq!(call("doRx", &[58, 6]), Ok(0), "dropped");
        assert_eq!(call("doTx", &[3, 5, 9000]), Err(OUTSIDE));
        assert_eq!(call("doTx", &[5000, 5, 0]), Err(Stop::Bounds));
        assert_eq!(call("txPush", &[]), Err(Stop::NoMethod));
        let first = 256u32.to_ne_bytes();
        let expected =
            ["sent [7, 7, 7] to 5", "received 40 from 6", &format!("received 57 from 6 at {first:?}")];
        assert_eq!(endpoint.done, expected);
    }
}
