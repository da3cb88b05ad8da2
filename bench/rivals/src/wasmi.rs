//! wasmi, an interpreter of WebAssembly.

use std::hint::black_box;
use std::time::{Duration, Instant};

use wasmi::{Engine, Linker, Module, Store, TypedFunc};

use crate::{Rival, service};

const LOOP: &str = r#"(module
  (import "null" "read" (func $read (param i64 i64 i64) (result i64)))
  (import "null" "write" (func $write (param i64 i64 i64) (result i64)))
  (func (export "copy") (param $i i64) (param $j i64) (param $k i64)
    (loop $next
      (if (i64.gt_s (call $read (local.get $i) (local.get $j) (local.get $k)) (i64.const 0))
        (then
          (drop (call $write (local.get $i) (local.get $j) (local.get $k)))
          (br $next))))))"#;

pub struct Wasmi {
    engine: Engine,
    code: Vec<u8>,
    store: Store<()>,
    copy: TypedFunc<(i64, i64, i64), ()>,
}

impl Wasmi {
    pub fn new() -> Wasmi {
        let code = wat::parse_str(LOOP).expect("it parses");
        let engine = Engine::default();
        let module = Module::new(&engine, &code).expect("it compiles");
        let mut store = Store::new(&engine, ());
        let mut linker = Linker::new(&engine);
        linker.func_wrap("null", "read", service::read).expect("it links");
        linker.func_wrap("null", "write", service::write).expect("it links");
        let instance = linker.instantiate_and_start(&mut store, &module).expect("it starts");
        let copy = instance.get_typed_func(&store, "copy").expect("it is there");
        Wasmi { engine, code, store, copy }
    }
}

impl Rival for Wasmi {
    fn sample(&mut self, key: &str, n: i64) -> Option<Duration> {
        match key {
            "copy" => {
                let begin = Instant::now();
                self.copy.call(&mut self.store, (1, 2, 3)).expect("it runs");
                Some(begin.elapsed())
            }
            "load" => {
                let begin = Instant::now();
                for _ in 0..n {
                    black_box(Module::new(&self.engine, black_box(&self.code)).expect("it compiles"));
                }
                Some(begin.elapsed())
            }
            _ => None,
        }
    }
}
