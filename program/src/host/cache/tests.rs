use super::*;
use crate::host::Policy;

/// A program that returns this number, with its digest.
fn returning(number: u16) -> (Vec<u8>, u64) {
    let tree =
        crate::source::parse(&format!("program p() -> int {{ return {number} }}"), &[]).expect("it is right");
    let bytes = crate::compile::compile_to_bytes(&tree).expect("it fits");
    let digest = identity::of_program(0, &bytes);
    (bytes, digest)
}

fn load(cache: &Cache, number: u16, owner: &str) -> Arc<Cached> {
    cache.load(&returning(number).0, &Registry::new(&[]), &Arc::from(owner)).expect("it is right")
}

fn is_there(cache: &Cache, number: u16) -> bool {
    let (bytes, digest) = returning(number);
    cache.with_bytes(digest, &bytes).is_some()
}

#[test]
fn a_program_is_found_by_its_bytes_and_its_hash_and_no_other_is() {
    let cache = Cache::new(&Policy::default(), 0);
    let one = load(&cache, 1, "a");
    let ((bytes, digest), (others, _)) = (returning(1), returning(2));
    assert!(Arc::ptr_eq(&one, &cache.with_bytes(digest, &bytes).expect("it is there")));
    assert!(Arc::ptr_eq(&one, &cache.with_hash(one.hash()).expect("it is there")));
    assert!(cache.with_bytes(digest, &others).is_none(), "a digest is no proof");
    let mut hash = *one.hash();
    hash[31] ^= 1;
    assert!(cache.with_hash(&hash).is_none());
    assert!(Arc::ptr_eq(&one, &load(&cache, 1, "b")), "who loads it again gets the same");
    assert!(cache.load(b"no program", &Registry::new(&[]), &Arc::from("a")).is_err());
    assert_eq!(cache.counts(), [1, 0]);
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let cache = Cache::new(&Policy { cached_max: 3, ..Policy::default() }, 0);
    (1..=3).for_each(|number| drop(load(&cache, number, "a")));
    assert!(is_there(&cache, 1));
    let two = load(&cache, 2, "a");
    load(&cache, 4, "a");
    assert_eq!([1, 2, 3, 4].map(|number| is_there(&cache, number)), [true, true, false, true]);
    assert!(cache.with_hash(two.hash()).is_some());
}

#[test]
fn who_caches_much_loses_his_own() {
    let cache = Cache::new(&Policy { cached_per_principal_max: 2, ..Policy::default() }, 0);
    load(&cache, 1, "a");
    (2..100).for_each(|number| drop(load(&cache, number, "b")));
    assert!(is_there(&cache, 1) && is_there(&cache, 98) && is_there(&cache, 99));
    assert_eq!(cache.counts(), [3, 0]);
}

#[test]
fn bytes_are_bounded_and_what_is_more_than_a_share_alone_is_not_cached() {
    let each = load(&Cache::new(&Policy::default(), 0), 1, "a").takes();
    let cache = Cache::new(&Policy { cached_bytes_max: 8 * each, ..Policy::default() }, 0);
    load(&cache, 1, "a");
    (2..100).for_each(|number| drop(load(&cache, number, "b")));
    assert_eq!(cache.counts(), [3, 0]);
    assert!(is_there(&cache, 1) && is_there(&cache, 98) && is_there(&cache, 99));
    (100..200).for_each(|number| drop(load(&cache, number, &number.to_string())));
    assert_eq!(cache.counts(), [8, 0]);
    assert_eq!(lock(&cache.state).bytes, 8 * each);
    let state = lock(&cache.state);
    assert!(state.unhashed.len() <= 64 + 2 * 8 + 1, "{}", state.unhashed.len());
    assert_eq!(state.owners.values().map(|owned| owned.order.len()).sum::<usize>(), 8);
    drop(state);
    let small = Cache::new(&Policy { cached_bytes_max: 4 * each - 1, ..Policy::default() }, 0);
    assert_eq!(load(&small, 1, "a").hash(), load(&cache, 1, "a").hash());
    assert_eq!(small.counts(), [0, 0]);
    let none = Cache::new(&Policy { cached_max: 0, ..Policy::default() }, 0);
    load(&none, 1, "a");
    assert_eq!(none.counts(), [0, 0]);
}

/// Both are run, and the first stays in the table.
#[test]
fn two_programs_of_one_digest_are_told_apart() {
    let cache = Cache::new(&Policy::default(), 0);
    let one = load(&cache, 1, "a");
    let ((bytes, digest), (others, _)) = (returning(1), returning(2));
    let other = cache.insert(Cached::new(&others, digest, Loaded::default(), &Arc::from("b")));
    assert_eq!(*other.bytes, *others);
    assert!(cache.with_bytes(digest, &others).is_none() && cache.with_hash(other.hash()).is_none());
    assert!(Arc::ptr_eq(&one, &load(&cache, 1, "a")));
    assert!(Arc::ptr_eq(&one, &cache.with_bytes(digest, &bytes).expect("it is there")));
}

/// Code that comes for a program that went, and was sent again, is not counted for it.
#[test]
fn code_is_counted_for_the_program_that_has_it() {
    let cache = Cache::new(&Policy { cached_max: 1, ..Policy::default() }, 0);
    let first = load(&cache, 1, "a");
    load(&cache, 2, "a");
    load(&cache, 1, "a");
    let before = lock(&cache.state).bytes;
    cache.translated(&first, Err("it cannot be".to_owned()));
    assert_eq!(lock(&cache.state).bytes, before);
    assert!(first.was_translated());
}

/// What takes longer to translate has to run more before, and is given to the translator once.
#[test]
fn a_program_is_hot_once() {
    let policy = Policy { translated_after: 100, ..Policy::default() };
    let program = load(&Cache::new(&policy, 0), 1, "a");
    let enough = 100 * program.program.code.len() as u64;
    assert!(!program.ran(enough - 1, &policy));
    assert!(program.ran(1, &policy));
    assert!(!program.ran(u64::MAX, &policy));
    let never = Policy { translated_after: u64::MAX, ..policy };
    let cold = load(&Cache::new(&never, 0), 1, "a");
    assert!(!cold.ran(1 << 60, &never));
}

/// The order is kept lazily: it must be the one of a list that is searched each time.
#[test]
fn who_goes_is_who_a_search_finds() {
    let policy = Policy { cached_max: 7, cached_per_principal_max: 4, ..Policy::default() };
    let cache = Cache::new(&policy, 0);
    // Least recently used first, with its owner.
    let mut known: Vec<(u16, &str)> = Vec::new();
    let mut random = 1_u64;
    for _ in 0..3_000 {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let (number, owner) = ((random >> 33) as u16 % 16, ["a", "b", "c"][(random >> 60) as usize % 3]);
        let (bytes, digest) = returning(number);
        let is_found = match random >> 50 & 3 {
            0 => cache.with_hash(&crate::bill::hash(&bytes)).is_some(),
            _ => cache.with_bytes(digest, &bytes).is_some(),
        };
        let at = known.iter().position(|(of, _)| *of == number);
        assert_eq!(is_found, at.is_some(), "{number} in {known:?}");
        if let Some(at) = at {
            let used = known.remove(at);
            known.push(used);
            continue;
        }
        load(&cache, number, owner);
        known.push((number, owner));
        while known.iter().filter(|(_, of)| *of == owner).count() > 4 {
            let at = known.iter().position(|(_, of)| *of == owner).expect("there is one");
            known.remove(at);
        }
        while known.len() > 7 {
            known.remove(0);
        }
        assert_eq!(cache.counts()[0], known.len() as u64);
    }
}
