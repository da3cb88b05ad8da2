//! A service of one's own, from its interface to a program that uses it.
//!
//! One process plays all parts, so that the whole is seen on one page: it serves counters on a socket, calls them
//! through a portal, and sends a program. The book explains it step by step (`docs/book/services.md`).
//!
//! ```text
//! counter.idl ─ build.rs ─► mod counter ─┬─ service.rs implements its traits ─► Server, Programs
//!                                        └─ clients: portals; raise_all.carnet ─► bytecode ─► run
//! ```

mod service;

/// Stubs of the interface `counter.idl`.
pub mod counter {
    include!(concat!(env!("OUT_DIR"), "/counter.rs"));
}

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, Outcome, RunId, RunOptions, RunRequest};
use carnet_program::{compile, source};

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let address = std::env::args().nth(1).unwrap_or_else(|| "unix:./counter.sock".to_owned());
    let address: Address = address.parse()?;
    let programs = Arc::new(Programs::new(&[counter::module()], Policy::default()));
    let server = serve(&address, &programs)?;
    let transport = RemoteSession::connect(&address, ConnectOptions::default())?;
    call(&transport)?;
    send(&transport)?;
    drop(transport);
    programs.close();
    server.shutdown(Instant::now() + Duration::from_secs(5));
    Ok(())
}

/// Serves counters, to calls and to programs.
fn serve(address: &Address, programs: &Arc<Programs>) -> Result<Server, Box<dyn Error>> {
    let options = ServerOptions {
        name: "counter".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        entry: Some(Arc::<Programs>::clone(programs)),
        meter: Some(Arc::<Programs>::clone(programs)),
        ..ServerOptions::default()
    };
    let bank = service::all().into_object();
    Ok(Server::listen(address, options, move |_: &Caller| Ok(Capability::new(Arc::clone(&bank))))?)
}

/// Single calls: each is a round trip.
fn call(transport: &Arc<RemoteSession>) -> Done {
    let bank = counter::Bank::from_portal(transport.root());
    for name in ["web.hits", "web.errors", "mail.sent"] {
        bank.make(name.as_bytes())?;
    }
    let hits = bank.open(b"web.hits")?;
    hits.add(40)?;
    println!("web.hits is {}", hits.value()?);
    match bank.at(b"web.")?.open(b"mail.sent") {
        Ok(_) => println!("a narrow bank opened what it must not"),
        Err(refused) => println!("mail.sent through web.: {refused}"),
    }
    Ok(())
}

/// A program: many calls, one round trip.
fn send(transport: &Arc<RemoteSession>) -> Done {
    let text = include_str!("../raise_all.carnet");
    let interfaces = [Arc::new(counter::module().clone())];
    let tree = source::parse(text, &interfaces)
        .map_err(|faults| carnet_idl::diagnostic::render("raise_all.carnet", text, &faults))?;
    let bytes = compile::compile_to_bytes(&tree)?;
    let mut request = RunRequest {
        id: RunId(1),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: vec![Argument::Named(b"web."), Argument::Scalar(2)],
        program: (&bytes).into(),
    };
    let client = Client::new(Arc::clone(transport));
    println!("{}", client.bill(&request)?.bill.map_err(|faults| faults[0].to_string())?);
    let outcome = client.run(&request, &[])?;
    show(&outcome)?;

    // The same identity again: the stored outcome comes back, and nothing runs twice.
    assert_eq!(client.run(&request, &[])?, outcome);

    // A dry run of its own identity: what would it change?
    (request.id, request.options.dry) = (RunId(2), true);
    let outcome = client.run(&request, &[])?;
    for call in &outcome.calls {
        println!("dry: {call}");
    }
    Ok(())
}

/// A record of two integers comes back as two words.
fn show(outcome: &Outcome) -> Done {
    let result = match (&outcome.end, &outcome.result) {
        (End::Done, Some(result)) => result,
        (end, _) => return Err(format!("the program ended otherwise: {end:?}").into()),
    };
    let words: Vec<i64> =
        result.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap_or_default())).collect();
    let [counters, total] = words[..] else { return Err("the result has another shape".into()) };
    println!("done  counters={counters} total={total}");
    println!("receipt: {} calls ({} writes)", outcome.receipt.calls, outcome.receipt.writes);
    Ok(())
}
