//! Panics of code that is not ours: they end what they broke, and nothing around it.
//!
//! A service, or the host of a server, may panic in a call, in a destructor, and with a value whose own end panics. Whoever
//! calls such code does it through here, and is told only that it did not return. It does not stop a panic inside of
//! another: two destructors that panic, one because of the other, end the process, as anywhere. So lists of what others made
//! are dropped one by one, `list.drain(..).for_each(drop_quietly)`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `code` returns; `None` if it panicked. What it threw is dropped here, and a panic of that stays here, too.
///
/// What `code` changes must be given up, or be whole between any two of its statements: it may have stopped anywhere.
///
/// ```
/// use carnet_portal::panics::survived;
/// assert_eq!(survived(|| 7), Some(7));
/// assert_eq!(survived(|| -> u32 { panic!("as an example") }), None);
/// ```
pub fn survived<T>(code: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(code)) {
        Ok(value) => Some(value),
        Err(thrown) => {
            drop_thrown(thrown);
            None
        }
    }
}

/// Drops what others made; a panic of its destructor stays there.
pub fn drop_quietly<T>(value: T) {
    // What a destructor leaves broken is its own: nothing else holds the value.
    survived(|| drop(value));
}

/// Drops what was thrown. What that throws in turn is not dropped: it could go on so for ever.
#[cold]
fn drop_thrown(thrown: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(thrown)))
        && !(again.is::<&str>() || again.is::<String>())
    {
        std::mem::forget(again);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;
    use std::sync::Arc;

    use super::*;

    /// Throws another at its end, and that one another, and so on.
    struct Bomb(Arc<()>);

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic_any(Bomb(Arc::clone(&self.0)));
        }
    }

    #[test]
    fn what_throws_at_its_end_whenever_it_is_dropped_is_survived() {
        let thrown = Arc::new(());
        let bomb = Bomb(Arc::clone(&thrown));
        assert_eq!(survived(|| -> u32 { panic_any(bomb) }), None);
        assert!(Arc::strong_count(&thrown) <= 2, "all but the last are gone");
        drop_quietly(Bomb(Arc::clone(&thrown)));
        assert_eq!(survived(|| 7), Some(7));
    }

    #[test]
    fn what_was_thrown_is_dropped() {
        let held = Arc::new(());
        let thrown = Arc::clone(&held);
        assert_eq!(survived(|| -> u32 { panic_any(thrown) }), None);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
