//! Cap'n Proto's RPC over a Unix socket, one thread on each side, with buffers around the socket as its examples have.

use std::rc::Rc;

use capnp::message::ReaderOptions;
use capnp_rpc::rpc_twoparty_capnp::Side;
use capnp_rpc::twoparty::VatNetwork;
use capnp_rpc::{RpcSystem, new_client};
use futures_util::io::{AsyncReadExt as _, BufReader, BufWriter};
use tokio::net::{UnixListener, UnixStream};
use tokio::runtime::Runtime;
use tokio::task::{LocalSet, spawn_local};
use tokio_util::compat::TokioAsyncReadCompatExt as _;

use super::{checked, data, each, runtime, size_of};
use crate::echo_capnp::echo;
use crate::process::{self, Server};
use crate::{Rival, text};

struct Echo;

impl echo::Server for Echo {
    async fn nothing(
        self: Rc<Self>,
        _: echo::NothingParams,
        _: echo::NothingResults,
    ) -> Result<(), capnp::Error> {
        Ok(())
    }

    async fn echo(
        self: Rc<Self>,
        params: echo::EchoParams,
        mut results: echo::EchoResults,
    ) -> Result<(), capnp::Error> {
        results.get().set_data(params.get()?.get_data()?);
        Ok(())
    }
}

fn network(stream: UnixStream, side: Side) -> Box<VatNetwork<impl futures_util::AsyncRead>> {
    let (reader, writer) = stream.compat().split();
    let options = ReaderOptions::new();
    Box::new(VatNetwork::new(BufReader::new(reader), BufWriter::new(writer), side, options))
}

pub fn serve() -> Result<(), String> {
    let path = process::socket();
    LocalSet::new().block_on(&runtime()?, async {
        let listener = UnixListener::bind(&path).map_err(text)?;
        process::end_with_client(&path);
        process::ready(&path.display().to_string())?;
        let (stream, _) = listener.accept().await.map_err(text)?;
        // Nobody else comes. The connection may end before this process is told to.
        std::fs::remove_file(&path).map_err(text)?;
        let echo: echo::Client = new_client(Echo);
        RpcSystem::new(network(stream, Side::Server), Some(echo.client)).await.map_err(text)
    })
}

pub struct Client {
    echo: echo::Client,
    data: Vec<u8>,
    tasks: LocalSet,
    runtime: Runtime,
    _server: Server,
}

impl Client {
    pub fn start(words: &[&str]) -> Result<Client, String> {
        let (server, path) = Server::start(words)?;
        let (runtime, tasks) = (runtime()?, LocalSet::new());
        let echo = tasks.block_on(&runtime, async {
            let stream = UnixStream::connect(path).await.map_err(text)?;
            let mut system = RpcSystem::new(network(stream, Side::Client), None);
            let echo: echo::Client = system.bootstrap(Side::Server);
            spawn_local(system);
            Ok::<_, String>(echo)
        })?;
        Ok(Client { echo, data: data(), tasks, runtime, _server: server })
    }
}

impl Rival for Client {
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String> {
        let Some(size) = size_of(key)? else {
            let call = || async { self.echo.nothing_request().send().promise.await.map(|_| 0).map_err(text) };
            return self.tasks.block_on(&self.runtime, each(n, call));
        };
        let (echo, data) = (&self.echo, &self.data[..size]);
        let call = || async move {
            let mut request = echo.echo_request();
            request.get().set_data(data);
            let response = request.send().promise.await.map_err(text)?;
            checked(data, response.get().and_then(|results| results.get_data()).map_err(text)?)
        };
        self.tasks.block_on(&self.runtime, each(n, call))
    }
}
