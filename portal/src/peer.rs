//! Who is at the other end of a Unix socket.

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use crate::call::Origin;

/// Which users may connect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Admit {
    /// Only the user that the server runs as.
    #[default]
    SameUser,
    /// That user and those with these user numbers.
    Users(Vec<u32>),
    /// Whoever can open the socket file.
    Anyone,
}

impl Admit {
    /// Whether the user `uid` may connect.
    #[must_use]
    pub fn admits(&self, uid: u32) -> bool {
        let own = rustix::process::geteuid().as_raw();
        match self {
            Admit::SameUser => uid == own,
            Admit::Users(users) => uid == own || users.contains(&uid),
            Admit::Anyone => true,
        }
    }
}

/// Who connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) user: u32,
    /// None if it has no number here, as processes outside of a container have none within.
    pub(crate) process: Option<i32>,
}

impl Peer {
    /// Whose places it takes.
    pub(crate) fn origin(self) -> Origin {
        self.process.map_or(Origin::User(self.user), Origin::Process)
    }
}

pub(crate) fn peer_of(socket: BorrowedFd<'_>) -> Result<Peer, rustix::io::Errno> {
    let found = carnet_peer::credentials(socket)?;
    let process = found.process.map(rustix::process::Pid::as_raw_pid);
    Ok(Peer { user: found.user.as_raw(), process })
}

/// The user's name, or `uid:N` if the user database has none.
pub(crate) fn name_of(uid: u32) -> Arc<str> {
    let passwd = std::fs::read("/etc/passwd").unwrap_or_default();
    name_in(&String::from_utf8_lossy(&passwd), uid).unwrap_or_else(|| Arc::from(format!("uid:{uid}")))
}

fn name_in(passwd: &str, uid: u32) -> Option<Arc<str>> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, _password, number) = (fields.next()?, fields.next()?, fields.next()?);
        (number.parse() == Ok(uid) && !name.is_empty()).then(|| Arc::from(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_by_its_number() {
        let passwd = "root:x:0:0::/root:/bin/sh\nbroken\n:x:7:7\nalice:x:1000:1000:A:/nowhere:/bin/sh\n";
        assert_eq!(name_in(passwd, 0).as_deref(), Some("root"));
        assert_eq!(name_in(passwd, 1000).as_deref(), Some("alice"));
        assert_eq!(name_in(passwd, 7), None);
        assert_eq!(name_in("", 0), None);
    }

    #[test]
    fn a_process_without_a_number_here_counts_as_its_user() {
        assert_eq!(Peer { user: 1000, process: Some(7) }.origin(), Origin::Process(7));
        assert_eq!(Peer { user: 1000, process: None }.origin(), Origin::User(1000));
    }

    #[test]
    fn only_those_who_may_are_admitted() {
        let own = rustix::process::geteuid().as_raw();
        assert!(Admit::SameUser.admits(own));
        assert!(!Admit::SameUser.admits(own + 1));
        assert!(Admit::Users(vec![own + 1]).admits(own));
        assert!(Admit::Users(vec![own + 1]).admits(own + 1));
        assert!(!Admit::Users(vec![own + 1]).admits(own + 2));
        assert!(Admit::Anyone.admits(own + 2));
    }
}
