//! The two verifiers on all that one instruction can meet: each opcode, on each combination of operands, before each kind of result;
//! and each type before a frame of each other. Needs no compiler.

use carnet_classes::class::Constant;
use carnet_classes::opcode::{Format, row};
use carnet_classes::{opcode, profile, read, verify};
use carnet_fuzz::classes::World;
use carnet_fuzz::classes::assemble::assemble;

use super::with_applet;

/// Whether the verifier of all classes and the profile accept it.
fn accepted(file: &[u8], world: &World) -> bool {
    let class = read(file).expect("a class file");
    verify(&class, world).and_then(|_| profile::check(&class)).is_ok()
}

/// Fields and methods of each kind; every method but one names them.
const MEMBERS: &str = "class A extends java/lang/Object
field bytes [B static\nfield shorts [S static\nfield ints [I static\nfield number I static\nfield own I
method of (I[B)I static\nstack 1 locals 2\niconst_0\nireturn
method do ()V\nstack 2 locals 1
getstatic A.bytes [B\npop\ngetstatic A.shorts [S\npop\ngetstatic A.ints [I\npop\ngetstatic A.number I\npop
aload_0\ngetfield A.own I\npop\niconst_0\naconst_null\ninvokestatic A.of(I[B)I\npop
aload_0\ninvokevirtual A.do()V\nldc int 7\npop\nreturn
";

/// Bytes of code that are replaced.
const ROOM: usize = 20;

const NOP: u8 = 0;
const RETURN: u8 = 177;

/// A class whose method `tried` has room for code, and where that is.
fn template(tried: &str) -> (Vec<u8>, usize) {
    let text =
        format!("{MEMBERS}method {tried} (I[I)V\nstack 4 locals 4\n{}return\n", "nop\n".repeat(ROOM - 1));
    let file = assemble(&text).expect("the template assembles");
    let code = [vec![NOP; ROOM - 1], vec![RETURN]].concat();
    let at = file.windows(ROOM).position(|window| window == code).expect("the room is found");
    (file, at)
}

/// What an operand is pushed by: int, null, `this`, int[], and the arrays of fields.
fn pushes(class: &[u8]) -> Vec<Vec<u8>> {
    let mut pushes: Vec<Vec<u8>> = [4, 1, 42, 44].map(|opcode| vec![opcode]).into();
    for (index, constant) in read(class).expect("a class file").pool.iter() {
        if let Constant::Fieldref(_) = constant {
            pushes.push([&[opcode::GETSTATIC][..], &index.0.to_be_bytes()].concat());
        }
    }
    // The fields in the order in which they are named: bytes, shorts, and three that add nothing.
    pushes.truncate(6);
    pushes
}

/// An opcode with operands of all kinds that mean something; branches and switches have frames, and so a test of their own.
fn instructions(class: &[u8]) -> Vec<Vec<u8>> {
    let constants: Vec<u16> =
        read(class).expect("a class file").pool.iter().map(|(index, _)| index.0).collect();
    let mut all = Vec::new();
    for opcode in 0..=u8::MAX {
        let with = |operands: &[u8]| [&[opcode], operands].concat();
        match row(opcode).map(|row| row.format) {
            None | Some(Format::None) => all.push(with(&[])),
            Some(Format::Byte) => all.push(with(&[5])),
            Some(Format::Short | Format::Branch2) => all.push(with(&[0, 3])),
            Some(Format::Local) => {
                all.extend((0..5).flat_map(|local| [with(&[local]), vec![opcode::WIDE, opcode, 0, local]]));
            }
            Some(Format::Iinc) => all.extend((0..5).map(|local| with(&[local, 1]))),
            Some(Format::Constant1) => all.extend(constants.iter().map(|index| with(&[*index as u8]))),
            Some(Format::Constant2) => all.extend(constants.iter().map(|index| with(&index.to_be_bytes()))),
            Some(Format::ArrayType) => all.extend((3..12).map(|ty| with(&[ty]))),
            Some(_) => {}
        }
    }
    all
}

/// Compares the verdicts on code that ends with what stores, pops or leaves a result, and `return`.
fn compare(world: &World, template: &(Vec<u8>, usize), code: &[u8], tally: &mut [usize; 2]) {
    for rest in [&[][..], &[87], &[60], &[78]] {
        let mut file = template.0.clone();
        let end = template.1 + ROOM - 1;
        let begin = end - rest.len() - code.len();
        file[begin..end - rest.len()].copy_from_slice(code);
        file[end - rest.len()..end].copy_from_slice(rest);
        let (small, large) = (with_applet(&file, |_| ()), accepted(&file, world));
        assert_eq!(small.is_ok(), large, "{code:?} {rest:?}: {small:?}");
        tally[usize::from(large)] += 1;
    }
}

#[test]
fn each_instruction_on_each_operands() {
    let world = World::of(&[]);
    let mut tally = [0; 2];
    for tried in ["tried", "<init>"] {
        let template = template(tried);
        let (pushes, instructions) = (pushes(&template.0), instructions(&template.0));
        for instruction in &instructions {
            // Three operands are taken by few, or by those that look at no type.
            let three = matches!(instruction[0], 79..=95);
            compare(&world, &template, instruction, &mut tally);
            for first in &pushes {
                compare(&world, &template, &[&first[..], instruction].concat(), &mut tally);
                for second in &pushes {
                    compare(&world, &template, &[&first[..], second, instruction].concat(), &mut tally);
                    for third in pushes.iter().filter(|_| three) {
                        compare(
                            &world,
                            &template,
                            &[&first[..], second, third, instruction].concat(),
                            &mut tally,
                        );
                    }
                }
            }
        }
    }
    assert!(tally[0] > 10_000 && tally[1] > 1_000, "rejected and accepted: {tally:?}");
}

/// A value in a variable or on the stack, and every type that a frame may have for it, `this` initialized or not.
#[test]
fn each_type_before_each_frame() {
    const TYPES: [&str; 9] = ["top", "int", "null", "this", "A", "java/lang/Object", "[B", "[S", "[I"];
    const VALUES: [&str; 6] = [
        "iconst_0",
        "aconst_null",
        "aload_0",
        "getstatic A.bytes [B",
        "getstatic A.shorts [S",
        "getstatic A.ints [I",
    ];
    let world = World::of(&[]);
    let mut tally = [0; 2];
    let mut judge = |text: String| {
        let file = assemble(&format!("{MEMBERS}{text}")).expect("it assembles");
        let (small, large) = (with_applet(&file, |_| ()), accepted(&file, &world));
        assert_eq!(small.is_ok(), large, "{text}: {small:?}");
        tally[usize::from(large)] += 1;
    };
    let initialize = "aload_0\ninvokespecial java/lang/Object.<init>()V\n";
    for (name, early) in [("tried", ""), ("<init>", ""), ("<init>", initialize)] {
        for late in ["", initialize] {
            for this in ["this", "A", "top"] {
                for value in VALUES {
                    let store = if value == "iconst_0" { "istore_1" } else { "astore_1" };
                    for ty in TYPES {
                        let head = format!("method {name} ()V\nstack 2 locals 2\n{early}{value}\n");
                        judge(format!("{head}{store}\ngoto a\na:\nframe full {this} {ty} /\n{late}return\n"));
                        judge(format!("{head}goto a\na:\nframe full {this} / {ty}\n{late}return\n"));
                    }
                }
            }
        }
    }
    assert!(tally[0] > 500 && tally[1] > 100, "rejected and accepted: {tally:?}");
}
