use std::sync::atomic::AtomicU64;

use super::*;
use crate::interp::CANCEL;

/// Computes for about this long, and looks at the interrupt as a run does in its loops.
fn compute(time: Duration, interrupt: &AtomicU32) {
    let until = computed() + time;
    while computed() < until && interrupt.load(Ordering::Relaxed) == 0 {
        std::hint::spin_loop();
    }
}

/// A run that computes until it is cancelled, and counts its slices.
fn computes(turns: &Turns, interrupt: &Arc<AtomicU32>, slices: &AtomicU64) {
    let mut share = Share::new(turns);
    while ending(interrupt).is_none() {
        share.begin(interrupt);
        compute(Duration::from_micros(500), interrupt);
        slices.fetch_add(1, Ordering::Relaxed);
        share.end();
    }
}

fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "it does not come true");
        thread::yield_now();
    }
}

/// Waits as a call does whose answer does not come.
fn waits(time: Duration) {
    let until = Instant::now() + time;
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        thread::park_timeout(left);
    }
}

/// Seats taken, and runs that wait.
fn counts(turns: &Turns) -> (usize, usize) {
    let state = lock(&turns.state);
    (state.seated.len(), state.queues.iter().map(VecDeque::len).sum())
}

#[test]
fn all_come_to_their_turns_and_no_more_sit_than_there_are_seats() {
    for seats in [1, 2] {
        let turns = Turns::new(seats);
        let interrupts: [Arc<AtomicU32>; 5] = Default::default();
        let slices: [AtomicU64; 5] = Default::default();
        thread::scope(|scope| {
            for (interrupt, slices) in interrupts.iter().zip(&slices) {
                scope.spawn(|| computes(&turns, interrupt, slices));
            }
            wait_until(|| counts(&turns) == (seats, 5 - seats));
            let so_far = slices.each_ref().map(|slices| slices.load(Ordering::Relaxed));
            let all_went_on =
                || slices.iter().zip(so_far).all(|(now, before)| now.load(Ordering::Relaxed) > before + 20);
            wait_until(|| {
                assert!(counts(&turns).0 <= seats);
                all_went_on()
            });
            for interrupt in &interrupts {
                interrupt.fetch_or(CANCEL, Ordering::Relaxed);
                turns.wake_interrupted();
            }
        });
        assert_eq!(counts(&turns), (0, 0));
        assert!(
            interrupts.iter().all(|interrupt| interrupt.load(Ordering::Relaxed) == CANCEL),
            "all were told"
        );
    }
}

#[test]
fn who_waits_is_cancelled_while_all_seats_are_taken() {
    let turns = Turns { turn: Duration::from_secs(3600), ..Turns::new(1) };
    let (sits, waits) = (Arc::default(), Arc::default());
    let _seat = turns.take(&sits, Age::Old).expect("it is free");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| turns.take(&waits, Age::Old).is_none());
        wait_until(|| counts(&turns).1 == 1);
        waits.fetch_or(CANCEL, Ordering::Relaxed);
        turns.wake_interrupted();
        assert!(waiting.join().expect("it ends"));
    });
    assert_eq!(counts(&turns).1, 0);
}

#[test]
fn a_seat_whose_run_does_not_come_back_is_taken() {
    let turns = Turns::new(1);
    let (calls, waits) = (Arc::<AtomicU32>::default(), Arc::default());
    let seat = turns.take(&calls, Age::Old).expect("it is free");
    // As in a call that lasts: it does not look.
    let taken = thread::scope(|scope| {
        let waiting = scope.spawn(|| turns.take(&waits, Age::Old).expect("it is given way"));
        waiting.join().expect("it ends")
    });
    assert!(seat.was_taken_asleep());
    assert_eq!(calls.load(Ordering::Relaxed), TURN, "it was asked");
    assert_eq!(counts(&turns), (1, 0));
    drop(seat);
    assert_eq!(calls.load(Ordering::Relaxed), 0, "it is asked no more");
    assert_eq!(counts(&turns), (1, 0), "what was taken stays taken");
    drop(taken);
    assert_eq!(counts(&turns), (0, 0));
}

#[test]
fn what_mostly_waits_takes_no_seat_until_it_computes_again() {
    let turns = Turns::new(1);
    let interrupt = Arc::default();
    let mut share = Share::new(&turns);
    share.begin(&interrupt);
    assert_eq!(counts(&turns), (1, 0));
    let begun = Instant::now();
    // On a machine that is busy it may take some more looks.
    while share.seat.is_some() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it waits");
        waits(Duration::from_millis(20));
        share.end();
        share.begin(&interrupt);
    }
    assert_eq!(counts(&turns), (0, 0));
    while share.seat.is_none() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it computes");
        share.begin(&interrupt);
        compute(Duration::from_millis(1), &interrupt);
        share.end();
    }
    assert!(share.all >= FREE_TIME);
}

#[test]
fn whose_seat_was_taken_while_it_slept_needs_none_for_a_while() {
    let turns = Turns::new(1);
    let (sleeps, waits) = (Arc::default(), Arc::default());
    let mut share = Share::new(&turns);
    share.begin(&sleeps);
    thread::scope(|scope| {
        let waiting = scope.spawn(|| drop(turns.take(&waits, Age::Old).expect("it is given way")));
        waiting.join().expect("it ends");
    });
    share.end();
    assert!(share.seat.is_none() && share.free > Duration::ZERO);
    share.begin(&sleeps);
    assert_eq!(counts(&turns), (0, 0));
    assert!(lock(&turns.state).away.is_empty());
}

#[test]
fn the_young_and_the_old_take_turns() {
    let turns = Turns::new(1);
    let queued =
        |number| Queued { number, interrupt: Arc::default(), thread: thread::current(), id: gettid() };
    let mut state = lock(&turns.state);
    state.queues[Age::Old as usize].extend([1, 2].map(queued));
    state.queues[Age::Young as usize].extend([11, 12, 13].map(queued));
    let mut order = Vec::new();
    while state.next().is_some() {
        state.fill(1);
        order.extend(state.seated.drain(..).map(|seated| seated.number));
    }
    assert_eq!(order, [11, 1, 12, 2, 13]);
}

/// A run over a service that takes half a millisecond for each call, as long as it is not asked to give way.
fn calls_for_short(turns: &Turns) {
    let interrupt = Arc::default();
    let mut share = Share::new(turns);
    let begun = Instant::now();
    while share.free.is_zero() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it waits");
        share.begin(&interrupt);
        let slice = Instant::now();
        while interrupt.load(Ordering::Relaxed) == 0 && slice.elapsed() < Duration::from_millis(20) {
            waits(Duration::from_micros(500));
        }
        share.end();
    }
}

#[test]
fn runs_that_mostly_wait_need_no_seats_though_they_give_way_in_time() {
    let turns = Turns::new(1);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| calls_for_short(&turns));
        }
    });
    assert_eq!(counts(&turns), (0, 0));
}
