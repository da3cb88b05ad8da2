fn main() {
    let text = std::fs::read_to_string("services/linux/linux.idl").unwrap();
    let module = carnet_idl::compile_str("linux.idl", &text).map_err(|f| carnet_idl::diagnostic::render("linux.idl", &text, &f)).unwrap();
    let e: Vec<&str> = module.enums[0].values.iter().map(|s| s.as_str()).collect();
    print!("{}", carnet_kernel::table(&module, "System", &e).unwrap());
}
