//! What the command says, as transcripts in `golden/`. `BLESS=1` writes them anew.

mod support;

use support::{Place, golden};

#[test]
fn the_tour() {
    golden(&mut Place::new(), "tour");
}

#[test]
fn rejected_refused_stopped_failed() {
    golden(&mut Place::new(), "messages");
}

#[test]
fn wrong_turns_of_a_new_user() {
    golden(&mut Place::new(), "wrong_turns");
}

#[test]
fn what_a_server_says_of_itself() {
    golden(&mut Place::new(), "describe");
}

#[test]
fn policy_files_that_are_wrong() {
    golden(&mut Place::new(), "policy");
}

#[test]
fn allowances() {
    golden(&mut Place::new(), "allowance");
}

#[test]
fn runs_that_go_on() {
    golden(&mut Place::new(), "resume");
}

#[test]
fn one_loop_over_all_clients() {
    golden(&mut Place::new(), "loop");
}

#[test]
fn what_needs_no_server() {
    golden(&mut Place::new(), "offline");
}
