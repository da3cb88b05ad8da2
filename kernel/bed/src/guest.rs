//! In the emulator: programs by the API in Rust, from source to result.

use std::path::Path;

use carnet_kernel::device::{Answer, Device};
use carnet_kernel::here::{DEVICE, Here};
use carnet_kernel::{End, Memory, Outcome};
use carnet_kernel_bed::cases::Case;
use carnet_kernel_bed::programs::{compile, module};
use carnet_program::eval::{Arg, Value};
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol;
use carnet_program::verify::{Registry, load};

/// Limits of instructions, calls, writes, bytes, memory, time.
const LIMITS: [u64; 6] = [u64::MAX; 6];

fn run_one(device: &mut Device, text: &str, limits: &[u64; 6]) -> Result<(Outcome, Memory), String> {
    let program = compile("guest", &format!("use linux\n{text}"))?;
    let bytes = program.encode();
    let loaded = load(&bytes, &Registry::new(&[module()])).map_err(|error| error.to_string())?;
    let args = Case::portals(loaded.params.len());
    let mut memory = Memory::new(&loaded, &args, 5).map_err(|misfit| misfit.to_string())?;
    let Memory { variables, arena, .. } = &mut memory;
    match device.run(&bytes, variables, arena, limits).map_err(|error| error.to_string())? {
        Answer::Ran(raw) => {
            let outcome = Outcome::new(raw.status, raw.detail, raw.pc, raw.amounts);
            outcome.map(|outcome| (outcome, memory)).ok_or_else(|| "an outcome that nobody knows".to_owned())
        }
        Answer::Rejected(fault) => Err(format!("rejected: {fault:?}")),
    }
}

/// Runs them.
pub(crate) fn run() -> Result<(), String> {
    let mut device = Device::alone(Path::new("/dev/carnet")).map_err(|error| error.to_string())?;
    let (outcome, memory) =
        run_one(&mut device, "program p(os: System) -> int { return os.getpid() }", &LIMITS)?;
    let End::Done(slot) = outcome.end else { return Err(format!("{outcome:?}")) };
    if memory.variables[usize::from(slot)] != u64::from(std::process::id()) || outcome.used[1] != 1 {
        return Err(format!("another process, or other calls: {outcome:?}"));
    }
    let text = "program p(os: System) -> string { os.symlink(\"to\", \"/tmp/way\") let to = os.readlink(\"/tmp/way\") return to }";
    let (outcome, memory) = run_one(&mut device, text, &LIMITS)?;
    let End::Done(slot) = outcome.end else { return Err(format!("{outcome:?}")) };
    if memory.text(slot) != b"to" {
        return Err(format!("another text: {:?}", memory.text(slot)));
    }
    let few = [u64::MAX, 3, u64::MAX, u64::MAX, u64::MAX, u64::MAX];
    let text = "program p(os: System) { while true limit 10 { os.sched_yield() } }";
    let (outcome, _) = run_one(&mut device, text, &few)?;
    if outcome.end != End::Limit(LimitKind::Calls) || outcome.used[1] != 3 {
        return Err(format!("another limit: {outcome:?}"));
    }
    let text = "program p(os: System) -> bool { let a = os.readlink(\"/tmp/way\") return a == \"to\" }";
    match run_one(&mut device, text, &LIMITS) {
        Err(why) if why.contains("unsupported: 1") => {}
        other => {
            return Err(format!("comparing texts is not supported: {:?}", other.map(|(outcome, _)| outcome)));
        }
    }
    run_installed(&mut device)?;
    println!("ok in_rust");
    Ok(())
}

/// What the kernel does not support is interpreted by the process, and what it runs has the same limits.
pub(crate) fn interpreted() -> Result<(), String> {
    let mut here = Here::alone(Path::new(DEVICE)).map_err(|error| error.to_string())?;
    let mut run = |text: &str| {
        let bytes = compile("guest", &format!("use linux\n{text}"))?.encode();
        let loaded = load(&bytes, &Registry::new(&[module()])).map_err(|error| error.to_string())?;
        let args = [Arg::Portal(here.portal())];
        let outcome =
            here.run(&loaded, &bytes, &args, &Limits::default()).map_err(|error| error.to_string())?;
        Ok::<_, String>((outcome, here.unsupported().is_some()))
    };
    let text = "program p(os: System) -> bool { let a = os.readlink(\"/tmp/way\") return a == \"to\" }";
    let (outcome, by_us) = run(text)?;
    if !by_us || outcome.result.as_deref() != Some(&1_u64.to_le_bytes()[..]) {
        return Err(format!("comparing texts is not supported, and interpreted: {outcome:?}"));
    }
    let (outcome, by_us) = run("program p(os: System) -> int { return os.getpid() }")?;
    if by_us || outcome.result != Some(u64::from(std::process::id()).to_le_bytes().to_vec()) {
        return Err(format!("another process, or not in the kernel: {outcome:?}"));
    }
    let text = "program p(os: System) -> bytes(1MiB) { let fd = os.open(\"/dev/zero\", 0) return os.read(fd, 1MiB) }";
    let (outcome, by_us) = run(text)?;
    if by_us || !matches!(outcome.end, protocol::End::Limit { kind: LimitKind::Returned, .. }) {
        return Err(format!("a result that is too long: {outcome:?}"));
    }
    println!("ok interpreted");
    Ok(())
}

/// The same by an installed program, twice, and no more once it is removed.
fn run_installed(device: &mut Device) -> Result<(), String> {
    let text = "use linux\nprogram p(os: System, n: int) -> int { return os.getpid() + n }";
    let bytes = compile("guest", text)?.encode();
    let loaded = load(&bytes, &Registry::new(&[module()])).map_err(|error| error.to_string())?;
    let name = device.install(&bytes, 0o100).map_err(|error| error.to_string())?;
    let name = name.map_err(|fault| format!("rejected: {fault:?}"))?;
    for n in [0, 7] {
        let mut args = Case::portals(1);
        args.push(Arg::Value(Value::Int(n)));
        let mut memory = Memory::new(&loaded, &args, 5).map_err(|misfit| misfit.to_string())?;
        let Memory { variables, arena, .. } = &mut memory;
        let raw =
            device.run_installed(&name, variables, arena, &LIMITS).map_err(|error| error.to_string())?;
        let outcome = Outcome::new(raw.status, raw.detail, raw.pc, raw.amounts).ok_or("an outcome")?;
        let End::Done(slot) = outcome.end else { return Err(format!("{outcome:?}")) };
        if memory.variables[usize::from(slot)] as i64 != i64::from(std::process::id()) + n {
            return Err(format!("another result: {outcome:?}"));
        }
    }
    device.remove(&name).map_err(|error| error.to_string())?;
    match device.run_installed(&name, &mut [0; 16], &mut [0; 128], &LIMITS) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => Err(format!("what was removed is run: {other:?}")),
    }
}
