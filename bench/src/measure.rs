//! Rounds of samples, taken in turns.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Warm-up and 7 rounds of 3 samples, beside the rivals.
    Full,
    /// One sample of little work, ours only.
    Tiny,
}

impl Scale {
    /// `full`, or a thousandth of it, but at least 1.
    #[must_use]
    pub fn work(self, full: i64) -> i64 {
        match self {
            Scale::Full => full,
            Scale::Tiny => (full / 1000).max(1),
        }
    }

    fn rounds(self) -> usize {
        match self {
            Scale::Full => 7,
            Scale::Tiny => 1,
        }
    }

    fn samples(self) -> usize {
        match self {
            Scale::Full => 3,
            Scale::Tiny => 1,
        }
    }
}

/// Something that is measured.
pub struct Contender<'a> {
    /// Its name in the results.
    pub name: String,
    /// Takes one sample, in the unit of the benchmark, and checks the answer.
    pub sample: Box<dyn FnMut() -> Result<f64, String> + 'a>,
}

impl std::fmt::Debug for Contender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Contender<'a> {
    /// A contender.
    pub fn new(name: &str, sample: impl FnMut() -> Result<f64, String> + 'a) -> Contender<'a> {
        Contender { name: name.to_owned(), sample: Box::new(sample) }
    }
}

/// What was measured of one contender.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Median of all samples.
    pub median: f64,
    /// Lowest and highest median of a round.
    pub rounds: (f64, f64),
    /// All samples, in the order in which they were taken.
    pub samples: Vec<f64>,
}

/// Lets all contenders take turns. A round of warm-up is not counted.
///
/// # Errors
/// A wrong answer, or a rival that died.
pub fn measure(scale: Scale, contenders: &mut [Contender<'_>]) -> Result<Vec<Measured>, String> {
    take_turns(scale, scale.rounds(), scale.samples(), contenders)
}

/// The same with `runs` rounds of one sample.
///
/// # Errors
/// As [`measure`].
pub fn measure_runs(
    scale: Scale,
    runs: usize,
    contenders: &mut [Contender<'_>],
) -> Result<Vec<Measured>, String> {
    take_turns(scale, if scale == Scale::Full { runs } else { 1 }, 1, contenders)
}

fn take_turns(
    scale: Scale,
    count: usize,
    samples: usize,
    contenders: &mut [Contender<'_>],
) -> Result<Vec<Measured>, String> {
    let mut rounds: Vec<Vec<Vec<f64>>> = vec![Vec::new(); contenders.len()];
    if scale == Scale::Full {
        round(samples, contenders)?;
    }
    for _ in 0..count {
        for (all, new) in rounds.iter_mut().zip(round(samples, contenders)?) {
            all.push(new);
        }
    }
    Ok(contenders.iter().zip(rounds).map(|(contender, rounds)| summary(&contender.name, &rounds)).collect())
}

fn round(samples: usize, contenders: &mut [Contender<'_>]) -> Result<Vec<Vec<f64>>, String> {
    let of = |contender: &mut Contender<'_>| {
        let samples = (0..samples).map(|_| (contender.sample)());
        samples.collect::<Result<Vec<f64>, String>>().map_err(|what| format!("{}: {what}", contender.name))
    };
    contenders.iter_mut().map(of).collect()
}

fn summary(name: &str, rounds: &[Vec<f64>]) -> Measured {
    let medians: Vec<f64> = rounds.iter().map(|round| median(round)).collect();
    let samples = rounds.concat();
    let lowest = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = medians.iter().copied().fold(0.0, f64::max);
    Measured { name: name.to_owned(), median: median(&samples), rounds: (lowest, highest), samples }
}

/// Nanoseconds per trip, of as many as take about so long, after some that are not counted.
///
/// # Errors
/// What `trip` says.
pub fn time_trips(
    scale: Scale,
    about: Duration,
    mut trip: impl FnMut() -> Result<(), String>,
) -> Result<f64, String> {
    let warm = Instant::now();
    while scale == Scale::Full && warm.elapsed() < about / 2 {
        trip()?;
    }
    let begun = Instant::now();
    let mut trips = 0_u32;
    loop {
        for _ in 0..scale.work(16) {
            trip()?;
            trips += 1;
        }
        let elapsed = begun.elapsed();
        if scale == Scale::Tiny || elapsed >= about {
            return Ok(elapsed.as_nanos() as f64 / f64::from(trips));
        }
    }
}

impl Measured {
    /// Those of `measured` that have one of these names.
    #[must_use]
    pub fn named(measured: &[Measured], names: &[&str]) -> Vec<Measured> {
        measured.iter().filter(|measured| names.contains(&measured.name.as_str())).cloned().collect()
    }

    /// Mean and standard deviation of the samples.
    #[must_use]
    pub fn mean(&self) -> (f64, f64) {
        let count = self.samples.len() as f64;
        let mean = self.samples.iter().sum::<f64>() / count;
        let squares = self.samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>();
        (mean, (squares / (count - 1.0).max(1.0)).sqrt())
    }
}

/// The middle one; of an even number the lower of the two.
#[must_use]
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// Keeps this thread, and the processes that it starts from now on, on one processor: the last one, since the first
/// serves more interrupts. The text says which.
#[must_use]
pub fn stay_on_one_processor() -> String {
    let last = processors() - 1;
    match pin(last) {
        Ok(()) => format!("all on processor {last}"),
        Err(error) => format!("on any processor (the system refuses to pin: {error})"),
    }
}

/// Processors that this process may use when it is first asked for; pinning would change the answer.
#[must_use]
pub fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Keeps this thread, and the threads that it starts from now on, on one processor.
///
/// # Errors
/// If the system refuses.
pub fn pin(processor: usize) -> Result<(), String> {
    keep_on(processor..processor + 1)
}

/// The same on any of these processors.
///
/// # Errors
/// If the system refuses.
pub fn keep_on(processors: Range<usize>) -> Result<(), String> {
    let mut set = CpuSet::new();
    processors.for_each(|processor| set.set(processor));
    sched_setaffinity(None, &set).map_err(|error| error.to_string())
}

/// Has `work` done on any processor, as by a compiler; then this thread is where it was.
pub fn on_any_processor<T>(work: impl FnOnce() -> T) -> T {
    let before = sched_getaffinity(None);
    let all = keep_on(0..processors());
    let done = work();
    if let (Ok(()), Ok(before)) = (all, before) {
        // It was there before: the system has no reason to refuse.
        let _ = sched_setaffinity(None, &before);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_take_turns_and_warm_up_is_not_counted() {
        let order = std::cell::RefCell::new(String::new());
        let mut turns = 0.0;
        let mut contenders = [
            Contender::new("a", || {
                order.borrow_mut().push('a');
                turns += 1.0;
                Ok(turns)
            }),
            Contender::new("b", || {
                order.borrow_mut().push('b');
                Ok(1.0)
            }),
        ];
        let measured = measure(Scale::Full, &mut contenders).unwrap();
        drop(contenders);
        assert_eq!(order.into_inner(), "aaabbb".repeat(8));
        assert_eq!(measured[0].samples.first(), Some(&4.0));
        assert_eq!((measured[0].median, measured[0].rounds), (14.0, (5.0, 23.0)));
    }

    #[test]
    fn runs_are_rounds_of_one_sample_with_mean_and_deviation() {
        let samples = [9.0, 2.0, 4.0, 6.0];
        let mut at = 0;
        let mut contenders = [Contender::new("a", || {
            at += 1;
            Ok(samples[at - 1])
        })];
        let measured = measure_runs(Scale::Full, 3, &mut contenders).unwrap();
        assert_eq!(measured[0].samples, [2.0, 4.0, 6.0]);
        assert_eq!(measured[0].mean(), (4.0, 2.0));
    }

    #[test]
    fn a_wrong_answer_names_who_gave_it() {
        let mut contenders = [Contender::new("a", || Err("7 instead of 8".to_owned()))];
        assert_eq!(measure(Scale::Tiny, &mut contenders).unwrap_err(), "a: 7 instead of 8");
    }
}
