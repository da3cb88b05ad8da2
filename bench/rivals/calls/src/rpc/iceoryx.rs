//! iceoryx2's request-response through shared memory, whose answer is read where it lies.
//!
//! Its requests and responses wake nobody: who waits for one looks again and again, which is for two processors, since
//! it would keep the processor from the other on one. To sleep, its authors pair it with an event service: each side
//! tells the other that something is there.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use iceoryx2::active_request::ActiveRequest;
use iceoryx2::port::client::Client as RequestPort;
use iceoryx2::port::listener::Listener;
use iceoryx2::port::notifier::Notifier;
use iceoryx2::prelude::{LogLevel, Node, NodeBuilder, ServiceName, ipc, set_log_level};
use iceoryx2::service::port_factory::event::PortFactory as Events;
use iceoryx2::service::port_factory::request_response::PortFactory as Requests;

use super::{BYTES_MAX, checked, data, size_of};
use crate::process::{self, Server};
use crate::{Rival, text};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Polling,
    Events,
}

impl FromStr for How {
    type Err = String;

    fn from_str(text: &str) -> Result<How, String> {
        match text {
            "polling" => Ok(How::Polling),
            "events" => Ok(How::Events),
            _ => Err(format!("there is no {text}")),
        }
    }
}

type Service = ipc::Service;

fn node() -> Result<Node<Service>, String> {
    set_log_level(LogLevel::Error);
    NodeBuilder::new().create::<Service>().map_err(text)
}

fn requests(node: &Node<Service>, name: &str) -> Result<Requests<Service, [u8], (), [u8], ()>, String> {
    let name: ServiceName = name.try_into().map_err(text)?;
    node.service_builder(&name).request_response::<[u8], [u8]>().open_or_create().map_err(text)
}

fn events(node: &Node<Service>, name: &str, to: &str) -> Result<Events<Service>, String> {
    let name: ServiceName = format!("{name}-to-{to}").as_str().try_into().map_err(text)?;
    node.service_builder(&name).event().open_or_create().map_err(text)
}

/// One side's way to sleep until the other has done something.
struct Bell {
    ours: Listener<Service>,
    theirs: Notifier<Service>,
}

impl Bell {
    fn new(node: &Node<Service>, name: &str, ours: &str, theirs: &str) -> Result<Bell, String> {
        let ours = events(node, name, ours)?.listener_builder().create().map_err(text)?;
        let theirs = events(node, name, theirs)?.notifier_builder().create().map_err(text)?;
        Ok(Bell { ours, theirs })
    }

    fn ring(&self) -> Result<(), String> {
        self.theirs.notify().map(|_| ()).map_err(text)
    }

    fn wait(&self) -> Result<(), String> {
        self.ours.blocking_wait(|_| ()).map(|_| ()).map_err(text)
    }
}

/// Waits for what the other side does next.
fn wait(bell: Option<&Bell>) -> Result<(), String> {
    match bell {
        Some(bell) => bell.wait(),
        None => {
            std::hint::spin_loop();
            Ok(())
        }
    }
}

pub fn serve(how: How) -> Result<(), String> {
    let (node, name) = (node()?, process::name());
    let server = requests(&node, &name)?.server_builder().initial_max_slice_len(BYTES_MAX).create();
    let server = server.map_err(text)?;
    let bell = (how == How::Events).then(|| Bell::new(&node, &name, "server", "client")).transpose()?;
    let ended = Arc::new(AtomicBool::new(false));
    let (ending, called) = (Arc::clone(&ended), name.clone());
    std::thread::spawn(move || {
        process::wait_for_end();
        ending.store(true, Ordering::Relaxed);
        if how == How::Events {
            wake(&called);
        }
    });
    process::ready(&name)?;
    while !ended.load(Ordering::Relaxed) {
        match server.receive().map_err(text)? {
            Some(request) => {
                answer(&request)?;
                bell.as_ref().map_or(Ok(()), Bell::ring)?;
            }
            None => wait(bell.as_ref())?,
        }
    }
    Ok(())
}

/// Wakes the server, which may sleep. Ports belong to one thread, so this one has its own.
fn wake(name: &str) {
    let woken = node().and_then(|node| Bell::new(&node, name, "end", "server")?.ring());
    if let Err(what) = woken {
        eprintln!("cannot wake the server, which ends the hard way: {what}");
        std::process::exit(1);
    }
}

fn answer(request: &ActiveRequest<Service, [u8], (), [u8], ()>) -> Result<(), String> {
    let data = request.payload();
    let response = request.loan_slice_uninit(data.len()).map_err(text)?;
    response.write_from_slice(data).send().map_err(text)
}

pub struct Client {
    requests: RequestPort<Service, [u8], (), [u8], ()>,
    bell: Option<Bell>,
    data: Vec<u8>,
    _server: Server,
    _node: Node<Service>,
}

impl Client {
    pub fn start(how: How, words: &[&str]) -> Result<Client, String> {
        let (server, name) = Server::start(words)?;
        let node = node()?;
        let requests = requests(&node, &name)?.client_builder().initial_max_slice_len(BYTES_MAX).create();
        let requests = requests.map_err(text)?;
        let bell = (how == How::Events).then(|| Bell::new(&node, &name, "client", "server")).transpose()?;
        Ok(Client { requests, bell, data: data(), _server: server, _node: node })
    }

    fn call(&self, data: &[u8]) -> Result<u64, String> {
        let request = self.requests.loan_slice_uninit(data.len()).map_err(text)?;
        let pending = request.write_from_slice(data).send().map_err(text)?;
        self.bell.as_ref().map_or(Ok(()), Bell::ring)?;
        loop {
            match pending.receive().map_err(text)? {
                Some(response) => return checked(data, response.payload()),
                None => wait(self.bell.as_ref())?,
            }
        }
    }
}

impl Rival for Client {
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String> {
        let data = &self.data[..size_of(key)?.unwrap_or(0)];
        (0..n).map(|_| self.call(data)).sum()
    }
}
