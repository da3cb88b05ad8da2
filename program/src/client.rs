//! Programs from the client's side: send one, hear how it goes, ask what became of it.

use std::sync::Arc;

use carnet_portal::call::{Failure, Kind};
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ControlReply, PendingControl, RemoteSession};

use crate::protocol::{
    ASK, BILL, BillAnswer, CANCEL, DISCARD, End, INSTALLED, InstalledProgram, Outcome, Progress, RESUME, RUN,
    RUNS, Refusal, ResumeRequest, RunId, RunInfo, RunRequest, SERVICES, STATUS, ServiceInfo, Status, UNKNOWN,
    VERSION, decode_installed, decode_runs, decode_services,
};

/// Runs programs on the server at the other end of a transport.
#[derive(Clone, Debug)]
pub struct Client {
    transport: Arc<RemoteSession>,
}

/// What is known of a run that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The server knows no run of this principal with that identity: it never began, or was forgotten.
    Unknown,
    /// It is running.
    Running,
    /// It ended so.
    Ended(Box<Outcome>),
}

/// A run that was sent.
#[derive(Debug)]
pub struct Running {
    pending: PendingControl,
    /// What is sent if the server does not know the hash that was.
    whole: Option<Whole>,
}

#[derive(Debug)]
struct Whole {
    transport: Arc<RemoteSession>,
    request: Vec<u8>,
    portals: Vec<Portal>,
}

impl Client {
    /// A client over `transport`.
    #[must_use]
    pub fn new(transport: Arc<RemoteSession>) -> Client {
        Client { transport }
    }

    /// What carries it.
    #[must_use]
    pub fn transport(&self) -> &Arc<RemoteSession> {
        &self.transport
    }

    /// Runs a program: one round trip, or two if the server is sent a hash only and does not know it. `portals` are those that [`Argument::Portal`](crate::protocol::Argument)
    /// names by index.
    ///
    /// # Errors
    /// What the way to the server answered. After [`Kind::PeerDied`] or [`Kind::TimedOut`] it is unknown what took
    /// effect; [`Client::ask`] over a new connection tells.
    pub fn run(&self, request: &RunRequest<'_>, portals: &[&Portal]) -> Result<Outcome, Failure> {
        let outcome = self.send(request, portals)?.wait(&mut |_| {})?;
        match (&outcome.end, request.whole()) {
            (End::Refused(Refusal::NotCached), Some(whole)) => self.send(&whole, portals)?.wait(&mut |_| {}),
            _ => Ok(outcome),
        }
    }

    /// Sends a program without waiting for its end.
    ///
    /// # Errors
    /// As [`Client::run`].
    pub fn start(&self, request: &RunRequest<'_>, portals: &[&Portal]) -> Result<Running, Failure> {
        let mut running = self.send(request, portals)?;
        running.whole = request.whole().map(|whole| Whole {
            transport: Arc::clone(&self.transport),
            request: whole.encode(),
            portals: portals.iter().map(|portal| (*portal).clone()).collect(),
        });
        Ok(running)
    }

    fn send(&self, request: &RunRequest<'_>, portals: &[&Portal]) -> Result<Running, Failure> {
        let pending = self.transport.start_control(RUN, &request.encode(), portals)?;
        Ok(Running { pending, whole: None })
    }

    /// Lets a run go on where it stopped, without waiting for its end.
    ///
    /// # Errors
    /// As [`Client::run`].
    pub fn resume(&self, request: &ResumeRequest) -> Result<Running, Failure> {
        let pending = self.transport.start_control(RESUME, &request.encode(), &[])?;
        Ok(Running { pending, whole: None })
    }

    /// The principal's runs that have a name, and run or are kept.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn runs(&self) -> Result<Vec<RunInfo>, Failure> {
        let reply = self.control(RUNS, &[])?;
        decode_runs(&reply.data).map_err(|_| nonsense())
    }

    /// Programs that the server has installed, without their sources.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn installed(&self) -> Result<Vec<InstalledProgram>, Failure> {
        self.ask_installed("")
    }

    /// The installed program of a name, with its source. It is run by its hash, or [`RunProgram::Hash`](crate::protocol::RunProgram::Hash).
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn installed_as(&self, name: &str) -> Result<Option<InstalledProgram>, Failure> {
        Ok(self.ask_installed(name)?.into_iter().find(|program| program.name == name))
    }

    fn ask_installed(&self, name: &str) -> Result<Vec<InstalledProgram>, Failure> {
        match self.control(INSTALLED, name.as_bytes()) {
            Ok(reply) => decode_installed(&reply.data).map_err(|_| nonsense()),
            // A server that runs no programs has none installed; one in C refuses all that is no call.
            Err(failure) if matches!(failure.kind(), Kind::NoSuchOperation | Kind::Refused) => Ok(Vec::new()),
            Err(failure) => Err(failure),
        }
    }

    /// The services beside the one of the session, each with a portal on its root. Single calls are made of those as of the session's own.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn services(&self) -> Result<Vec<(ServiceInfo, Portal)>, Failure> {
        let reply = self.control(SERVICES, &[])?;
        let services = decode_services(&reply.data).map_err(|_| nonsense())?;
        match services.len() == reply.portals.len() {
            true => Ok(services.into_iter().zip(reply.portals).collect()),
            false => Err(nonsense()),
        }
    }

    /// Lets go of a run that is kept; whether it was.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn discard(&self, id: RunId) -> Result<bool, Failure> {
        self.yes_or_no(DISCARD, id)
    }

    /// Asks for a program's bill. Nothing is run.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn bill(&self, request: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        let ask = |request: &RunRequest<'_>| {
            let reply = self.control(BILL, &request.encode())?;
            BillAnswer::decode(&reply.data).map_err(|_| nonsense())
        };
        let answer = ask(request)?;
        match (&answer.refusal, request.whole()) {
            (Some(Refusal::NotCached), Some(whole)) => ask(&whole),
            _ => Ok(answer),
        }
    }

    /// Cancels a run, also from another thread or connection of the same principal; whether it was running.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn cancel(&self, id: RunId) -> Result<bool, Failure> {
        self.yes_or_no(CANCEL, id)
    }

    fn control(&self, kind: u8, data: &[u8]) -> Result<ControlReply, Failure> {
        self.transport.control(kind, data, &[], &mut |_| {}).map_err(of_another_version)
    }

    fn yes_or_no(&self, request: u8, id: RunId) -> Result<bool, Failure> {
        let reply = self.control(request, &id.0.to_le_bytes())?;
        match reply.data.as_slice() {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(nonsense()),
        }
    }

    /// Asks what became of a run.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn ask(&self, id: RunId) -> Result<Asked, Failure> {
        self.ask_with_stop(id).map(|(asked, _)| asked)
    }

    /// The same; and of a run that is running and had stopped, which of its stops it went on from: who asks for that again
    /// ([`Client::resume`]) waits for it with the others.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn ask_with_stop(&self, id: RunId) -> Result<(Asked, Option<u32>), Failure> {
        let reply = self.control(ASK, &id.0.to_le_bytes())?;
        match reply.data.split_first() {
            Some((0, [])) => Ok((Asked::Unknown, None)),
            Some((1, [])) => Ok((Asked::Running, None)),
            Some((1, stop)) => {
                let stop = stop.try_into().map_err(|_| nonsense())?;
                Ok((Asked::Running, Some(u32::from_le_bytes(stop))))
            }
            Some((2, outcome)) => {
                let outcome = Outcome::decode(outcome).map_err(|_| nonsense())?;
                Ok((Asked::Ended(Box::new(outcome)), None))
            }
            _ => Err(nonsense()),
        }
    }

    /// Asks how the server is.
    ///
    /// # Errors
    /// What the way to the server answered.
    pub fn status(&self) -> Result<Status, Failure> {
        let reply = self.control(STATUS, &[])?;
        Status::decode(&reply.data).map_err(|_| nonsense())
    }
}

impl Running {
    /// Waits for the end; `progress` hears how it goes.
    ///
    /// # Errors
    /// As [`Client::run`].
    pub fn wait(self, progress: &mut dyn FnMut(Progress)) -> Result<Outcome, Failure> {
        let mut heard = |data: &[u8]| {
            if let Ok(told) = Progress::decode(data) {
                progress(told);
            }
        };
        let decode = |data: &[u8]| Outcome::decode(data).map_err(|_| nonsense());
        let outcome = self.pending.wait_for(&mut heard, decode).map_err(of_another_version)?;
        match (&outcome.end, self.whole) {
            (End::Refused(Refusal::NotCached), Some(Whole { transport, request, portals })) => {
                let portals: Vec<&Portal> = portals.iter().collect();
                transport.start_control(RUN, &request, &portals)?.wait_for(&mut heard, decode)
            }
            _ => Ok(outcome),
        }
    }
}

/// What a server of another version says, for people.
fn of_another_version(failure: Failure) -> Failure {
    // Servers of version 1 say no more.
    if failure.kind() != Kind::Protocol || failure.details().message != UNKNOWN {
        return failure;
    }
    let why = format!(
        "the server does not speak version {VERSION} of the protocol for programs, as this client does; the older one is to be replaced"
    );
    Failure::new(Kind::Protocol, &why)
}

fn nonsense() -> Failure {
    Failure::new(Kind::Protocol, "the server's answer about a program is cut off or damaged")
}
