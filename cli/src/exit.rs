//! How the command ends: exit codes, problems, and what a verb has to say.
//!
//! The codes are part of the product; scripts rely on them.

use serde_json::{Value, json};

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All was done.
    Done = 0,
    /// A call failed, and the program ended.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The compiler or the verifier rejected a text or program.
    Rejected = 3,
    /// The run was stopped at a limit, a deadline or by cancelling it.
    Stopped = 4,
    /// The way to the server was lost: it is unknown what took effect.
    Unknown = 5,
    /// Refused by policy, and nothing was run.
    Refused = 6,
    /// The server cannot be reached, and nothing was sent.
    Unreachable = 7,
    /// All was done, but what there is to say of it could not be written.
    Unwritten = 8,
}

/// What a verb has to say: for people, and for programs that read JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// How the command ends.
    pub exit: Exit,
    /// For people, on standard output.
    pub out: String,
    /// For people, on standard error.
    pub err: String,
    /// The same for programs: one object; null if there is nothing to say.
    pub json: Value,
}

impl Exit {
    /// Its stable name, for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage",
            Exit::Rejected => "rejected",
            Exit::Stopped => "stopped",
            Exit::Unknown => "unknown",
            Exit::Refused => "refused",
            Exit::Unreachable => "unreachable",
            Exit::Unwritten => "unwritten",
        }
    }
}

impl Reply {
    /// All was done.
    #[must_use]
    pub fn done(out: String, json: Value) -> Reply {
        Reply { exit: Exit::Done, out, err: String::new(), json }
    }

    /// With the `error` and `message` that the JSON of all has that ended otherwise than well, unless they are there.
    #[must_use]
    pub fn explained(mut self) -> Reply {
        if self.exit != Exit::Done
            && let Value::Object(json) = &mut self.json
        {
            let text = if self.err.is_empty() { &self.out } else { &self.err };
            json.entry("error").or_insert_with(|| self.exit.name().into());
            json.entry("message").or_insert_with(|| text.trim_end().into());
        }
        self
    }
}

/// Why a verb could not do what was asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{text}")]
pub struct Problem {
    /// How the command ends.
    pub exit: Exit,
    /// Stable name for programs, for example `unreachable`.
    pub name: &'static str,
    /// For people: what is wrong, and what to do about it.
    pub text: String,
}

impl Problem {
    /// The command line is wrong.
    #[must_use]
    pub fn usage(text: impl Into<String>) -> Problem {
        Problem { exit: Exit::Usage, name: "usage", text: text.into() }
    }

    /// A text was rejected; `text` is the rendered diagnostics.
    #[must_use]
    pub fn rejected(text: impl Into<String>) -> Problem {
        Problem { exit: Exit::Rejected, name: "rejected", text: text.into() }
    }

    /// Something failed.
    #[must_use]
    pub fn failed(text: impl Into<String>) -> Problem {
        Problem { exit: Exit::Failed, name: "failed", text: text.into() }
    }

    /// As a verb's reply.
    #[must_use]
    pub fn into_reply(self) -> Reply {
        let mut err = self.text.clone();
        if !err.ends_with('\n') {
            err.push('\n');
        }
        let json = json!({ "exit": self.exit as u8, "error": self.name, "message": self.text });
        Reply { exit: self.exit, out: String::new(), err, json }
    }
}

/// What a verb comes to.
pub type Answer = Result<Reply, Problem>;
