//! How a session ends, and what its client is told.

use std::time::Duration;

use rustix::io::Errno;

use crate::call::{Failure, Kind};
use crate::session::ServerLimits;

/// Why a session ends.
#[derive(Debug)]
pub(crate) enum End {
    /// The client is gone.
    Closed,
    /// The server ends it, and says why.
    Farewell(Failure),
}

impl End {
    /// Hello did not come.
    #[cold]
    pub(super) fn unannounced(timeout: Duration) -> End {
        farewell(Kind::TimedOut, &format!("the client did not say Hello within {timeout:?}"))
    }

    /// Nothing more of a message came.
    #[cold]
    pub(super) fn half(timeout: Duration) -> End {
        farewell(Kind::TimedOut, &format!("half of a message came, and no more for {timeout:?}"))
    }

    /// Nothing came.
    #[cold]
    pub(crate) fn silent() -> End {
        farewell(Kind::TimedOut, "the session was silent for too long")
    }

    /// The service, or we, panicked outside of a call.
    #[cold]
    pub(crate) fn broken() -> End {
        farewell(Kind::Internal, "the session broke: a bug of the server")
    }

    /// Nothing more can be received.
    #[cold]
    pub(super) fn unreceived(errno: Errno, limits: &ServerLimits) -> End {
        // Descriptors lay there that no message followed.
        if errno == Errno::BADMSG { End::half(limits.frame_timeout) } else { End::Closed }
    }
}

/// The client does not keep to the protocol.
#[cold]
pub(super) fn protocol(what: &str) -> End {
    farewell(Kind::Protocol, &format!("the client sent what is not a message of this protocol: {what}"))
}

/// The session ends, and the client is told why.
#[cold]
pub(super) fn farewell(kind: Kind, message: &str) -> End {
    End::Farewell(Failure::new(kind, message))
}
