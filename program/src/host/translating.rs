//! Machine code for programs that run much, made on a thread apart: no run waits for it but one that wants no other engine.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use carnet_portal::panics::survived;

use super::cache::Cached;
use super::job::Job;
use super::{Inner, Translate, lock};
use crate::interp::Translation;

/// How long a run that waits for its code does so before it looks whether it was interrupted.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(5);

/// How long a run waits for its code: as long as the longest program takes, if no other is before it.
const WAITED_FOR_CODE: Duration = Duration::from_millis(100);

/// Programs that may wait to be translated.
const QUEUED_MAX: usize = 64;

/// What is translated, and by whom.
#[derive(Default)]
pub(super) struct Translating {
    translator: OnceLock<Mutex<Box<dyn Translate>>>,
    queue: Mutex<Queue>,
    /// Told when one was translated.
    done: Condvar,
}

#[derive(Default)]
struct Queue {
    programs: VecDeque<Arc<Cached>>,
    /// A thread works on it.
    is_served: bool,
}

impl Translating {
    pub(super) fn begin(&self, translator: Box<dyn Translate>) {
        drop(self.translator.set(Mutex::new(translator)));
    }

    pub(super) fn has_begun(&self) -> bool {
        self.translator.get().is_some()
    }

    fn translate(&self, cached: &Cached) -> Result<Translation, String> {
        match self.translator.get() {
            Some(translator) => lock(translator).translate(&cached.program),
            None => Err("this server makes none".to_owned()),
        }
    }

    /// Puts a program behind the others, if there are not too many; whether nobody works on them.
    fn put(&self, cached: &Arc<Cached>) -> Option<bool> {
        let mut queue = lock(&self.queue);
        if queue.programs.len() == QUEUED_MAX {
            return None;
        }
        queue.programs.push_back(Arc::clone(cached));
        Some(!std::mem::replace(&mut queue.is_served, true))
    }

    fn next(&self) -> Option<Arc<Cached>> {
        let mut queue = lock(&self.queue);
        let next = queue.programs.pop_front();
        queue.is_served = next.is_some();
        next
    }
}

impl Inner {
    /// Counts what a job has run; a program that has run much is translated soon.
    pub(super) fn ran(this: &Arc<Inner>, job: &mut Job) {
        if !this.translating.has_begun() || job.cached().was_translated() {
            return;
        }
        let instructions = job.ran();
        if job.cached().ran(instructions, &this.policy) {
            Inner::translate_soon(this, job.cached());
        }
    }

    /// Waits until the program of a job that wants machine code is translated, but no longer than a little while, and not if it is
    /// interrupted. Without its code it is interpreted, and goes on in it as soon as it is there.
    pub(super) fn give_code(this: &Arc<Inner>, job: &Job) {
        if !job.wants_code() || !this.translating.has_begun() {
            return;
        }
        let (cached, interrupt) = (Arc::clone(job.cached()), job.interrupt());
        if cached.is_asked_first() && !Inner::translate_soon(this, &cached) {
            return;
        }
        let until = Instant::now() + WAITED_FOR_CODE;
        let waits =
            || !cached.was_translated() && interrupt.load(Ordering::Relaxed) == 0 && Instant::now() < until;
        let mut queue = lock(&this.translating.queue);
        while waits() {
            let waited = this.translating.done.wait_timeout(queue, LOOK_AGAIN_AFTER);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Puts a program behind the others, and starts a thread if none works on them. If there are too many, it may be asked for again.
    fn translate_soon(this: &Arc<Inner>, cached: &Arc<Cached>) -> bool {
        let put = this.translating.put(cached);
        if put.is_none() {
            cached.ask_again();
        }
        if put == Some(true) {
            let inner = Arc::clone(this);
            this.workers.apart(Box::new(move || {
                while let Some(cached) = inner.translating.next() {
                    inner.translate(&cached);
                }
            }));
        }
        put.is_some()
    }

    fn translate(&self, cached: &Cached) {
        let made = survived(|| self.translating.translate(cached));
        let broke_off = || Err("the translator broke off (a bug of Carnet)".to_owned());
        self.cache.translated(cached, made.unwrap_or_else(broke_off));
        self.translating.done.notify_all();
    }
}
