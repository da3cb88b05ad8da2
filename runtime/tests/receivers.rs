//! Objects that are given for those of an interface without being any: the verifier takes them (JVMS 4.10.1.2), calls do not.
//! What is expected is what HotSpot says.

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_runtime::domain::{CallError, Domain, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// `Base.plain` and `Some.own` return 1 and 2; the static methods of `Some` call what they are called after.
const SOME: &str = "class Some extends java/lang/Object
flags public interface abstract
implements Base
method own ()I private
  stack 1 locals 1
  iconst_2
  ireturn
method own_through (LSome;)I public static
  stack 1 locals 1
  aload_0
  invokeinterface interface Some.own()I 1
  ireturn
method own_special (LSome;)I public static
  stack 1 locals 1
  aload_0
  invokespecial interface Some.own()I
  ireturn
method plain_through (LSome;)I public static
  stack 1 locals 1
  aload_0
  invokeinterface interface Base.plain()I 1
  ireturn
method plain_special (LSome;)I public static
  stack 1 locals 1
  aload_0
  invokespecial interface Base.plain()I
  ireturn
method hash_through (LSome;)I public static
  stack 1 locals 1
  aload_0
  invokeinterface interface Some.hashCode()I 1
  pop
  iconst_3
  ireturn
method clone_of (LSome;)I public static
  stack 2 locals 1
  aload_0
  invokespecial java/lang/Object.clone()Ljava/lang/Object;
  pop
  iconst_4
  ireturn
method cells ()I public static
  stack 2 locals 0
  iconst_5
  newarray 10
  invokevirtual [I.clone()Ljava/lang/Object;
  checkcast [I
  arraylength
  ireturn";

const BASE: &str = "class Base extends java/lang/Object
flags public interface abstract
method plain ()I public
  stack 1 locals 1
  iconst_1
  ireturn";

const ONE: &str = "class One extends java/lang/Object
implements Some
method <init> ()V public
  stack 1 locals 1
  aload_0
  invokespecial java/lang/Object.<init>()V
  return";

/// Calls a method of `Some` with an object that is one, then with one that is none, then with the first again, from the same place.
const USE: &str = "class Use extends java/lang/Object
method NAME (I)I public static
  stack 2 locals 1
  iload_0
  ifeq other
  new One
  dup
  invokespecial One.<init>()V
  goto call
other:
  frame same
  ldc \"none\"
call:
  frame same1 java/lang/Object
  invokestatic interface Some.NAME(LSome;)I
  ireturn";

fn domain() -> Option<Domain> {
    let Some(jdk) = installed_jdk() else {
        println!("skipped: no JDK (make setup)");
        return None;
    };
    let universe = Universe::new(Library::open(Some(&jdk), &[]).expect("a JDK")).expect("core classes");
    let give = |name: &str, text: &str| {
        universe.give(name, assemble(text).expect("the text is right")).expect("a new class");
    };
    [("Base", BASE), ("Some", SOME), ("One", ONE)].into_iter().for_each(|(name, text)| give(name, text));
    for name in NAMES {
        give(
            &format!("Use_{name}"),
            &USE.replace("class Use", &format!("class Use_{name}")).replace("NAME", name),
        );
    }
    let mut domain = Domain::new(universe, Limits::default(), Io::none()).expect("a domain");
    domain.boot().expect("the library begins");
    Some(domain)
}

const NAMES: [&str; 6] =
    ["own_through", "own_special", "plain_through", "plain_special", "hash_through", "clone_of"];

fn call(domain: &mut Domain, name: &str, is_one: bool) -> Result<i32, String> {
    let argument = [Value::Int(i32::from(is_one))];
    match domain.call_static(&format!("Use_{name}"), name, "(I)I", &argument) {
        Ok(Some(Value::Int(n))) => Ok(n),
        Err(CallError::Thrown(why)) => Err(why.lines().next().unwrap_or_default().to_owned()),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn who_has_not_the_interface_is_not_called_through_it() {
    let Some(mut domain) = domain() else { return };
    let missing = |interface: &str| {
        format!(
            "java.lang.IncompatibleClassChangeError: Class java.lang.String does not implement the requested interface \
             {interface}"
        )
    };
    let receiver = "java.lang.IllegalAccessError: Receiver class java.lang.String must be the current class or a subtype of \
                    interface Some";
    for (name, result, refused) in [
        ("own_through", 2, missing("Some")),
        ("own_special", 2, receiver.to_owned()),
        ("plain_through", 1, missing("Base")),
        ("plain_special", 1, receiver.to_owned()),
        ("hash_through", 3, missing("Some")),
    ] {
        for is_one in [true, false, true, false, false, true] {
            let expected = if is_one { Ok(result) } else { Err(refused.clone()) };
            assert_eq!(call(&mut domain, name, is_one), expected, "{name}");
        }
    }
}

#[test]
fn what_objects_keep_to_themselves_is_not_for_interfaces() {
    let Some(mut domain) = domain() else { return };
    let refused = "java.lang.IllegalAccessError: class Some tried to access protected method 'java.lang.Object \
                   java.lang.Object.clone()' (Some is in unnamed module of loader 'app'; java.lang.Object is in module \
                   java.base of loader 'bootstrap')";
    for is_one in [true, false] {
        assert_eq!(call(&mut domain, "clone_of", is_one), Err(refused.to_owned()));
    }
    // Arrays are cloned by everybody.
    assert_eq!(domain.call_static("Some", "cells", "()I", &[]), Ok(Some(Value::Int(5))));
}
