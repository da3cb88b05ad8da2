//! Time that a domain uses: of the processor, as the clock of the host's thread says that runs it, and in all.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use super::{Domain, Ended};

/// What clocks said.
pub(super) struct Clocks {
    processor: Duration,
    at: Instant,
}

impl Clocks {
    pub(super) fn now() -> Clocks {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Clocks { processor: Duration::new(time.tv_sec as u64, time.tv_nsec as u32), at: Instant::now() }
    }
}

impl Domain {
    /// Does something that takes this domain's time.
    pub(crate) fn timed<T>(&mut self, run: impl FnOnce(&mut Domain) -> T) -> T {
        self.clocks = Clocks::now();
        let done = run(self);
        self.take_time();
        done
    }

    /// Counts the time since this was done last.
    fn take_time(&mut self) {
        let now = Clocks::now();
        self.time += now.processor.saturating_sub(self.clocks.processor);
        self.elapsed += now.at - self.clocks.at;
        self.clocks = now;
    }

    /// How much time may pass until it is ended.
    pub(super) fn elapsed_left(&self) -> Duration {
        self.limits.elapsed.saturating_sub(self.elapsed + self.clocks.at.elapsed())
    }

    /// Whether it may go on: whatever is done within a slice does not keep it from being ended.
    ///
    /// # Errors
    /// Why it is ended.
    pub(crate) fn may_go_on(&mut self) -> Result<(), Ended> {
        if self.handle.is_ended() {
            return Err(Ended::Outside);
        }
        if self.elapsed_left() == Duration::ZERO {
            return Err(Ended::Elapsed(self.limits.elapsed));
        }
        // The processor's clock is a call of the kernel.
        if self.limits.time != Duration::MAX {
            self.take_time();
        }
        if self.time > self.limits.time {
            return Err(Ended::Time(self.limits.time));
        }
        Ok(())
    }
}
