//! As much as an operation can hold by value, over a socket, in threads with stacks of the default size and without
//! optimization: no interface that the compiler takes lets a call leave a stack.

#![deny(warnings)]

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};
use wide::*;

mod wide {
    include!("../../idl/tests/cases/modules/wide.rs");
}

struct Turns;

impl WideService for Turns {
    fn turn(
        &self,
        _: &Caller,
        a: &Pages,
        b: &Pages,
        c: &Pages,
        d: &Pages,
    ) -> Result<(Pages, Pages, Pages, Pages), Failure> {
        Ok((d.clone(), c.clone(), b.clone(), a.clone()))
    }

    fn list(&self, _: &Caller, pages: &[Pages], result: &mut PagesList<'_>) -> Result<(), Failure> {
        for page in pages.iter().rev() {
            let Pages { a, b, c, d, e, f, g, h } = page;
            assert!(result.push(a, b, c, d, e, f, g, h));
        }
        Ok(())
    }
}

fn pages(n: u8) -> Pages {
    let [a, b, c, d, e, f, g, h] = std::array::from_fn(|k| [n + k as u8; 4096]);
    Pages { a, b, c, d, e, f, g, h }
}

#[test]
fn what_an_operation_holds_by_value_leaves_no_stack() {
    let directory = tempfile::tempdir().expect("a directory");
    for threads in [Threads::PerClient, Threads::Loop] {
        let address = Address::Unix(directory.path().join(format!("{threads:?}")));
        let root = Capability::new(Wide::serve(Turns).into_object());
        let options = ServerOptions { threads, ..ServerOptions::default() };
        let _server = Server::listen(&address, options, move |_| Ok(root.clone())).expect("it listens");
        let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it serves");
        let wide = Wide::from_portal(session.root());
        let (e, f, g, h) = wide.turn(&pages(10), &pages(20), &pages(30), &pages(40)).expect("it comes back");
        assert!([e, f, g, h] == [40, 30, 20, 10].map(pages));
        let all: Vec<Pages> = (0..8).map(|n| pages(n * 9)).collect();
        let back = wide.list(&all).expect("it comes back");
        assert!(back.iter().eq(all.iter().rev()));
    }
}
