//! gRPC by tonic over a Unix socket: its own codec and transport, one thread on each side.
//!
//! Message sizes, windows and frames of HTTP/2 are made so large that 1 MiB waits for no window. Data are `Bytes`, which
//! prost reads and tonic hands over without a copy.

use bytes::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::{UnixListener, UnixStream};
use tokio::runtime::Runtime;
use tokio_stream::wrappers::UnixListenerStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

use super::{BYTES_MAX, checked, data, each, runtime, size_of};
use crate::process::{self, Server};
use crate::{Rival, text};

#[derive(Clone, PartialEq, prost::Message)]
pub struct Nothing {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Data {
    #[prost(bytes = "bytes", tag = "1")]
    pub data: Bytes,
}

mod stubs {
    include!(concat!(env!("OUT_DIR"), "/bench.Echo.rs"));
}

use stubs::echo_client::EchoClient;
use stubs::echo_server::EchoServer;

/// With room for what a message has besides.
const MESSAGE_BYTES_MAX: usize = 2 * BYTES_MAX;
const WINDOW_BYTES: u32 = 4 << 20;
const FRAME_BYTES_MAX: u32 = 1 << 20;

struct Echo;

#[tonic::async_trait]
impl stubs::echo_server::Echo for Echo {
    async fn nothing(&self, request: Request<Nothing>) -> Result<Response<Nothing>, Status> {
        Ok(Response::new(request.into_inner()))
    }

    async fn echo(&self, request: Request<Data>) -> Result<Response<Data>, Status> {
        Ok(Response::new(request.into_inner()))
    }
}

pub fn serve() -> Result<(), String> {
    let path = process::socket();
    runtime()?.block_on(async {
        let listener = UnixListener::bind(&path).map_err(text)?;
        process::end_with_client(&path);
        process::ready(&path.display().to_string())?;
        let echo = EchoServer::new(Echo)
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX);
        let server = tonic::transport::Server::builder()
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .max_frame_size(FRAME_BYTES_MAX)
            .add_service(echo);
        server.serve_with_incoming(UnixListenerStream::new(listener)).await.map_err(text)
    })
}

pub struct Client {
    echo: EchoClient<Channel>,
    data: Bytes,
    runtime: Runtime,
    _server: Server,
}

impl Client {
    pub fn start(words: &[&str]) -> Result<Client, String> {
        let (server, path) = Server::start(words)?;
        let runtime = runtime()?;
        let channel = runtime.block_on(async {
            // The address is never looked at: the connector knows the way.
            let endpoint = Endpoint::from_static("http://localhost")
                .initial_stream_window_size(WINDOW_BYTES)
                .initial_connection_window_size(WINDOW_BYTES)
                .max_frame_size(FRAME_BYTES_MAX);
            let connect = move |_| {
                let path = path.clone();
                async move { UnixStream::connect(path).await.map(TokioIo::new) }
            };
            endpoint.connect_with_connector(tower::service_fn(connect)).await.map_err(text)
        })?;
        let echo = EchoClient::new(channel)
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX);
        Ok(Client { echo, data: data().into(), runtime, _server: server })
    }
}

impl Rival for Client {
    fn calls(&mut self, key: &str, n: u64) -> Result<u64, String> {
        let Some(size) = size_of(key)? else {
            return self.runtime.block_on(each(n, || {
                let mut echo = self.echo.clone();
                async move { echo.nothing(Nothing {}).await.map(|_| 0).map_err(text) }
            }));
        };
        let data = self.data.slice(..size);
        self.runtime.block_on(each(n, || {
            let (mut echo, data) = (self.echo.clone(), data.clone());
            async move {
                let back = echo.echo(Data { data: data.clone() }).await.map_err(text)?;
                checked(&data, &back.get_ref().data)
            }
        }))
    }
}
