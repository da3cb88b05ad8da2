//! Opening through the virtual file system, tickets that are not good, and messages of others. All three are in this process, over sockets.

use std::path::Path;

use carnet_bench_reread::reread::{File, Files, Issuer, Opaque, Records, Vfs};
use carnet_bench_reread::{
    Answers, Course, FILE_BYTES, FileServer, PATH, RECORD_BYTES, REQUEST_BYTES_MAX, TICKETS_MAX, exchange,
    opaque, open, records, serve_vfs,
};
use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::stub::{BytesOut, Failure};

fn file_server(folder: &Path) -> FileServer {
    FileServer::listen(&folder.join("server"), WaitMode::Sleeping, records()).unwrap()
}

fn root(address: &Address) -> Portal {
    RemoteSession::connect(address, ConnectOptions::default()).unwrap().root()
}

/// Where the file server says that it is, and a ticket.
fn issued(server: &FileServer) -> (Files, Vec<u8>) {
    let issued = Issuer::from_portal(root(&server.issuer())).issue(b"/cached").unwrap();
    let address = String::from_utf8(issued.address).unwrap().parse().unwrap();
    (Files::from_portal(root(&address)), issued.ticket)
}

fn reads_all_of_it(file: &File) {
    let file = Records::from_portal(file.portal().clone());
    let (mut course, mut record) = (Course::default(), Vec::new());
    for _ in 0..2 * FILE_BYTES / RECORD_BYTES {
        file.read_into(course.offset(), RECORD_BYTES as u32, &mut record).unwrap();
        assert!(course.takes(&record), "the record at {}", course.offset());
    }
}

#[test]
fn a_file_is_opened_through_one_server_and_read_from_another() {
    let folder = tempfile::tempdir().unwrap();
    let server = file_server(folder.path());
    let vfs = serve_vfs(&folder.path().join("vfs"), &server.issuer()).unwrap();
    for shared in [None, Some(WaitMode::Sleeping), Some(WaitMode::Spinning)] {
        let file = open(&vfs.address(), shared).unwrap();
        reads_all_of_it(&file);
    }
    // Who has opened a file needs the virtual file system no more.
    let file = open(&vfs.address(), None).unwrap();
    drop(vfs);
    reads_all_of_it(&file);
    server.shutdown();
}

#[test]
fn a_ticket_is_good_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = file_server(folder.path());
    let (files, ticket) = issued(&server);
    let mut other = ticket.clone();
    let last = other.last_mut().unwrap();
    *last = if *last == b'0' { b'1' } else { b'0' };
    for wrong in [&other[..], &ticket[1..], b"", b"x", &[0xff; 128]] {
        assert_eq!(files.redeem(wrong).unwrap_err().kind(), Kind::BadArgument, "{wrong:?}");
    }
    reads_all_of_it(&files.redeem(&ticket).unwrap());
    assert_eq!(files.redeem(&ticket).unwrap_err().kind(), Kind::BadArgument, "a second time");
}

#[test]
fn tickets_that_wait_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let server = file_server(folder.path());
    let tickets: Vec<_> = (0..TICKETS_MAX).map(|_| issued(&server)).collect();
    let issuer = Issuer::from_portal(root(&server.issuer()));
    assert_eq!(issuer.issue(b"/cached").unwrap_err().kind(), Kind::Service);
    let (files, ticket) = &tickets[0];
    files.redeem(ticket).unwrap();
    issuer.issue(b"/cached").unwrap();
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = file_server(folder.path());
    let vfs = serve_vfs(&folder.path().join("vfs"), &server.issuer()).unwrap();
    let vfs = Vfs::from_portal(root(&vfs.address()));
    for wrong in ["", "/cached", "/disk", "/disk/", "/disk/other", "/disc/cached"] {
        assert_eq!(vfs.open(wrong.as_bytes()).unwrap_err().kind(), Kind::BadArgument, "{wrong}");
    }
    assert!(vfs.open(PATH.as_bytes()).is_ok());
}

/// Answers with what it was asked.
struct Echo;

impl Answers for Echo {
    fn answer(&self, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        if answer.extend(request) { Ok(()) } else { Err(Failure::service("longer than an answer")) }
    }
}

#[test]
fn requests_of_others_come_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let server = FileServer::listen(&folder.path().join("server"), WaitMode::Sleeping, opaque(Echo)).unwrap();
    let (files, ticket) = issued(&server);
    let file = Opaque::from_portal(files.redeem(&ticket).unwrap().portal().clone());
    let bytes: Vec<u8> = (0..=REQUEST_BYTES_MAX).map(|index| 0xff - index as u8).collect();
    let mut answer = b"what was there before".to_vec();
    for count in 0..=REQUEST_BYTES_MAX {
        exchange(&file, &bytes[..count], &mut answer).unwrap();
        assert_eq!(answer, &bytes[..count]);
    }
    assert_eq!(exchange(&file, &bytes, &mut answer).unwrap_err().kind(), Kind::BadArgument);
    let lie = file.exchange(0, 0, 0, 0, REQUEST_BYTES_MAX as u32 + 1).unwrap_err();
    assert_eq!(lie.kind(), Kind::BadArgument);
}
