//! Runs a class of a folder, with small limits: `cargo run --example run_class FOLDER CLASS WORD…`.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("a folder")?);
    let class = words.next().ok_or("a class")?;
    let words: Vec<String> = words.collect();

    let library = Library::open(installed_jdk().as_deref(), &[folder])?;
    let universe = Universe::new(library)?;
    let limits = Limits { heap: 16 << 20, time: Duration::from_secs(1), ..Limits::default() };
    let mut domain = Domain::new(Arc::clone(&universe), limits, Io::process())?;
    let exit = domain.run_main(&class, &words)?;
    std::process::exit(exit);
}
