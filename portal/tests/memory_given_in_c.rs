//! What a server in C counts of the memory that it gives out.

mod support;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use sums_in_c::{TAKES, descriptors, servers};
use support::sums::counted;
use support::sums::generated::{CarnetMemory, Sums, module};
use support::until;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;
#[path = "support/sums_in_c.rs"]
mod sums_in_c;

const LEN: usize = 10_000;

/// Files and bytes that one client has, and all of them: whoever wants more gets none, others do.
#[test]
fn a_server_in_c_gives_so_much_and_no_more() {
    let bounds = [
        "-DCARNET_GIVEN_FILES_CLIENT_MAX=3",
        "-DCARNET_GIVEN_FILES_PROCESS_MAX=5",
        "-DCARNET_GIVEN_FILES_MAX=5",
        "-DCARNET_GIVEN_CLIENT_MAX=100000",
        "-DCARNET_GIVEN_PROCESS_MAX=150000",
        "-DCARNET_GIVEN_MAX=150000",
    ];
    for server in servers("gives_so_much", &[&[TAKES], &bounds[..]].concat()) {
        for way in [Address::Unix, Address::Shared] {
            let connect =
                || RemoteSession::connect(&way(server.path.clone()), ConnectOptions::default()).unwrap();
            let (one, two) = (connect(), connect());
            let given =
                |session: &Arc<RemoteSession>, len: i64| Sums::from_portal(session.root()).counted(len);
            let refused = |session: &Arc<RemoteSession>, len: i64| {
                given(session, len).unwrap_err().kind() == Kind::Service
            };
            until("nobody has any", || {
                let all = [given(&one, 100_000), given(&two, 50_000)];
                all.iter().all(Result::is_ok)
            });
            let first = [(); 3].map(|()| given(&one, 10).unwrap());
            assert!(refused(&one, 10));
            let other = [(); 2].map(|()| given(&two, 10).unwrap());
            assert!(refused(&two, 10) && refused(&one, 10));
            // All else goes on, and what is handed over counts elsewhere.
            assert_eq!(Sums::from_portal(one.root()).sum(&first[0]), Ok(45));
            assert!(*Memory::map::<CarnetMemory>(first[1].portal(), 10).unwrap() == counted(10)[..]);
            drop(two.hand_over(&Memory::of(&[1; 200_000]).unwrap()).unwrap());
            drop((first, other));
            let large = given(&one, 100_000).unwrap();
            assert!(refused(&one, 1));
            let other = given(&two, 50_000).unwrap();
            assert!(refused(&two, 1));
            // A client that has gone has none, and what another has of it counts until that is released.
            drop((large, one));
            until("it is gone", || given(&two, 50_000).is_ok());
            drop((other, two));
        }
    }
}

/// Memory that clients have mapped counts when they have released it, too, and no longer than they have it.
#[test]
fn what_is_mapped_and_released_counts_in_a_server_in_c_until_it_is_unmapped() {
    let bounds = [
        "-DCARNET_GIVEN_FILES_CLIENT_MAX=3",
        "-DCARNET_GIVEN_FILES_PROCESS_MAX=5",
        "-DCARNET_GIVEN_FILES_MAX=5",
    ];
    for server in servers("maps_and_releases", &[&[TAKES], &bounds[..]].concat()) {
        let connect = |way: fn(PathBuf) -> Address| {
            RemoteSession::connect(&way(server.path.clone()), ConnectOptions::default()).unwrap()
        };
        let given = |session: &Arc<RemoteSession>| Sums::from_portal(session.root()).counted(LEN as i64);
        let mapped = |session: &Arc<RemoteSession>| {
            Memory::map::<CarnetMemory>(given(session).unwrap().portal(), LEN).unwrap()
        };
        let before = descriptors(&server);
        let (one, two) = (connect(Address::Shared), connect(Address::Shared));
        let of_one = [(); 3].map(|()| mapped(&one));
        assert_eq!(given(&one).unwrap_err().kind(), Kind::Service);
        let of_two = [(); 2].map(|()| mapped(&two));
        assert_eq!(given(&two).unwrap_err().kind(), Kind::Service);
        // A client that has gone may have it still.
        drop(one);
        assert_eq!(given(&two).unwrap_err().kind(), Kind::Service);
        of_one.iter().chain(&of_two).for_each(|memory| assert!(**memory == counted(LEN)[..]));
        drop(of_one);
        drop(mapped(&two));
        drop(of_two);
        until("nothing is left of it", || descriptors(&server) == before);
        // What is unmapped at once, or read by calls, counts no longer than its portal.
        let three = connect(Address::Unix);
        (0..20).for_each(|_| [&two, &three].iter().for_each(|session| drop(mapped(session))));
    }
}

/// A process that comes again and again keeps what it mapped as each of its clients: it has three quarters of all, and others the rest. The
/// other is this test again.
#[test]
fn one_process_leaves_memory_of_a_server_in_c_for_others() {
    let given = |session: &Arc<RemoteSession>| Sums::from_portal(session.root()).counted(LEN as i64);
    if let Some(words) = support::process::words() {
        let address = Address::Shared(PathBuf::from(&words[0]));
        let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        let all = [(); 3].map(|()| given(&session));
        assert_eq!(all.each_ref().map(Result::is_ok), [true, true, false]);
        return;
    }
    let bounds = ["-DCARNET_GIVEN_FILES_CLIENT_MAX=3", "-DCARNET_GIVEN_FILES_MAX=8"];
    for server in servers("again_and_again", &[&[TAKES], &bounds[..]].concat()) {
        let mapped = || {
            let address = Address::Shared(server.path.clone());
            let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
            given(&session).map(|theirs| Memory::map::<CarnetMemory>(theirs.portal(), LEN).unwrap())
        };
        let kept: Vec<_> = (0..20).filter_map(|_| mapped().ok()).collect();
        assert_eq!(kept.len(), 6);
        let mut another = Command::new(std::env::current_exe().unwrap());
        another.arg("one_process_leaves_memory_of_a_server_in_c_for_others");
        let output = another.env(support::process::WORDS, &server.path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(mapped().unwrap_err().kind(), Kind::Service);
        kept.iter().for_each(|memory| assert!(**memory == counted(LEN)[..]));
        drop(kept);
        until("there is room for it again", || mapped().is_ok());
    }
}

/// The same of what clients hand over. The other is this test again.
#[test]
fn one_process_leaves_room_for_memory_of_others_in_a_server_in_c() {
    let memory = Memory::of(&[1; 128 << 10]).unwrap();
    let connect =
        |path: PathBuf| RemoteSession::connect(&Address::Shared(path), ConnectOptions::default()).unwrap();
    if let Some(words) = support::process::words() {
        let session = connect(PathBuf::from(&words[0]));
        assert!(session.hand_over(&memory).is_ok());
        return;
    }
    let bounds = ["-DCARNET_MEMORY_CLIENT_MAX=((size_t)128<<10)", "-DCARNET_MEMORY_MAX=((size_t)512<<10)"];
    for server in servers("hands_much_over", &[&[TAKES], &bounds[..]].concat()) {
        let sessions = [(); 4].map(|()| connect(server.path.clone()));
        let handed = sessions.each_ref().map(|session| session.hand_over(&memory));
        assert_eq!(handed.each_ref().map(Result::is_ok), [true, true, true, false]);
        let mut another = Command::new(std::env::current_exe().unwrap());
        another.arg("one_process_leaves_room_for_memory_of_others_in_a_server_in_c");
        let output = another.env(support::process::WORDS, &server.path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn memory_of_a_server_in_c_counts_as_long_as_anybody_has_it_and_nobody_is_waited_for() {
    for program in in_c::built("kept", module(), &["kept"], &[]) {
        let output = Command::new(&program).output().unwrap();
        assert!(output.status.success(), "{:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
}

/// What a service lets go of when its server is gone, and what two threads make and end at the same time.
#[test]
fn memory_of_a_server_in_c_outlives_it_and_counts_on_all_threads() {
    for program in in_c::built("outlives", module(), &["outlives"], &["-pthread"]) {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(&program).arg(folder.path().join("s")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
