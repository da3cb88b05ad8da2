//! Pages of directories: each entry once, in order, whatever happens between pages.

mod support;

use std::collections::BTreeSet;
use std::fs;

use support::{Tree, walk};

fn name(number: usize) -> String {
    format!("f{number:06}")
}

fn tree_of(count: usize) -> Tree {
    let tree = Tree::new();
    for number in 0..count {
        tree.put(name(number), "");
    }
    tree
}

#[test]
fn pages_are_sorted_and_bounded() {
    let tree = tree_of(5000);
    let dir = tree.client();
    let mut sizes = Vec::new();
    let names = walk(&dir, b".", |page| sizes.push(page.len()));
    assert_eq!(sizes, [1024; 4]);
    assert_eq!(names, tree.names());
    assert!(names.is_sorted());
    let (page, last) = dir.list(b".", b"f004990").unwrap();
    assert_eq!((page.len(), last), (9, true));
    let (page, last) = dir.list(b".", b"f000000").unwrap();
    assert_eq!((page[0].name.as_slice(), page.len(), last), (&b"f000001"[..], 1024, false));
    assert_eq!(dir.list(b".", b"zzz").unwrap(), (Vec::new(), true));
    assert_eq!(dir.list(b".", b"f0049").unwrap().0.len(), 100);
}

#[test]
fn long_names_make_shorter_pages() {
    let tree = Tree::new();
    for number in 0..1500 {
        tree.put(format!("{number:0255}"), "");
    }
    let mut sizes = Vec::new();
    let names = walk(&tree.client(), b".", |page| sizes.push(page.len()));
    assert_eq!(names, tree.names());
    assert_eq!(sizes, [888], "256 KiB of 295 bytes each");
}

#[test]
fn a_page_that_ends_with_the_directory_is_the_last() {
    for count in [0, 1, 1023, 1024, 1025, 2048] {
        let tree = tree_of(count);
        let dir = tree.client();
        let (page, last) = dir.list(b".", b"").unwrap();
        assert_eq!((page.len(), last), (count.min(1024), count <= 1024), "{count}");
        assert_eq!(walk(&dir, b".", |_| {}).len(), count);
    }
}

#[test]
fn what_is_removed_between_pages_is_missed_by_nobody_else() {
    let tree = tree_of(5000);
    let dir = tree.client();
    let shown = walk(&dir, b".", |page| {
        for name in page {
            dir.remove(name).unwrap();
        }
    });
    assert_eq!(shown.len(), 5000);
    let left = tree.names();
    assert_eq!(left, shown[4096..], "those of the last page were not removed");
    assert_eq!(walk(&dir, b".", |_| {}), left, "a new walk shows the present");
}

#[test]
fn what_stays_is_shown_once_while_others_come_and_go() {
    let tree = tree_of(5000);
    let dir = tree.client();
    let stays: BTreeSet<Vec<u8>> = (0..5000).step_by(3).map(|n| name(n).into_bytes()).collect();
    let mut round = 0;
    let shown = walk(&dir, b".", |_| {
        round += 1;
        for number in 0..5000 {
            if number % 3 == 1 && number % 7 == round {
                fs::remove_file(tree.path(name(number))).ok();
            }
            if number % 11 == round {
                tree.put(format!("{}-new", name(number)), "");
            }
        }
    });
    assert!(shown.is_sorted_by(|a, b| a < b), "nothing twice");
    let shown: BTreeSet<_> = shown.into_iter().collect();
    assert!(stays.is_subset(&shown));
}

#[test]
fn all_that_follows_may_vanish() {
    let tree = tree_of(3000);
    let dir = tree.client();
    let (page, last) = dir.list(b".", b"").unwrap();
    assert!(!last);
    for number in 1024..3000 {
        fs::remove_file(tree.path(name(number))).unwrap();
    }
    assert_eq!(dir.list(b".", &page[1023].name).unwrap(), (Vec::new(), true));
}

#[test]
fn walks_do_not_disturb_each_other() {
    let tree = tree_of(3000);
    fs::create_dir(tree.path("sub")).unwrap();
    for number in 0..3000 {
        tree.put(format!("sub/{}", name(number)), "");
    }
    let (one, two) = (tree.client_of(1), tree.client_of(2));
    let mut inner = 0;
    let outer = walk(&one, b".", |_| {
        inner += walk(&one, b"sub", |_| {}).len();
        inner += walk(&two, b".", |_| {}).len();
        inner += walk(&one, b".", |_| {}).len();
    });
    assert_eq!((outer.len(), inner), (3001, 2 * (3000 + 3001 + 3001)));
    // The same page again.
    let again = one.list(b".", b"f001023").unwrap();
    assert_eq!(again, one.list(b".", b"f001023").unwrap());
    // What was made since is in a page that does not go on from the one before.
    tree.put("f001023-new", "");
    assert_eq!(two.list(b".", b"f001023").unwrap().0[0].name, b"f001023-new");
}

#[test]
fn a_directory_that_is_exchanged_between_pages_is_not_mixed_up() {
    let tree = Tree::new();
    let dir = tree.client();
    for (sub, count) in [("one", 3000), ("two", 2000)] {
        fs::create_dir(tree.path(sub)).unwrap();
        for number in 0..count {
            tree.put(format!("{sub}/{}", name(number)), "");
        }
    }
    let (page, _) = dir.list(b"one", b"").unwrap();
    fs::rename(tree.path("one"), tree.path("three")).unwrap();
    fs::rename(tree.path("two"), tree.path("one")).unwrap();
    let (next, last) = dir.list(b"one", &page[1023].name).unwrap();
    assert_eq!((next.len(), last), (2000 - 1024, true));
}

/// More names than are kept at once, so that the directory is read again in the middle.
#[test]
fn directories_larger_than_the_window() {
    let count = 33_000;
    let tree = tree_of(count);
    let dir = tree.client();
    let names = walk(&dir, b".", |_| {});
    assert_eq!(names.len(), count);
    assert_eq!(names, tree.names());
}
