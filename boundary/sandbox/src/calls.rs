//! Which system calls a process may make (seccomp, seccomp(2); the program is classic BPF, linux/filter.h).
//!
//! ```text
//! arch is x86-64? ─no─► the process is killed
//! number is listed? ─► its condition on one argument holds? ─► made
//!        └─ no ──────────────────┴─ no ─► EPERM
//! ```

use std::io;

/// A condition on an argument of a call, by its lower half: the kernel's `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which argument, 0 to 5.
    pub argument: u8,
    /// One of these.
    pub one_of: &'static [u32],
}

/// The calls that may be made.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    always: Vec<u32>,
    under: Vec<(u32, Condition)>,
}

/// Fields of `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

fn instruction(code: u16, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: 0, k }
}

/// Goes on behind so many instructions if what was loaded is not `k`.
fn unless_equal(k: u32, skip: u8) -> libc::sock_filter {
    libc::sock_filter { code: JUMP_EQUAL, jt: 0, jf: skip, k }
}

impl Calls {
    /// None.
    #[must_use]
    pub fn new() -> Calls {
        Calls::default()
    }

    /// Allows these.
    #[must_use]
    pub fn allow(mut self, numbers: impl IntoIterator<Item = u32>) -> Calls {
        self.always.extend(numbers);
        self
    }

    /// Allows a call under a condition.
    #[must_use]
    pub fn allow_if(mut self, number: u32, condition: Condition) -> Calls {
        self.under.push((number, condition));
        self
    }

    fn program(&self) -> Vec<libc::sock_filter> {
        let mut program = vec![
            instruction(LOAD, ARCH),
            libc::sock_filter { code: JUMP_EQUAL, jt: 1, jf: 0, k: AUDIT_ARCH_X86_64 },
            instruction(RETURN, KILL),
            instruction(LOAD, NUMBER),
        ];
        for number in &self.always {
            program.extend([unless_equal(*number, 1), instruction(RETURN, ALLOW)]);
        }
        for (number, condition) in &self.under {
            let inner = 2 + 2 * condition.one_of.len();
            // Conditions are a few constants of this workspace.
            let Ok(skip) = u8::try_from(inner) else { continue };
            program.push(unless_equal(*number, skip));
            program.push(instruction(LOAD, ARGUMENTS + 8 * u32::from(condition.argument)));
            for value in condition.one_of {
                program.extend([unless_equal(*value, 1), instruction(RETURN, ALLOW)]);
            }
            program.push(instruction(RETURN, REFUSE));
        }
        program.push(instruction(RETURN, REFUSE));
        program
    }

    /// From now on all threads of this process may make these calls only; others return EPERM.
    ///
    /// # Errors
    /// If the system has no seccomp, or [`keep_apart`](crate::keep_apart) was not called before.
    pub fn restrict(&self) -> io::Result<()> {
        let mut program = self.program();
        let len = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let filter = libc::sock_fprog { len, filter: program.as_mut_ptr() };
        let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC);
        // SAFETY: `filter` describes `program`, which lives until the call returns; the kernel copies and checks it. A call
        // that is refused returns an error, which code that makes system calls has to expect.
        let done = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const filter) };
        match done {
            0 => Ok(()),
            -1 => Err(io::Error::last_os_error()),
            thread => Err(io::Error::other(format!("thread {thread} could not be restricted"))),
        }
    }
}
