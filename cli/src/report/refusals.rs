//! Why nothing was run, and what to type instead.

use carnet_idl::diagnostic::{Diagnostic, Span, render};
use carnet_program::bill::Hash;
use carnet_program::limits::LimitKind;
use carnet_program::protocol::{APPROVAL_DIGITS, BillAnswer, NotWalked, Refusal};
use carnet_program::text::{hex, short_hash};
use carnet_program::tree::{Block, Limit, Pos, Stmt, StmtKind};

use super::{Run, cap_name, span_at};
use crate::source::Source;
use crate::value::{told, told_lines};

/// Why nothing was run.
#[must_use]
pub fn refused(run: &Run<'_>, refusal: &Refusal) -> String {
    let program = run.source.map_or_else(|| "the program".to_owned(), named);
    let typed = run.typed;
    match refusal {
        Refusal::Bill { kind, bill, accepts } => {
            let verb = verb(*kind);
            let (bill, accepts) = (kind.amount(*bill), kind.amount(*accepts));
            let cap =
                if *kind == LimitKind::Instructions { "" } else { ", or a smaller cap behind `at most`" };
            format!(
                "refused: {program} may {verb} {bill}; this server accepts at most {accepts}\n\
                 nothing was run. Give its loops smaller limits{cap}; `{}` shows where they come from\n",
                typed.bill()
            )
        }
        Refusal::Defaults { policy, lines } => defaults(run.source, policy, lines),
        Refusal::NotApproved { writes, principal, approval } => format!(
            "{}\nnothing was run. Look at its bill ({}), then: {}\n",
            needs_approval(&program, *writes, principal),
            typed.bill(),
            approve(run, approval)
        ),
        Refusal::WrongApproval => format!(
            "refused: the approval is for another program, bill or arguments than {program}\n\
             nothing was run. See what it would be now: {}\n",
            typed.bill()
        ),
        Refusal::IdentityUsed => format!(
            "refused: the run `{}` was another program, had other arguments, or one of the two is a dry run\n\
             nothing was run. Leave --id out, or choose another; `{}` shows that run\n",
            run.name,
            typed.status(run.name)
        ),
        Refusal::Busy(n) => {
            format!(
                "refused: the server runs {}, as many as it may\nnothing was run. Try again later\n",
                programs(*n)
            )
        }
        Refusal::PrincipalBusy(n) => format!(
            "refused: you run {}, as many as one user may at the same time\n\
             nothing was run. Try again when one has ended\n",
            programs(*n)
        ),
        Refusal::Argument { index, message } => argument(run, *index, message),
        Refusal::Allowance { kind, standing } => {
            let why = standing.used_up(*kind);
            let when = if standing.allowance.of(*kind) == 0 { "" } else { "Try again then; " };
            format!("refused: {why}\nnothing was run. {when}`carnet status` shows what is left\n")
        }
        Refusal::NotKept => format!(
            "refused: the run `{}` is kept no more: it was let go, its time was over, or others took its place\n\
             nothing was run. What became of it: {}\n",
            run.name,
            typed.status(run.name)
        ),
        Refusal::WentOn => format!(
            "refused: the run `{}` went on meanwhile, and not as you ask for\n\
             nothing was run, and nothing of it was changed. What is known of it: {}\n",
            run.name,
            typed.status(run.name)
        ),
        Refusal::NoCap(kind) => format!(
            "refused: the program's header has no limit `{}` that could be raised\n\
             nothing was run. Leave `--more` out; what stopped it was another limit\n",
            cap_name(*kind)
        ),
        Refusal::NotCached => {
            "refused: the server does not have this program, and was sent its hash only\nnothing was run\n"
                .to_owned()
        }
        Refusal::NoJournal(why) => format!(
            "refused: the server cannot write down what runs do: {}\n\
             nothing was run. Whoever runs the server can help\n",
            told(why)
        ),
        Refusal::OnlyInstalled(policy) => format!(
            "refused: policy `{}` lets you run installed programs only\n\
             nothing was run. `carnet describe` lists them; `carnet run @NAME` runs one\n",
            told(policy)
        ),
        Refusal::InDoubt => format!(
            "refused: the run `{}` would repeat a call that may have taken effect\n\
             nothing was run. Look whether it did. If it did not: {} --repeat\n",
            run.name,
            typed.resume(run.name)
        ),
        Refusal::Variable { slot, message } => {
            format!("refused: {}: {}\nnothing was run\n", variable(run, *slot), told_lines(message))
        }
        Refusal::FixedVariables => format!(
            "refused: `{}` was approved as it was, or its program is installed: its variables cannot be set\n\
             nothing was run. Leave `--set` out, or run it anew\n",
            run.name
        ),
        Refusal::CannotGoOn(why) => format!(
            "refused: the run `{}` cannot go on: {}\n\
             nothing was run. What it did: {}\n",
            run.name,
            told(why),
            typed.status(run.name)
        ),
        Refusal::OtherProgram => format!(
            "refused: the run `{}` is of another program than this file\n\
             nothing was run. Give the file as it was when the run began\n",
            run.name
        ),
        Refusal::NoTrees => "refused: this server takes no trees\n\
             nothing was run. Leave `--tree` or `--engine tree` out; whoever runs the server can begin it with `--trees`\n"
            .to_owned(),
        Refusal::NotATree(why) => not_walked(run, *why),
        Refusal::RaisesInstalled => "refused: the limits of an installed program are fixed\n\
             nothing was run. Leave `--more` out; whoever runs the server can install it with other limits\n"
            .to_owned(),
        Refusal::RaisesApproved => format!(
            "refused: this server wants approval for what writes, and `{}` was approved with the limits of its header\n\
             nothing was run. Leave `--more` out, or have the program approved with other limits and run it anew\n",
            run.name
        ),
        Refusal::Closing => {
            "refused: the server is shutting down\nnothing was run. Try again later\n".to_owned()
        }
    }
}

/// `refused: delete_old (sha256:ab12…) may make 200 writes; `alice` needs approval for any`
fn needs_approval(program: &str, writes: u64, principal: &str) -> String {
    let principal = told(principal);
    format!(
        "refused: {program} may make {}; `{principal}` needs approval for any",
        LimitKind::Writes.amount(writes)
    )
}

/// What to type to run it as it is.
#[must_use]
pub fn approve(run: &Run<'_>, approval: &Hash) -> String {
    run.typed.run(&hex(approval)[..APPROVAL_DIGITS])
}

/// A program that writes was not confirmed: on its own behalf, or because the policy wants it.
#[must_use]
pub fn not_confirmed(run: &Run<'_>, answer: &BillAnswer, writes: u64) -> String {
    let program = run.source.map_or_else(|| "the program".to_owned(), named);
    let refused = match &answer.refusal {
        Some(Refusal::NotApproved { principal, .. }) => needs_approval(&program, writes, principal),
        _ => format!(
            "refused: {program} may make {}, and nobody confirmed them",
            LimitKind::Writes.amount(writes)
        ),
    };
    format!("{refused}\nnothing was run. If you agree with its bill: {}\n", approve(run, &answer.approval))
}

/// `delete_old (sha256:ab12cd34…)`
fn named(source: &Source) -> String {
    use sha2::Digest as _;
    format!("{} (sha256:{})", source.tree.name, short_hash(&sha2::Sha256::digest(&source.bytes)))
}

fn verb(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Calls | LimitKind::Writes => "make",
        LimitKind::Instructions => "execute",
        _ => "have",
    }
}

fn variable(run: &Run<'_>, slot: u16) -> String {
    let known = run.source.and_then(|source| {
        let (var, _) = source.variables.iter().find(|(_, of)| *of == slot)?;
        Some(&source.tree.vars[var.index()].name)
    });
    known.map_or_else(|| format!("slot {slot}"), |name| format!("variable `{name}`"))
}

fn argument(run: &Run<'_>, index: u32, message: &str) -> String {
    let source = run.source;
    let param = source.and_then(|source| Some((source, source.tree.params.get(index as usize)?)));
    let name = param.map_or_else(
        || format!("argument {}", index.saturating_add(1)),
        |(source, param)| format!("argument `{}`", source.tree.vars[param.var.index()].name),
    );
    format!("refused: {name}: {}\nnothing was run.\n", told_lines(message))
}

/// Loops without a limit of their own, where the policy accepts no default.
fn defaults(source: Option<&Source>, policy: &str, lines: &[u32]) -> String {
    let policy = told(policy);
    let message = format!("this loop has no bound, and policy `{policy}` accepts no default");
    let Some(source) = source.filter(|source| source.is_text()) else {
        return lines.iter().map(|line| format!("error[no-limit]: line {line}: {message}\n")).collect();
    };
    let mut loops = Vec::new();
    unbounded_loops(&source.tree.body, &mut loops);
    let faults: Vec<Diagnostic> = lines
        .iter()
        .map(|line| {
            let found = loops.iter().find(|(pos, _)| pos.line == *line);
            let (pos, word) = found.copied().unwrap_or((Pos { line: *line, col: 1 }, " "));
            let start = span_at(&source.text, pos).start;
            Diagnostic::error("no-limit", Span::new(start, start + word.len()), message.clone())
                .label("found no limit, expected `limit N` before `{`")
        })
        .collect();
    render(&source.shown, &source.text, &faults)
}

/// Places and first words of the loops that give no limit.
fn unbounded_loops(block: &Block, found: &mut Vec<(Pos, &'static str)>) {
    for stmt in &block.stmts {
        let Stmt { pos, kind } = stmt;
        match kind {
            StmtKind::While { limit, body, .. } => {
                if *limit == Limit::None {
                    found.push((*pos, "while"));
                }
                unbounded_loops(body, found);
            }
            StmtKind::ForRange { limit, body, .. }
            | StmtKind::ForList { limit, body, .. }
            | StmtKind::ForPaged { limit, body, .. } => {
                if *limit == Limit::None {
                    found.push((*pos, "for"));
                }
                unbounded_loops(body, found);
            }
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, then)| unbounded_loops(then, found));
                unbounded_loops(otherwise, found);
            }
            StmtKind::Try { otherwise, .. } => unbounded_loops(otherwise, found),
            _ => {}
        }
    }
}

fn not_walked(run: &Run<'_>, why: NotWalked) -> String {
    let why = match why {
        NotWalked::NoTree => {
            return "refused: no tree of this program was sent, and none can be made of bytecode\n\
                    nothing was run. Leave `--engine tree` out\n"
                .to_owned();
        }
        NotWalked::Began => "it began in another engine, so what its calls returned is not remembered",
        NotWalked::WentOn => {
            "it has gone on in another engine, so what its calls returned since is not remembered"
        }
        NotWalked::TooMuch => "its calls returned more than the 1 MiB that is remembered",
        NotWalked::Variables => "variables are set, and with others it would not come to where it stopped",
        NotWalked::Earlier => "the server began anew, so what its calls returned is not remembered",
    };
    format!(
        "refused: the run `{}` cannot go on as a tree: {why}\n\
         a tree is walked anew from its beginning, with what its calls returned before\n\
         nothing was run. It goes on with `--engine any`, `bytecode` or `native`\n",
        run.name
    )
}

/// Stable name of a refusal.
#[must_use]
pub fn refusal_name(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Bill { .. } => "bill",
        Refusal::Defaults { .. } => "defaults",
        Refusal::NotCached => "not_cached",
        Refusal::NotApproved { .. } => "not_approved",
        Refusal::WrongApproval => "wrong_approval",
        Refusal::IdentityUsed => "identity_used",
        Refusal::Busy(_) => "busy",
        Refusal::Argument { .. } => "argument",
        Refusal::Closing => "closing",
        Refusal::Allowance { .. } => "allowance",
        Refusal::PrincipalBusy(_) => "principal_busy",
        Refusal::NoJournal(_) => "no_journal",
        Refusal::OnlyInstalled(_) => "only_installed",
        Refusal::RaisesInstalled => "raises_installed",
        Refusal::Variable { .. } => "variable",
        Refusal::FixedVariables => "fixed_variables",
        Refusal::OtherProgram => "other_program",
        Refusal::CannotGoOn(_) => "cannot_go_on",
        Refusal::NoTrees => "no_trees",
        Refusal::NotATree(_) => "not_a_tree",
        Refusal::InDoubt => "in_doubt",
        Refusal::NotKept => "not_kept",
        Refusal::WentOn => "went_on",
        Refusal::NoCap(_) => "no_cap",
        Refusal::RaisesApproved => "raises_approved",
    }
}

fn programs(n: u32) -> String {
    if n == 1 { "1 program".to_owned() } else { format!("{n} programs") }
}
