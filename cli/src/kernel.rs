//! `carnet run --engine kernel`: the program runs in the kernel of this machine, by the module's device, with no server.
//!
//! It makes its system calls as this process and with its rights. What it is handed for `System` means nothing: there is one kernel.

use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_kernel::device::{Answer, Device};
use carnet_kernel::{End as Ended, Memory, Outcome as Ran, messages, rule};
use carnet_portal::call::{Call, Failure, Object};
use carnet_portal::capability::{Capability, Grant};
use carnet_program::eval::{Arg as Given, Value};
use carnet_program::interp::FaultKind;
use carnet_program::limits::{Effective, LimitKind, Limits};
use carnet_program::protocol::{CallCount, End, Outcome, Receipt};
use carnet_program::source::args::Arg;
use carnet_program::tree::Const;
use carnet_program::verify::{BoundOp, Loaded, Registry, load};

use crate::args;
use crate::exit::{Problem, Reply};
use crate::identity::RunName;
use crate::report;
use crate::source::{Source, open_for};

/// The device of the module.
pub(crate) const DEVICE: &str = "/dev/carnet";

/// Whether the module is loaded.
pub(crate) fn is_there() -> bool {
    Path::new(DEVICE).exists()
}

/// Runs a program in the kernel.
///
/// # Errors
/// If it is none of system calls, the kernel rejects it, or there is no device.
pub(crate) fn run(args: &args::Run, name: &RunName) -> Result<(Reply, Source, Outcome), Problem> {
    if args.dry_run || args.trace || args.tree || args.approve.is_some() {
        return Err(Problem::usage(
            "error: the kernel knows no dry runs, traces, trees and approvals\nrun it without them, or with a server",
        ));
    }
    let module = carnet_linux::linux::module();
    let source = open_for(&args.program, module)?;
    let loaded = load(&source.bytes, &Registry::new(&[module])).map_err(|error| {
        Problem::rejected(format!(
            "error: {}: {error}\nthe kernel runs programs of linux.System alone",
            source.shown
        ))
    })?;
    let values = arguments(&source, &args.program.arguments)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as i64);
    let mut memory =
        Memory::new(&loaded, &values, now).map_err(|misfit| Problem::usage(format!("error: {misfit}")))?;
    let effective = Effective::new(&Limits::default(), &loaded.caps);
    let limits = effective.limits;
    let budget =
        [limits.instructions, limits.calls, limits.writes, limits.written, limits.memory, limits.time_ns];
    let mut device = Device::alone(Path::new(DEVICE)).map_err(|error| no_device(&error))?;
    let began = Instant::now();
    let Memory { variables, arena, .. } = &mut memory;
    let answer = device.run(&source.bytes, variables, arena, &budget);
    let time_ns = began.elapsed().as_nanos() as u64;
    let raw = match answer.map_err(|error| no_device(&error))? {
        Answer::Ran(raw) => raw,
        Answer::Rejected(fault) => {
            let what = if fault.unsupported == 1 {
                "is not supported in the kernel"
            } else {
                "is rejected by the kernel"
            };
            let at = if fault.at == u32::MAX {
                "in a table".to_owned()
            } else {
                format!("at instruction {}", fault.at)
            };
            return Err(Problem::rejected(format!(
                "error: {} {what}: {} {at}: found {:x}, expected {:x}\nnothing was run",
                source.shown,
                rule(fault.rule),
                fault.found,
                fault.expected
            )));
        }
    };
    let ran = Ran::new(raw.status, raw.detail, raw.pc, raw.amounts)
        .ok_or_else(|| Problem::failed("error: the kernel says what this version does not know"))?;
    let outcome = outcome(&loaded, &source, &effective, &memory, &ran, time_ns);
    let typed = args.typed();
    let known = report::Run::new(Some(&source), name, &typed);
    let reply = report::outcome(&known, &outcome);
    Ok((reply, source, outcome))
}

fn no_device(error: &std::io::Error) -> Problem {
    Problem::failed(format!(
        "error: cannot run it in the kernel: {DEVICE}: {error}\nload the module (kernel/ of the sources has it), or leave --engine kernel away and name a server"
    ))
}

fn arguments(source: &Source, given: &[std::ffi::OsString]) -> Result<Vec<Given>, Problem> {
    let values = source.arguments(given)?;
    let here = Capability::under(Arc::new(Here), &Grant::new());
    let one = |arg: &Arg| match arg {
        Arg::Const(Const::Int(n)) => Given::Value(Value::Int(*n)),
        Arg::Const(Const::Bool(b)) => Given::Value(Value::Bool(*b)),
        Arg::Const(Const::Enum(n)) => Given::Value(Value::Enum(*n)),
        Arg::Const(Const::Text(text)) => Given::Value(Value::Text(Arc::new(text.clone()))),
        Arg::Portal(_) => Given::Portal(here.clone()),
    };
    Ok(values.iter().map(one).collect())
}

fn outcome(
    loaded: &Loaded,
    source: &Source,
    effective: &Effective,
    memory: &Memory,
    ran: &Ran,
    time_ns: u64,
) -> Outcome {
    let mut result = None;
    let end = match ran.end {
        Ended::Done(slot) => {
            result = Some(memory.result(loaded, slot));
            End::Done
        }
        Ended::Failed(slot) => End::Failed(memory.text(slot)),
        Ended::CallFailed(error) => {
            let message =
                messages().get(usize::from(error)).copied().unwrap_or("not an error of this system");
            End::CallFailed { message: message.to_owned(), raised: true }
        }
        Ended::Limit(kind) => {
            let kind = match (kind, loaded.loops.iter().position(|l| u32::from(l.table.head) == ran.pc)) {
                (LimitKind::Loop(_), Some(at)) => LimitKind::Loop(at as u16),
                (kind, _) => kind,
            };
            let (limit, origin) = effective.limit(kind);
            End::Limit { kind, limit, used: limit, source: origin }
        }
        Ended::Fault(carnet_kernel::FaultKind::Overflow) => End::Fault(FaultKind::Overflow),
        Ended::Fault(carnet_kernel::FaultKind::Division) => End::Fault(FaultKind::DivisionByZero),
        Ended::Fault(carnet_kernel::FaultKind::Gone) => End::Fault(FaultKind::Reference),
        Ended::Fault(kind) => End::CallFailed { message: kind.to_string(), raised: false },
        Ended::Stopped | Ended::Rejected => End::Cancelled,
    };
    let counts = memory.variables[loaded.slots.len()..].chunks_exact(2);
    let calls = loaded.ops.iter().zip(counts).filter(|(_, count)| count[0] > 0);
    let calls = calls.map(|(op, count)| count_of(op, count[0], count[1])).collect();
    let [instructions, calls_made, writes, written] = ran.used;
    let receipt = Receipt { calls: calls_made, writes, written, instructions, memory: ran.memory, time_ns };
    let program = carnet_program::bytecode::View::new(&source.bytes);
    let pos = program.map_or_else(|_| carnet_program::tree::Pos::default(), |view| view.pos(ran.pc));
    Outcome { end, at: ran.pc, pos, call: None, result, calls, receipt, dry: false, kept: None }
}

fn count_of(op: &BoundOp, count: u64, failed: u64) -> CallCount {
    CallCount {
        interface: op.module.interfaces[op.interface.index()].name.clone().into(),
        operation: op.operation.name.clone().into(),
        effect: op.operation.effect,
        count,
        failed,
    }
}

/// Stands where a portal is expected: the kernel asks for none.
struct Here;

impl Object for Here {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (carnet_linux::linux::module(), InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, _call: &mut Call<'_>) -> Result<(), Failure> {
        Err(Failure::service("it is called in the kernel alone"))
    }

    fn service(&self) -> &dyn std::any::Any {
        self
    }
}
