//! Calls that had moved a part when their run was stopped, and returned that part: the programs that ship go on behind it, so that all bytes arrive,
//! each once.

mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use carnet_linux::linux;
use carnet_program::client::Running;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Trees};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use carnet_program::source::args::args;
use carnet_program::source::parse;
use carnet_programs::{ANSWER_TCP, ASK_TCP, SEND_TCP, Shipped};
use rustix::net::sockopt::set_socket_recv_buffer_size;
use support::peer::PATIENCE;
use support::served::{Served, request, served};
use support::wait_until;

const SENDTO: u16 = 44;
const RECVFROM: u16 = 45;
const ID: u128 = 7;

/// Each engine that makes Linux calls: beside the descriptors, and from the server.
const ENGINES: [Engine; 2] = [Engine::Bytecode, Engine::Tree];

/// A run of a program that ships, in a session whose process is known.
struct Run {
    served: Served,
    engine: Engine,
    pid: i32,
    running: Option<Running>,
}

impl Run {
    fn begins(program: Shipped, engine: Engine, connect: &[u16], bind: &[u16], given: &[String]) -> Run {
        let policy = Policy { trees: Trees::Taken, ..Policy::default() };
        let served = served(false, policy, |rules| {
            (rules.network.connect, rules.network.bind) = (connect.to_vec(), bind.to_vec());
        });
        let (client, system) = served.client();
        let pid = system.getpid().expect("it lives");
        let tree = parse(program.source, &[Arc::new(linux::module().clone())]).expect("it parses");
        let values = args(&tree, given).expect("good arguments");
        let (whole, sent) = (compile_to_bytes(&tree).expect("it fits"), tree.encode());
        let program =
            if engine == Engine::Tree { RunProgram::Tree(&sent) } else { RunProgram::Whole(&whole) };
        let options = RunOptions { engine, ..RunOptions::default() };
        let arguments = values.iter().map(Argument::from).collect();
        let named = RunRequest { name: "mine", options, program, ..request(ID, &whole, arguments) };
        let running = Some(client.start(&named, &[]).expect("it begins"));
        Run { served, engine, pid, running }
    }

    /// Stops it in this call on this descriptor, when that waits.
    fn stops_in(&mut self, call: u16, fd: i32) -> Outcome {
        let begins = format!("{call} {fd:#x} ");
        let is_in = || {
            fs::read_to_string(format!("/proc/{}/syscall", self.pid)).is_ok_and(|it| it.starts_with(&begins))
        };
        // One that does not wait is over before anybody looks twice.
        wait_until(|| (0..50).all(|_| is_in()));
        assert!(self.served.client().0.cancel(RunId(ID)).expect("it answers"));
        let outcome = self.ended();
        assert_eq!(outcome.end, End::Cancelled, "{:?}", self.engine);
        outcome
    }

    fn goes_on(&mut self, from: &Outcome) {
        let options = RunOptions { engine: self.engine, ..RunOptions::default() };
        let stop = from.kept.expect("it is kept").stop;
        let request = ResumeRequest { options, ..ResumeRequest::new(RunId(ID), stop) };
        self.running = Some(self.served.client().0.resume(&request).expect("it begins"));
    }

    fn ended(&mut self) -> Outcome {
        self.running.take().expect("it runs").wait(&mut |_| {}).expect("it answers")
    }

    /// Its result, when it is done.
    fn result(&mut self) -> Vec<u8> {
        let outcome = self.ended();
        assert_eq!(outcome.end, End::Done, "{:?}", self.engine);
        outcome.result.expect("it has one")
    }
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    (listener, port)
}

/// Text of which nothing can be missing, come twice or stand elsewhere without being noticed.
fn numbered(len: usize) -> String {
    let mut text: String = (0..len.div_ceil(8)).map(|at| format!("{at:08}")).collect();
    text.truncate(len);
    text
}

fn given(port: u16, others: &[String]) -> Vec<String> {
    [vec!["system=".to_owned(), "ip=0x7f000001".to_owned(), format!("port={port}")], others.to_vec()].concat()
}

/// More than the system takes without a reader.
#[test]
fn what_is_sent_arrives_once() {
    const TIMES: usize = 24;
    for engine in ENGINES {
        let (listener, port) = listener();
        set_socket_recv_buffer_size(&listener, 4096).expect("it is a socket");
        let data = numbered(1 << 20);
        let others = [format!("data={data}"), format!("times={TIMES}")];
        let mut run = Run::begins(SEND_TCP, engine, &[port], &[], &given(port, &others));
        let (mut peer, _) = listener.accept().expect("it connects");
        peer.set_read_timeout(Some(PATIENCE)).expect("a time");
        // The first time in the middle of a call, the second before it has moved anything.
        for _ in 0..2 {
            let stopped = run.stops_in(SENDTO, 3);
            run.goes_on(&stopped);
        }
        let mut came = vec![0; 5 << 20];
        peer.read_exact(&mut came).expect("so much is sent");
        let stopped = run.stops_in(SENDTO, 3);
        run.goes_on(&stopped);
        let rest = thread::spawn(move || {
            let mut rest = Vec::new();
            peer.read_to_end(&mut rest).map(|_| rest)
        });
        let sent = i64::from_le_bytes(run.result().try_into().expect("a number"));
        came.extend(rest.join().expect("it ends").expect("all comes"));
        assert_eq!((sent as usize, came.len()), (TIMES << 20, TIMES << 20), "{engine:?}");
        assert!(came.chunks(1 << 20).all(|part| part == data.as_bytes()), "{engine:?}");
    }
}

#[test]
fn an_answer_comes_whole() {
    for engine in ENGINES {
        let (listener, port) = listener();
        let mut run = Run::begins(ASK_TCP, engine, &[port], &[], &given(port, &["request=hello".to_owned()]));
        let (mut peer, _) = listener.accept().expect("it connects");
        peer.set_read_timeout(Some(PATIENCE)).expect("a time");
        let mut asked = Vec::new();
        peer.read_to_end(&mut asked).expect("it says that it was all");
        assert_eq!(asked, b"hello");
        let answer = numbered(60_000);
        for part in answer.as_bytes().chunks(20_000) {
            peer.write_all(part).expect("it is taken");
            let stopped = run.stops_in(RECVFROM, 3);
            run.goes_on(&stopped);
        }
        drop(peer);
        // Behind the length of the text.
        assert!(run.result()[4..] == *answer.as_bytes(), "{engine:?}");
    }
}

#[test]
fn a_request_is_taken_whole() {
    for engine in ENGINES {
        let port = listener().1;
        let answer = numbered(64 << 10);
        let others = [format!("answer={answer}")];
        let mut run = Run::begins(ANSWER_TCP, engine, &[], &[port], &given(port, &others));
        let connected = std::cell::OnceCell::new();
        wait_until(|| {
            TcpStream::connect(("127.0.0.1", port)).is_ok_and(|stream| connected.set(stream).is_ok())
        });
        let mut client = connected.into_inner().expect("it listens");
        client.set_read_timeout(Some(PATIENCE)).expect("a time");
        for _ in 0..3 {
            client.write_all(b"a part, ").expect("it is taken");
            let stopped = run.stops_in(RECVFROM, 4);
            run.goes_on(&stopped);
        }
        client.shutdown(Shutdown::Write).expect("it is open");
        let mut came = Vec::new();
        client.read_to_end(&mut came).expect("it is answered");
        assert!(came == answer.as_bytes(), "{engine:?}: {} bytes", came.len());
        assert_eq!(run.result(), 24_i64.to_le_bytes(), "{engine:?}");
    }
}
