//! Call arrays as text, for people who look at what was made.

use std::fmt::Write as _;

use super::{Command, Messages, OnError, View};
use crate::bytecode::{NONE, NotAProgram};

/// The commands of an array, one a line, with the messages that they name.
///
/// # Errors
/// If `bytes` are no call array.
pub fn show(bytes: &[u8]) -> Result<String, NotAProgram> {
    let view = View::new(bytes)?;
    let mut text = String::new();
    for k in 0..view.messages.len() {
        if let Some(Messages { op, count, status }) = view.messages(k) {
            let status = if status { ", with a status" } else { "" };
            // Writing to a text cannot fail.
            let _ = writeln!(text, "messages {k}: {count} of operation {op}{status}");
        }
    }
    for (at, bytes) in view.commands.iter().enumerate() {
        let shown =
            Command::decode(bytes).map_or_else(|| "no command".to_owned(), |(command, _)| line(command));
        let _ = writeln!(text, "{at:>4} {:>4}  {shown}", view.pos(at as u32).line);
    }
    Ok(text)
}

/// `3 by 2`: an operand, and how it moves on.
fn stepped(first: u16, step: u16) -> String {
    if step == 0 { first.to_string() } else { format!("{first} by {step}") }
}

fn line(command: Command) -> String {
    match command {
        Command::Call { register, register_step, message, message_step, into, into_step, on_error } => {
            let tried = if on_error == OnError::CarryOn { "try " } else { "" };
            let (object, message) = (stepped(register, register_step), stepped(message, message_step));
            let into =
                if into == NONE { String::new() } else { format!(" into r{}", stepped(into, into_step)) };
            format!("{tried}call r{object} s{message}{into}")
        }
        Command::Move { from, from_step, to, to_step, stride, to_stride, size, items, add } => {
            let (from, to) = (stepped(from, from_step), stepped(to, to_step));
            let many = if items == 1 && size == 1 {
                String::new()
            } else {
                format!(", {items} of {size} words, strides {stride} and {to_stride}")
            };
            let plus = if add == 0 { String::new() } else { format!(", {add} more each") };
            format!("move s{from} to s{to}{many}{plus}")
        }
        Command::Repeat { times, commands } => format!("repeat {times} times the next {commands}"),
    }
}
