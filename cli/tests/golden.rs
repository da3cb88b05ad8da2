//! What the command says, as transcripts in `golden/`. `BLESS=1` writes them anew.

mod support;

use std::sync::Arc;

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
fn programs_of_the_owner() {
    let mut place = Place::new();
    place.write("owner/tidy.carnet", TIDY.as_bytes());
    place.write("owner/count.carnet", b"use files\nprogram count(root: Dir) -> int { var n = 0\n  for e in root.list(\".\") { n += 1 }\n  return n\n}\n");
    place.write("owner/notes.txt", b"no program");
    place.write(
        "owner.toml",
        b"[programs]\ninstalled = \"owner\"\nonly_installed = true\n\n[writes]\nconfirm = true\n[end]\n",
    );
    place.write("both.toml", b"[programs]\ninstalled = \"owner\"\n[end]\n");
    place.write("wrong/wrong.carnet", b"use files\nprogram wrong(root: Dir) { root.sell(\"x\") }\n");
    place.write("wrong.toml", b"[programs]\ninstalled = \"wrong\"\n[end]\n");
    place.write("none.toml", b"[programs]\ninstalled = \"nowhere\"\n[end]\n");
    golden(&mut place, "installed");
}

/// At most two removals, so that it stops in the middle.
const TIDY: &str = "use files
# Removes what ends in .tmp.
program tidy(root: Dir) -> int at most 2 writes {
  var n = 0
  for e in root.list(\".\") limit 100 {
    if e.name.ends_with(\".tmp\") {
      root.remove(e.name)
      n += 1
    }
  }
  return n
}
";

#[test]
fn runs_that_go_on() {
    golden(&mut Place::new(), "resume");
}

#[test]
fn one_loop_over_all_clients() {
    golden(&mut Place::new(), "loop");
}

#[test]
fn programs_as_trees() {
    let place = Place::new();
    let source = std::fs::read_to_string(place.path("delete_old.carnet")).expect("it is there");
    let modules = [Arc::new(carnet_files::files::module().clone())];
    let tree = carnet_program::source::parse(&source, &modules).expect("a program");
    let whole = tree.to_file();
    place.write("cut.tree", &whole[..whole.len() - 5]);
    let mut edited = whole.clone();
    edited[whole.len() / 2] ^= 1;
    place.write("edited.tree", &edited);
    // Behind magic, length and hash, and the magic of the tree.
    let mut newer = whole;
    newer[12 + 4 + 32 + 4] = 9;
    place.write("newer.tree", &newer);
    // It says that it writes nothing.
    let mut lying = tree;
    lying.ops.iter_mut().for_each(|op| op.effect = carnet_idl::descriptor::Effect::Reads);
    place.write("lying.tree", &lying.to_file());
    golden(&mut { place }, "trees");
}

#[test]
fn what_needs_no_server() {
    golden(&mut Place::new(), "offline");
}
