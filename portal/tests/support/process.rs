//! A test again, in a process of its own, which stops where it was told to.

use std::io::{BufRead as _, BufReader, Read as _, stdin};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// The variable by which it knows what it is to do.
pub const WORDS: &str = "CARNET_TEST_WORDS";

/// What it says when it is there.
const HERE: &str = "here it stops";

/// It is killed when this is dropped.
pub struct Again {
    child: Child,
    pid: Pid,
}

/// What it is to do, if this is one.
pub fn words() -> Option<Vec<String>> {
    Some(std::env::var(WORDS).ok()?.lines().map(str::to_owned).collect())
}

/// Here this process is stopped. It returns when it is to go on.
pub fn stop_here() {
    println!("{HERE}");
    assert_eq!(stdin().read(&mut [0]).unwrap(), 0);
}

impl Again {
    /// Starts it, and waits until it has stopped.
    pub fn stopped(test: &str, words: &[String]) -> Again {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([test, "--nocapture"]).env(WORDS, words.join("\n"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.as_mut().unwrap());
        assert!(said.lines().any(|line| line.unwrap().ends_with(HERE)), "it did not come so far");
        let pid = Pid::from_child(&child);
        kill_process(pid, Signal::STOP).unwrap();
        let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}");
        Again { child, pid }
    }

    /// Has it go on, and waits until it has ended well.
    pub fn go_on(mut self) {
        drop(self.child.stdin.take());
        kill_process(self.pid, Signal::CONT).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Again {
    fn drop(&mut self) {
        // One that has ended is waited for already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
