//! Outcomes that fit into a message. What took effect must be told, however much else there is to tell.

use carnet_portal::session::Session;
use carnet_portal::wire::HEADER_BYTES;

use crate::limits::{LimitKind, LimitSource};
use crate::protocol::{End, Outcome};
use crate::text::cut;

/// Bytes of a text of the program or the service that are told if all of it is too long.
const TEXT_BYTES_MAX: usize = 1 << 10;

/// Bytes of the longest outcome that a message to `session` carries, also behind the byte that says it is one.
pub(super) fn outcome_bytes_max(session: &Session) -> usize {
    session.limits().frame_bytes_max as usize - HEADER_BYTES - 1
}

/// The outcome, without its result and with a shorter text if no message could carry all of it.
pub(super) fn fitting(outcome: Outcome, bytes_max: usize) -> Outcome {
    // Without them it is short. Most outcomes are, and are not encoded twice.
    let result = outcome.result.as_ref().map_or(0, Vec::len);
    if result + text_len(&outcome.end) <= bytes_max / 2 || outcome.encode().len() <= bytes_max {
        return outcome;
    }
    let end = match outcome.end {
        End::Done => {
            let (limit, used) = (bytes_max as u64, result as u64);
            End::Limit { kind: LimitKind::Returned, limit, used, source: LimitSource::Server }
        }
        End::Failed(mut text) => {
            text.truncate(TEXT_BYTES_MAX);
            End::Failed(text)
        }
        mut end => {
            if let End::CallFailed { message, .. } | End::CallInDoubt { message } = &mut end {
                cut(message, TEXT_BYTES_MAX);
            }
            end
        }
    };
    Outcome { end, result: None, ..outcome }
}

fn text_len(end: &End) -> usize {
    match end {
        End::Failed(text) => text.len(),
        End::CallFailed { message, .. } | End::CallInDoubt { message } => message.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::no_account_of;

    /// A service can say as much as it likes of why it failed; a character is not cut in two.
    #[test]
    fn what_a_service_says_of_its_failure_is_cut() {
        let failed = |message: String| no_account_of(End::CallFailed { message, raised: true });
        let short = failed("é".repeat(400));
        assert_eq!(fitting(short.clone(), 1_200), short);
        let long = fitting(failed(format!("x{}", "é".repeat(1_000))), 1_200);
        assert_eq!(long, failed(format!("x{}", "é".repeat(511))));
        assert!(long.encode().len() <= 1_200);
    }
}
