//! Machine code for programs that run much, made on a thread apart: no run waits for it but one that wants no other engine.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

use carnet_portal::panics::survived;

use super::cache::Cached;
use super::job::Job;
use super::{Inner, Translate, lock};
use crate::interp::Translation;

/// What is translated, and by whom.
#[derive(Default)]
pub(super) struct Translating {
    translator: OnceLock<Mutex<Box<dyn Translate>>>,
    queue: Mutex<Queue>,
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

    /// Puts a program behind the others; whether nobody works on them.
    fn put(&self, cached: Arc<Cached>) -> bool {
        let mut queue = lock(&self.queue);
        queue.programs.push_back(cached);
        !std::mem::replace(&mut queue.is_served, true)
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
        if !this.translating.has_begun() || job.cached().translated().is_some() {
            return;
        }
        let instructions = job.ran();
        let cached = job.cached();
        if cached.ran(instructions, &this.policy) && this.translating.put(Arc::clone(cached)) {
            let inner = Arc::clone(this);
            this.workers.apart(Box::new(move || {
                while let Some(cached) = inner.translating.next() {
                    inner.translate(&cached);
                }
            }));
        }
    }

    /// Translates the program of a job that wants machine code, if nobody has.
    pub(super) fn give_code(&self, job: &mut Job) {
        if job.wants_code() {
            let cached = Arc::clone(job.cached());
            if cached.translated().is_none() {
                self.translate(&cached);
            }
            if let Some(Err(why)) = cached.translated() {
                job.cannot_have_code(why);
            }
        }
    }

    fn translate(&self, cached: &Cached) {
        let made = survived(|| self.translating.translate(cached));
        let broke_off = || Err("the translator broke off (a bug of Carnet)".to_owned());
        self.cache.translated(cached, made.unwrap_or_else(broke_off));
    }
}
