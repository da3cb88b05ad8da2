//! Which threads there are for the work that waits: the rules, without the threads.
//!
//! All that the lock of [`super::Workers`] guards is here, and changes under that lock only. A thread is, in turns:
//!
//! ```text
//!            ┌────────────── coming ──────────────┐
//!   started ─┤ it looks at the queue              ├─ work taken ──► at work ──► coming again
//!            │ before it does anything else       │
//!            └─▲──────────────────────────────────┘
//!              │ woken, or its time is over       └─ nothing there ─► asleep, or it leaves if its time was over
//!              └────────────────────────────────────────────────────────┘
//! ```
//!
//! Nobody but the thread itself counts it as waiting or not: it adds itself before it waits in the condition variable and
//! takes itself away when it has the lock again. Whoever gives work does not know who of those that wait will wake, nor who
//! has woken already, and so must not count for them.
//!
//! The invariant, whenever the lock is free:
//!
//! > As many threads are coming as there is work in the queue; or nobody is asleep, and there are as many threads as may
//! > be, or as the system had.
//!
//! It holds because of three rules. Who gives work starts a thread unless those who wait, woken or not, are at least as
//! many as what is queued: the woken are coming, and if there are more than those, somebody is asleep and is woken. A
//! thread that finds work takes one piece, and is coming again after it. A thread leaves only from an empty queue.
//!
//! So work is never forgotten: it is taken by who is coming, or by who is at work and comes again. The tests try all orders.

use std::collections::VecDeque;

/// Work that no thread has begun, and how many threads there are for it.
#[derive(Debug)]
pub(super) struct Crew<W> {
    queue: VecDeque<W>,
    /// Started, at work, or waiting.
    threads: usize,
    /// In the condition variable, or on their way out of it.
    waiting: usize,
    threads_max: usize,
}

/// What who gave work does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    /// Wakes one that waits, if there is one.
    Wake,
    /// Starts a thread. It is counted.
    Start,
}

/// Why a thread looks at the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looks {
    /// It was started or woken, or has done its work.
    AsTold,
    /// It has waited as long as it waits.
    ForTheLastTime,
}

/// What a thread does next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<W> {
    Work(W),
    /// It waits. It is counted.
    Wait,
    /// It ends. It is not counted any more.
    Leave,
}

impl<W> Crew<W> {
    /// At most so many threads, and one at least.
    pub(super) fn new(threads_max: usize) -> Crew<W> {
        Crew { queue: VecDeque::new(), threads: 0, waiting: 0, threads_max: threads_max.max(1) }
    }

    /// More work.
    pub(super) fn give(&mut self, work: W) -> Needed {
        self.queue.push_back(work);
        if self.waiting >= self.queue.len() || self.threads >= self.threads_max {
            return Needed::Wake;
        }
        self.threads += 1;
        Needed::Start
    }

    /// A thread looks at the queue.
    pub(super) fn next(&mut self, looks: Looks) -> Next<W> {
        if let Some(work) = self.queue.pop_front() {
            return Next::Work(work);
        }
        match looks {
            Looks::AsTold => {
                self.waiting += 1;
                Next::Wait
            }
            Looks::ForTheLastTime => {
                self.threads -= 1;
                Next::Leave
            }
        }
    }

    /// A thread that waited has the lock again, for whatever reason.
    pub(super) fn back(&mut self) {
        self.waiting -= 1;
    }

    /// The system had no thread to start. If there is no other, who gave the work takes its place, and does what is
    /// returned; then asks again. Else its place is given up, and one that waits must be woken.
    pub(super) fn not_started(&mut self) -> Option<W> {
        if self.threads == 1
            && let Some(work) = self.queue.pop_front()
        {
            return Some(work);
        }
        self.threads -= 1;
        None
    }

    /// Takes out of the queue what no thread need begin.
    pub(super) fn withdraw(&mut self, which: impl Fn(&W) -> bool) -> Vec<W> {
        let mut withdrawn = Vec::new();
        while let Some(at) = self.queue.iter().position(&which) {
            withdrawn.extend(self.queue.remove(at));
        }
        withdrawn
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A crew with its threads as numbers: how many are where. The steps between two of these are what one thread does
    /// while it has the lock, so that all orders of steps are all that can happen.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    struct World {
        /// Work that is still to be given.
        to_give: usize,
        queued: usize,
        threads: usize,
        waiting: usize,
        /// The system was asked for them.
        starting: usize,
        /// They have the lock next, or want it.
        coming: usize,
        at_work: usize,
        asleep: usize,
        /// Out of the condition variable, without the lock yet.
        woken: usize,
        /// The same, after their time.
        late: usize,
        /// Threads that gave work and do it themselves.
        in_place: usize,
    }

    /// Whether the system has a thread whenever one is started.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum System {
        HasThreads,
        MayHaveNone,
    }

    impl World {
        fn crew(&self, threads_max: usize) -> Crew<()> {
            let World { queued, threads, waiting, .. } = *self;
            Crew { queue: std::iter::repeat_n((), queued).collect(), threads, waiting, threads_max }
        }

        fn with(mut self, crew: &Crew<()>) -> World {
            (self.queued, self.threads, self.waiting) = (crew.queue.len(), crew.threads, crew.waiting);
            self
        }

        /// As the condition variable does it: one of those that are asleep.
        fn notified(mut self) -> World {
            if self.asleep > 0 {
                (self.asleep, self.woken) = (self.asleep - 1, self.woken + 1);
            }
            self
        }

        fn given(self, crew: &mut Crew<()>) -> World {
            let needed = crew.give(());
            let world = World { to_give: self.to_give - 1, ..self.with(crew) };
            match needed {
                Needed::Wake => world.notified(),
                Needed::Start => World { starting: world.starting + 1, ..world },
            }
        }

        fn looked(self, crew: &mut Crew<()>, looks: Looks) -> World {
            let next = crew.next(looks);
            let world = self.with(crew);
            match next {
                Next::Work(()) => World { at_work: world.at_work + 1, ..world },
                Next::Wait => World { asleep: world.asleep + 1, ..world },
                Next::Leave => world,
            }
        }

        fn in_place_of_a_thread(self, crew: &mut Crew<()>) -> World {
            let work = crew.not_started();
            let world = self.with(crew);
            match work {
                Some(()) => World { in_place: world.in_place + 1, ..world },
                None => world.notified(),
            }
        }

        /// All that can happen next.
        fn steps(self, threads_max: usize, system: System) -> Vec<World> {
            let mut steps = Vec::new();
            let crew = || self.crew(threads_max);
            if self.to_give > 0 {
                steps.push(self.given(&mut crew()));
            }
            if self.queued > 0 {
                let mut crew = crew();
                crew.queue.pop_front();
                steps.push(self.with(&crew));
            }
            if self.starting > 0 {
                let world = World { starting: self.starting - 1, ..self };
                steps.push(World { coming: world.coming + 1, ..world });
                if system == System::MayHaveNone {
                    steps.push(world.in_place_of_a_thread(&mut crew()));
                }
            }
            if self.in_place > 0 {
                steps.push(World { in_place: self.in_place - 1, ..self }.in_place_of_a_thread(&mut crew()));
            }
            if self.coming > 0 {
                steps.push(World { coming: self.coming - 1, ..self }.looked(&mut crew(), Looks::AsTold));
            }
            if self.at_work > 0 {
                steps.push(World { at_work: self.at_work - 1, coming: self.coming + 1, ..self });
            }
            if self.asleep > 0 {
                let world = World { asleep: self.asleep - 1, ..self };
                // It may also wake for no reason.
                steps.push(World { woken: world.woken + 1, ..world });
                steps.push(World { late: world.late + 1, ..world });
            }
            if self.woken > 0 {
                let mut crew = crew();
                crew.back();
                steps.push(World { woken: self.woken - 1, ..self }.looked(&mut crew, Looks::AsTold));
            }
            if self.late > 0 {
                let mut crew = crew();
                crew.back();
                steps.push(World { late: self.late - 1, ..self }.looked(&mut crew, Looks::ForTheLastTime));
            }
            steps
        }

        fn check(&self, threads_max: usize, system: System) {
            let World { starting, coming, at_work, asleep, woken, late, in_place, .. } = *self;
            assert_eq!(self.waiting, asleep + woken + late, "{self:?}");
            assert_eq!(self.threads, self.waiting + starting + coming + at_work + in_place, "{self:?}");
            assert!(self.threads <= threads_max, "{self:?}");
            let as_many_as_may_be = match system {
                System::HasThreads => self.threads == threads_max,
                System::MayHaveNone => self.threads > 0,
            };
            let come = starting + coming + woken + late;
            assert!(self.queued <= come || asleep == 0 && as_many_as_may_be, "forgotten: {self:?}");
        }
    }

    /// Tries all orders of all steps; returns how many states there are.
    fn all_orders(to_give: usize, threads_max: usize, system: System) -> usize {
        let mut open = vec![World { to_give, ..World::default() }];
        let mut seen: HashSet<World> = open.iter().copied().collect();
        while let Some(world) = open.pop() {
            world.check(threads_max, system);
            open.extend(world.steps(threads_max, system).into_iter().filter(|next| seen.insert(*next)));
        }
        seen.len()
    }

    #[test]
    fn in_no_order_is_work_forgotten() {
        for threads_max in 1..=4 {
            assert!(all_orders(6, threads_max, System::HasThreads) > 100 * threads_max);
        }
    }

    #[test]
    fn in_no_order_is_work_forgotten_when_the_system_has_no_thread() {
        for threads_max in 1..=4 {
            let states = all_orders(6, threads_max, System::MayHaveNone);
            assert!(states > all_orders(6, threads_max, System::HasThreads));
        }
    }

    #[test]
    fn what_is_withdrawn_is_begun_by_nobody_and_the_rest_stays_in_order() {
        let mut crew = Crew::new(1);
        let needed = [1, 2, 3, 4, 5].map(|work| crew.give(work));
        assert_eq!(needed, [Needed::Start, Needed::Wake, Needed::Wake, Needed::Wake, Needed::Wake]);
        assert_eq!(crew.withdraw(|work| work % 2 == 0), [2, 4]);
        let rest = std::array::from_fn(|_| crew.next(Looks::AsTold));
        assert_eq!(rest, [Next::Work(1), Next::Work(3), Next::Work(5), Next::Wait]);
    }
}
