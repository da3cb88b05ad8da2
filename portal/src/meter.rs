//! What the single calls of a session use, charged to its principal.
//!
//! A session draws a share of what its principal may use, and takes from that without asking anybody: a call that reads
//! costs one subtraction. Only when the share is used up does it come back for more.
//!
//! ```text
//! call ──► Metered::charge ── enough left? ──yes──► dispatch ──► Metered::done
//!                                  └──no──► Purse::draw ──► refused, or charged, and a new share drawn
//! ```
//! What a session has used of its share is told when it draws the next, and at its end. A call that the share is too small
//! for is charged at once: what an idle session has used and not told is never more than its share.
//! What an entry point calls is its own matter. A server without a [`Meter`] charges nothing.

use carnet_idl::descriptor::{Effect, Module, Operation};

use crate::call::{Caller, Failure, Ref};

/// Amounts of what is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Calls.
    pub calls: u64,
    /// Calls of writing operations.
    pub writes: u64,
    /// Bytes written: the declared work of a call, or the data in its arguments.
    pub written: u64,
}

/// Knows what each principal may use.
pub trait Meter: Send + Sync + 'static {
    /// What the single calls of one session are charged to.
    fn open(&self, caller: &Caller) -> Box<dyn Purse>;
}

/// The share of one session.
pub trait Purse: Send {
    /// So much of the last share is `used`; the rest is given back. `wanted` is charged, and a new share drawn for the
    /// calls that follow, which may be nothing.
    ///
    /// # Errors
    /// There is not so much as is wanted. Nothing is charged then, and the session has no share.
    fn draw(&mut self, used: Use, wanted: Use) -> Result<Use, Failure>;

    /// Of what was charged last, so many bytes were not written.
    fn refund(&mut self, written: u64);

    /// So much of the last share is `used`; the rest is given back. The session has ended.
    fn settle(&mut self, used: Use);
}

/// Charges the calls of one session.
pub(crate) struct Metered {
    purse: Option<Box<dyn Purse>>,
    share: Use,
    left: Use,
}

impl Metered {
    pub(crate) fn new(meter: Option<&dyn Meter>, caller: &Caller) -> Metered {
        let share = Use::default();
        Metered { purse: meter.map(|meter| meter.open(caller)), share, left: share }
    }

    /// Charges a call before it is made; returns the bytes that it is charged for, which are none without a meter.
    ///
    /// # Errors
    /// The principal may make no such call at the moment.
    #[inline]
    pub(crate) fn charge(
        &mut self,
        module: &Module,
        operation: &Operation,
        words: &[u64],
    ) -> Result<u64, Failure> {
        if self.purse.is_none() {
            return Ok(0);
        }
        if operation.effect == Effect::Reads
            && let Some(calls) = self.left.calls.checked_sub(1)
        {
            self.left.calls = calls;
            return Ok(0);
        }
        self.charge_slowly(module, operation, words)
    }

    #[inline(never)]
    fn charge_slowly(
        &mut self,
        module: &Module,
        operation: &Operation,
        words: &[u64],
    ) -> Result<u64, Failure> {
        let wanted = match operation.effect {
            Effect::Reads => Use { calls: 1, ..Use::default() },
            Effect::Writes => Use { calls: 1, writes: 1, written: most_written(module, operation, words) },
        };
        if let Some(left) = minus(self.left, wanted) {
            self.left = left;
        } else if let Some(purse) = &mut self.purse {
            let used = minus(self.share, self.left).unwrap_or_default();
            (self.share, self.left) = (Use::default(), Use::default());
            self.share = purse.draw(used, wanted)?;
            self.left = self.share;
        }
        Ok(wanted.written)
    }

    /// A call with a declared cost says with its first result how much it did; the rest is not charged.
    #[inline]
    pub(crate) fn done(&mut self, operation: &Operation, words: &[u64], charged: u64) {
        if charged == 0 {
            return;
        }
        let did = operation.did(charged, || words[operation.layout.request_words()]);
        if did < charged {
            self.left.written += charged - did;
            if self.left.written > self.share.written {
                self.refund();
            }
        }
    }

    /// Gives back what was not taken from the share.
    #[cold]
    fn refund(&mut self) {
        let unwritten = self.left.written - self.share.written;
        self.left.written = self.share.written;
        if let Some(purse) = &mut self.purse {
            purse.refund(unwritten);
        }
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        if let Some(purse) = &mut self.purse {
            purse.settle(minus(self.share, self.left).unwrap_or_default());
        }
    }
}

fn minus(from: Use, take: Use) -> Option<Use> {
    Some(Use {
        calls: from.calls.checked_sub(take.calls)?,
        writes: from.writes.checked_sub(take.writes)?,
        written: from.written.checked_sub(take.written)?,
    })
}

/// Bytes that a writing call may write, as for calls of programs.
fn most_written(module: &Module, operation: &Operation, words: &[u64]) -> u64 {
    let len = |word: u64| Ref(word).len();
    if let Some(at) = module.cost_word(operation) {
        let kind_and_value = operation.layout.ins.get(at).zip(words.get(at));
        return kind_and_value.map_or(0, |(kind, value)| kind.work(*value, len));
    }
    if let Some(short) = operation.layout.short {
        // At most one string or bytes are sent: there is nothing to look for.
        return short.sent().map_or(0, |at| operation.layout.ins[at].data(len(words[at])));
    }
    let sent = operation.layout.ins.iter().chain(&operation.layout.inouts).zip(words);
    sent.map(|(kind, value)| kind.data(len(*value))).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock, Mutex};

    use super::*;
    use crate::call::Kind;

    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let text = "module t {
            struct S { long long a; long long b; };
            struct Lists { sequence<S, 4> all; sequence<long, 4> some[2]; };
            interface T {
                @reads long long get(in long long n);
                void put(in sequence<octet, 100> data, in string<100> name);
                @cost(bytes = n) long long copy(in S s, in long long n);
                void swap(in long long n, inout sequence<octet, 100> data);
                @cost(bytes = n) void fill(in Lists lists, in sequence<Lists, 4> more, in long long n);
                @cost(bytes = data) long long take(in S s, in sequence<octet, 100> data, in sequence<octet, 9> more);
                @cost(bytes = data) unsigned long long claim(in sequence<octet, 100> data);
            };
        };";
        carnet_idl::compile_str("t.idl", text).expect("the interface compiles")
    });

    /// Gives shares of three calls and of some bytes; writes down what it was told.
    #[derive(Clone, Default)]
    struct Book {
        told: Arc<Mutex<Vec<Told>>>,
        share_written: u64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Told {
        Draw { used: Use, wanted: Use },
        Refund(u64),
        Settle(Use),
    }

    impl Book {
        fn note(&self, told: Told) {
            self.told.lock().expect("nobody panics with it").push(told);
        }

        fn told(&self) -> Vec<Told> {
            self.told.lock().expect("nobody panics with it").clone()
        }

        /// All that was charged.
        fn used(&self) -> Use {
            let mut sum = Use::default();
            for told in self.told() {
                let (used, wanted) = match told {
                    Told::Draw { used, wanted } => (used, wanted),
                    Told::Settle(used) => (used, Use::default()),
                    Told::Refund(bytes) => {
                        sum.written -= bytes;
                        continue;
                    }
                };
                sum.calls += used.calls + wanted.calls;
                sum.writes += used.writes + wanted.writes;
                sum.written += used.written + wanted.written;
            }
            sum
        }
    }

    impl Meter for Book {
        fn open(&self, _caller: &Caller) -> Box<dyn Purse> {
            Box::new(self.clone())
        }
    }

    impl Purse for Book {
        fn draw(&mut self, used: Use, wanted: Use) -> Result<Use, Failure> {
            if wanted.written > 1_000 {
                self.note(Told::Draw { used, wanted: Use::default() });
                return Err(Failure::new(Kind::Refused, "too much"));
            }
            self.note(Told::Draw { used, wanted });
            Ok(Use { calls: 3, writes: wanted.writes, written: self.share_written })
        }

        fn refund(&mut self, written: u64) {
            self.note(Told::Refund(written));
        }

        fn settle(&mut self, used: Use) {
            self.note(Told::Settle(used));
        }
    }

    fn charge(metered: &mut Metered, op: usize, words: &[u64]) -> Result<u64, Failure> {
        metered.charge(&MODULE, &MODULE.interfaces[0].operations[op], words)
    }

    fn uses(calls: u64, writes: u64, written: u64) -> Use {
        Use { calls, writes, written }
    }

    #[test]
    fn a_share_is_used_up_before_another_is_drawn_and_settled_at_the_end() {
        let book = Book::default();
        let mut metered = Metered::new(Some(&book), &Caller::local());
        for _ in 0..6 {
            assert_eq!(charge(&mut metered, 0, &[0, 0]).ok(), Some(0));
        }
        drop(metered);
        let draw = |calls| Told::Draw { used: uses(calls, 0, 0), wanted: uses(1, 0, 0) };
        assert_eq!(book.told(), [draw(0), draw(3), Told::Settle(uses(1, 0, 0))]);
    }

    #[test]
    fn bytes_are_those_of_the_data_or_of_the_declared_work_that_was_done() {
        let book = Book::default();
        let mut metered = Metered::new(Some(&book), &Caller::local());
        let text = |len| Ref::new(0, 0, len).expect("it is short").0;
        assert_eq!(charge(&mut metered, 1, &[text(70), text(90)]).ok(), Some(70), "names are not written");
        let copy = &MODULE.interfaces[0].operations[2];
        assert_eq!(metered.charge(&MODULE, copy, &[9, 9, 500, 0]).ok(), Some(500));
        metered.done(copy, &[9, 9, 500, 300], 500);
        assert_eq!(
            charge(&mut metered, 2, &[9, 9, u64::MAX, 0]).ok(),
            Some(0),
            "less than nothing is nothing"
        );
        let refused = charge(&mut metered, 2, &[9, 9, 1 << 40, 0]);
        assert_eq!(refused.map_err(|failure| failure.kind()), Err(Kind::Refused));
        drop(metered);
        assert_eq!(book.used(), uses(3, 3, 70 + 300), "the refused one was not made");
    }

    #[test]
    fn declared_work_is_found_behind_lists_in_other_values() {
        let mut metered = Metered::new(Some(&Book::default()), &Caller::local());
        assert_eq!(charge(&mut metered, 4, &[1, 2, 3, 4, 500]).ok(), Some(500));
    }

    /// What is not written of a call is first put back into the share it was taken from; the rest is told at once.
    #[test]
    fn what_was_not_written_is_given_back() {
        let copy = &MODULE.interfaces[0].operations[2];
        for share_written in [0, 100, 600] {
            let book = Book { share_written, ..Book::default() };
            let mut metered = Metered::new(Some(&book), &Caller::local());
            for (wanted, did) in [(500, 300), (500, 0), (40, 40), (500, 500)] {
                assert_eq!(metered.charge(&MODULE, copy, &[9, 9, wanted, 0]).ok(), Some(wanted));
                metered.done(copy, &[9, 9, wanted, did], wanted);
            }
            drop(metered);
            assert_eq!(book.used(), uses(4, 4, 840), "a share of {share_written} B");
            let refunds = book.told().iter().filter(|told| matches!(told, Told::Refund(_))).count();
            assert_eq!(refunds, if share_written == 600 { 1 } else { 2 });
        }
    }

    /// What a call says that it took counts, but not more than it was given.
    #[test]
    fn bytes_of_which_a_part_was_taken_count_with_it() {
        let book = Book::default();
        let mut metered = Metered::new(Some(&book), &Caller::local());
        let data = |len| Ref::new(0, 0, len).expect("it is short").0;
        let [take, claim] = [5, 6].map(|op| &MODULE.interfaces[0].operations[op]);
        let words = [9, 9, data(70), data(5), 30];
        assert_eq!(metered.charge(&MODULE, take, &words).ok(), Some(70));
        metered.done(take, &words, 70);
        for said in [u64::MAX, 71, 20] {
            let words = [data(70), said];
            assert_eq!(metered.charge(&MODULE, claim, &words).ok(), Some(70));
            metered.done(claim, &words, 70);
        }
        drop(metered);
        assert_eq!(book.used(), uses(4, 4, 30 + 70 + 70 + 20));
    }

    #[test]
    fn bytes_that_go_both_ways_are_written_like_others() {
        let book = Book::default();
        let mut metered = Metered::new(Some(&book), &Caller::local());
        let data = Ref::new(3, 8, 42).expect("a reference").0;
        assert_eq!(metered.charge(&MODULE, &MODULE.interfaces[0].operations[3], &[7, data]).ok(), Some(42));
    }

    #[test]
    fn without_a_meter_nothing_is_refused() {
        let mut metered = Metered::new(None, &Caller::local());
        assert!((0..1_000).all(|_| charge(&mut metered, 2, &[9, 9, 1 << 40, 0]).is_ok()));
    }
}
