//! Policy files that the users' book shows are read, and the one that lists all keys has the defaults.

use std::path::Path;

use carnet_cli::policy::parse;
use carnet_program::host::{Accepts, Policy};

/// The listings of the page on serving that are policy files.
fn policies() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/serving.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let after_fences = page.split("```toml\n").skip(1);
    after_fences.map(|after| after.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn policies_of_the_book_are_read() {
    let policies = policies();
    assert!(policies.len() >= 2, "only {} were found", policies.len());
    for text in policies {
        if let Err(problem) = parse("serving.md", "strict", &text) {
            panic!("{}", problem.text);
        }
    }
}

#[test]
fn the_policy_with_all_keys_has_the_defaults() {
    let policy = parse("serving.md", "default", &policies()[0]).expect("it is read").policy;
    // What is accepted has no defaults; the listing repeats the limits.
    let limits = policy.limits;
    let accepts = Accepts {
        calls: Some(limits.calls),
        writes: Some(limits.writes),
        written: Some(limits.written),
        instructions: Some(limits.instructions),
    };
    assert_eq!(policy, Policy { accepts, ..Policy::default() });
}
