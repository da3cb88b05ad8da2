//! What is left of a run of a tree that stopped: a machine from which any engine goes on, and what its calls came to, from which a walk
//! comes there again.
//!
//! The interpreter of trees has its state in Rust's own stack, which is gone when it stops. So a machine [follows](crate::interp::Answer) it
//! while it goes on, if the run is kept when it stops: through the same program, with the answers of the same calls, a call behind it
//! at most, or some ten thousand instructions. And the answers are remembered, up to so many bytes: with them a walk begins anew, makes no
//! call a second time, and is where it was. An object that the run has let go of meanwhile ended then, as in any engine, and is
//! not called again.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Weak};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Areas, Caller, Failure, Object};
use carnet_portal::panics::survived;

use crate::interp::{Answer, Blocking, Env, Machine, Mode, Pretended, held};
use crate::verify::Loaded;

/// Most bytes of answers that are remembered of a run.
const PAST_BYTES_MAX: usize = 1 << 20;

/// A machine that follows a walk.
pub(super) struct Follower {
    machine: Machine,
    /// Instructions that it has charged since the run began.
    used: u64,
    caller: Caller,
}

impl Follower {
    /// `machine` stands where the walk begins or goes on.
    pub(super) fn new(mut machine: Machine, used: u64) -> Follower {
        machine.follow(true);
        Follower { machine, used, caller: Caller::local() }
    }

    /// Follows a walk that has charged so many instructions; whether it did, and no object broke off that ended here.
    #[must_use]
    pub(super) fn go_on(&mut self, program: &Loaded, used: u64) -> bool {
        let interrupt = AtomicU32::new(0);
        let env = Env {
            caller: &self.caller,
            interrupt: &interrupt,
            mode: Mode::Real,
            blocking: Blocking::Allowed,
        };
        // One that goes on with its past is behind.
        let ahead = used.saturating_sub(self.used);
        let left = survived(|| self.machine.follow_for(program, &env, ahead));
        self.used += left.map_or(0, |left| ahead - left.min(ahead));
        left.is_some()
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        self.machine.answer(answer);
    }

    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// From now on it makes its calls itself.
    pub(super) fn into_machine(mut self) -> Machine {
        self.machine.follow(false);
        self.machine
    }
}

/// What the calls of a run came to since it began.
#[derive(Default)]
pub(super) struct Past {
    answers: Vec<Remembered>,
    bytes: usize,
}

/// What a call came to.
struct Remembered {
    done: Result<(), Failure>,
    words: Vec<u64>,
    areas: Areas,
    /// What it made, as long as somebody holds it.
    made: Vec<(Weak<dyn Object>, &'static Module, InterfaceId)>,
}

impl Past {
    /// One call more, if there is room for it.
    pub(super) fn and(mut self, answer: &Answer) -> Option<Past> {
        let Answer { done, words, areas, made } = answer.clone();
        let made = made.iter().map(|object| {
            let (module, interface) = object.interface();
            (Arc::downgrade(object), module, interface)
        });
        let remembered = Remembered { done, words, areas, made: made.collect() };
        self.bytes += remembered.takes();
        self.answers.push(remembered);
        (self.bytes <= PAST_BYTES_MAX).then_some(self)
    }

    pub(super) fn answers(&self) -> VecDeque<Answer> {
        self.answers.iter().map(Remembered::answer).collect()
    }

    pub(super) fn takes(&self) -> usize {
        self.bytes
    }
}

impl Remembered {
    fn takes(&self) -> usize {
        let message = self.done.as_ref().err().map_or(0, |failure| failure.details().message.len());
        let made = self.made.capacity() * size_of::<(Weak<dyn Object>, &Module, InterfaceId)>();
        size_of::<Remembered>() + 8 * self.words.capacity() + held(&self.areas) + message + made
    }

    fn answer(&self) -> Answer {
        let made = self.made.iter().map(|(object, module, interface)| {
            // It has ended.
            let gone = || Arc::new(Pretended { module, interface: *interface }) as Arc<dyn Object>;
            object.upgrade().unwrap_or_else(gone)
        });
        let made = made.collect();
        Answer { done: self.done.clone(), words: self.words.clone(), areas: self.areas.clone(), made }
    }
}
