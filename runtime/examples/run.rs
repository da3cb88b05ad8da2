//! Runs a class.
use carnet_classes::library::{Library, installed_jdk};
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;
fn main() {
    let mut args = std::env::args().skip(1);
    let (place, class) = (args.next().unwrap(), args.next().unwrap());
    let rest: Vec<String> = args.collect();
    let library = Library::open(installed_jdk().as_deref(), &[place.into()]).unwrap();
    let universe = Universe::new(library).unwrap();
    let mut domain = Domain::new(universe, Limits::default(), Io::process()).unwrap();
    let code = domain.run_main(&class, &rest);
    std::process::exit(code.unwrap_or(70));
}
