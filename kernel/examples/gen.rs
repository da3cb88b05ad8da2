//! Temporary.
use std::sync::Arc;
fn main() {
    let module = carnet_linux::linux::module().clone();
    std::fs::write("/work/d/kernel/carnet_operations.c", carnet_kernel::table(&module, "System", carnet_kernel::messages()).unwrap()).unwrap();
    let modules = [Arc::new(module)];
    for file in std::fs::read_dir("/tmp/d/p").unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "carnet") {
            let text = std::fs::read_to_string(&path).unwrap();
            match carnet_program::source::parse(&text, &modules) {
                Ok(tree) => {
                    let mut p = carnet_program::compile::compile(&tree).unwrap();
                    for (k, ins) in p.code.iter().enumerate() { eprintln!("{k}: {:?} {} {} {} {:x}", ins.op, ins.a, ins.b, ins.c, ins.d); }
                    eprintln!("{:?}", p.slots);
                    p.lines.clear();
                    let bytes = p.encode();
                    eprintln!("{} bytes", bytes.len());
                    std::fs::write(path.with_extension("cnb"), bytes).unwrap();
                }
                Err(f) => eprintln!("{}", carnet_idl::diagnostic::render("p", &text, &f)),
            }
        }
    }
}
