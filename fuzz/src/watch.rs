//! Says which case runs too long while it runs, since a case that never ends says nothing itself.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A case that takes longer is named.
pub const SLOW: Duration = Duration::from_secs(5);
/// A case that takes longer hangs.
pub const HANGS: Duration = Duration::from_secs(60);
/// How often the watch looks.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// What the watch found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The generator.
    pub name: &'static str,
    /// The seed of the case.
    pub seed: u64,
    /// After how long.
    pub after: Duration,
}

impl std::fmt::Display for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Late { name, seed, after } = self;
        let seconds = after.as_secs();
        write!(f, "still running after {seconds} s: cargo run -p carnet-fuzz -- --only {name} --seed {seed}")
    }
}

struct Case {
    name: &'static str,
    seed: u64,
    since: Instant,
    /// How many of the patiences are over.
    told: usize,
}

#[derive(Default)]
struct State {
    case: Option<Case>,
    over: bool,
}

/// A thread that watches the cases of another.
pub struct Watch {
    shared: Arc<(Mutex<State>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Watch {
    /// A watch that calls `tell` once for each of `patiences`, in ascending order, that a case outlasts.
    #[must_use]
    pub fn new(patiences: Vec<Duration>, tell: impl Fn(Late) + Send + 'static) -> Watch {
        let shared = Arc::new((Mutex::new(State::default()), Condvar::new()));
        let theirs = Arc::clone(&shared);
        let thread = std::thread::spawn(move || watch(&theirs, &patiences, tell));
        Watch { shared, thread: Some(thread) }
    }

    /// A watch that prints what is slow.
    #[must_use]
    pub fn printing() -> Watch {
        Watch::new(vec![SLOW, HANGS], |late| eprintln!("{late}"))
    }

    /// Watches one case.
    pub fn case<T>(&self, name: &'static str, seed: u64, case: impl FnOnce() -> T) -> T {
        self.set(Some(Case { name, seed, since: Instant::now(), told: 0 }));
        let made = case();
        self.set(None);
        made
    }

    fn set(&self, case: Option<Case>) {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner).case = case;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.shared.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(shared: &(Mutex<State>, Condvar), patiences: &[Duration], tell: impl Fn(Late)) {
    let mut state = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    while !state.over {
        if let Some(case) = &mut state.case
            && let Some(after) = patiences.get(case.told).copied()
            && case.since.elapsed() >= after
        {
            case.told += 1;
            tell(Late { name: case.name, seed: case.seed, after });
        }
        (state, _) = shared.1.wait_timeout(state, LOOKS_EVERY).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_case_that_does_not_end_is_named_while_it_runs() {
        let (tell, told) = channel();
        let zero = Duration::ZERO;
        let watch = Watch::new(vec![zero, Duration::from_secs(3600)], move |late| {
            let _ = tell.send(late);
        });
        let late = watch.case("programs", 7, || told.recv_timeout(Duration::from_secs(60)));
        assert_eq!(late, Ok(Late { name: "programs", seed: 7, after: zero }));
        assert!(told.try_recv().is_err(), "it is named once");
        let text = Late { name: "programs", seed: 7, after: SLOW }.to_string();
        assert_eq!(text, "still running after 5 s: cargo run -p carnet-fuzz -- --only programs --seed 7");
    }
}
