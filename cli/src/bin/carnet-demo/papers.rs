//! The papers of a program: its text, its bill and its receipt; three programs that are refused, and one that is stopped.
//!
//! All texts are those that the `carnet` command prints. That what should be refused is refused, and that what was
//! stopped did what is said and no more, is checked here too.

use std::io::{self, Write};

use carnet_program::client::Client;
use carnet_program::protocol::{End, Refusal};
use carnet_programs::{COPY_TREE, Shipped};

use crate::Trouble;
use crate::sent::{Sent, command};
use crate::stage::Stage;
use crate::trees;

macro_rules! bad {
    ($file:literal) => {
        Shipped { file: $file, source: include_str!(concat!("bad/", $file)) }
    };
}

/// Writes that `careful.carnet` allows itself.
const CAREFUL_WRITES: usize = 10;

/// A program as it is written, with the line numbers that its bill refers to.
pub(crate) fn program(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n\nTHE PROGRAM that copied the tree, all of it:\n")?;
    for (number, line) in (1..).zip(COPY_TREE.source.lines()) {
        writeln!(out, "{}", format!("  {number:>3} | {line}").trim_end())?;
    }
    Ok(())
}

/// Bill and receipt of a program.
pub(crate) fn bill_and_receipt(stage: &Stage, out: &mut dyn Write) -> Result<(), Trouble> {
    let arguments = ["from=/program/files/src", "to=/program/again"];
    let sent = Sent::new(COPY_TREE, &arguments)?;
    let client = Client::new(stage.connect()?);
    let bill = client.bill(&sent.request())?.bill.map_err(|_| "the server rejects copy_tree")?;
    let outcome = client.run(&sent.request(), &[])?;
    if outcome.end != End::Done {
        return Err(sent.report(&outcome).into());
    }
    let command = command(COPY_TREE, &arguments);
    writeln!(
        out,
        "\n\nBEFORE a program runs, its bill says what it can do at most. The server works it out by itself.\n"
    )?;
    shown(out, &format!("$ carnet bill {command}"), &bill.to_string())?;
    writeln!(out, "\nAFTER it ran, its receipt says what it did.\n")?;
    shown(out, &format!("$ carnet run {command}"), &sent.report(&outcome))?;
    Ok(())
}

/// Three programs of which nothing is run.
pub(crate) fn refused(stage: &Stage, out: &mut dyn Write) -> Result<(), Trouble> {
    writeln!(
        out,
        "\n\nREFUSED: three programs that would do harm, or nothing sensible. Nothing of them is run."
    )?;
    writeln!(out, "\n1. It may write more than this server accepts.\n")?;
    too_large(stage, out)?;
    let faulty = [
        ("2. It calls what is not there.", bad!("clean.carnet")),
        ("3. It takes a number for a file.", bad!("append.carnet")),
    ];
    for (what, program) in faulty {
        writeln!(out, "\n{what}\n")?;
        let Err(faults) = Sent::new(program, &[]) else {
            return Err(format!("{} should have been refused", program.file).into());
        };
        shown(out, &format!("$ carnet check {}", program.file), &faults.to_string())?;
    }
    Ok(())
}

fn too_large(stage: &Stage, out: &mut dyn Write) -> Result<(), Trouble> {
    let (program, arguments) = (bad!("backup_often.carnet"), ["from=/program/files", "to=/program/backup"]);
    let sent = Sent::new(program, &arguments)?;
    let outcome = Client::new(stage.connect()?).run(&sent.request(), &[])?;
    let End::Refused(Refusal::Bill { .. }) = outcome.end else {
        return Err(format!("{} should have been refused: {:?}", program.file, outcome.end).into());
    };
    shown(out, &format!("$ carnet run {}", command(program, &arguments)), &sent.report(&outcome))?;
    Ok(())
}

/// A program that reaches its own limit.
pub(crate) fn stopped(stage: &Stage, out: &mut dyn Write) -> Result<(), Trouble> {
    let (program, arguments) = (bad!("careful.carnet"), ["root=/program/backup"]);
    let backup = stage.on_disk("program/backup");
    let files_before = trees::files(&backup)?;
    let sent = Sent::new(program, &arguments)?;
    let outcome = Client::new(stage.connect()?).run(&sent.request(), &[])?;
    let gone = files_before.saturating_sub(trees::files(&backup)?);
    if !matches!(outcome.end, End::Limit { .. }) || gone != CAREFUL_WRITES {
        return Err(format!("{} removed {gone} files and ended so: {:?}", program.file, outcome.end).into());
    }
    writeln!(
        out,
        "\n\nSTOPPED: a program that removes leftover files, but says in its head: at most {CAREFUL_WRITES} writes.
There are more. What was done is known exactly; the directory has lost {gone} files.\n"
    )?;
    shown(out, &format!("$ carnet run {}", command(program, &arguments)), &sent.report(&outcome))?;
    Ok(())
}

/// A command and what it prints, set apart.
fn shown(out: &mut dyn Write, command: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {command}")?;
    for line in text.trim_end().lines() {
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}
