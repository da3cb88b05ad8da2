//! Names of 65,535 bytes that many constants and instructions refer to: what is looked at and shown is bounded by the file.

use std::time::{Duration, Instant};

use carnet_classes::format::{FAULTS_MAX, check};
use carnet_classes::listing;
use carnet_classes::read::read;

/// Far more than it takes, far less than looking at each name each time.
const TIME_MAX: Duration = Duration::from_secs(10);

fn utf8(text: &[u8]) -> Vec<u8> {
    [&[1][..], &(text.len() as u16).to_be_bytes(), text].concat()
}

fn referring(tag: u8, to: u16) -> Vec<u8> {
    [&[tag][..], &to.to_be_bytes()].concat()
}

/// A class with these constants behind its own four, and this code in its only method, if any.
fn class(constants: &[Vec<u8>], code: &[u8]) -> Vec<u8> {
    let own = [utf8(b"A"), referring(7, 1), utf8(b"java/lang/Object"), referring(7, 3)];
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    bytes.extend(((own.len() + constants.len() + 1) as u16).to_be_bytes());
    own.iter().chain(constants).for_each(|constant| bytes.extend(constant));
    bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0]);
    if code.is_empty() {
        bytes.extend([0, 0, 0, 0]);
        return bytes;
    }
    // Names of the method, its descriptor and `Code` are constants 5 to 7.
    bytes.extend([0, 1, 0, 8, 0, 5, 0, 6, 0, 1, 0, 7]);
    bytes.extend((code.len() as u32 + 12).to_be_bytes());
    bytes.extend([0, 1, 0, 0]);
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn names_are_looked_at_once_and_shown_in_part() {
    for (text, is_good) in [("a;".repeat(32_767), false), ("a/".repeat(32_767) + "a", true)] {
        let mut constants = vec![utf8(text.as_bytes())];
        constants.extend((0..60_000).map(|_| referring(7, 5)));
        let bytes = class(&constants, &[]);
        let began = Instant::now();
        let faults = check(&read(&bytes).expect("it is whole")).err().unwrap_or_default();
        assert!(began.elapsed() < TIME_MAX, "{:?}", began.elapsed());
        assert_eq!(faults.len(), if is_good { 0 } else { FAULTS_MAX });
        assert!(faults.iter().all(|fault| fault.found.len() < 1_000 && fault.found.contains("65534 bytes")));
    }
}

#[test]
fn a_listing_is_bounded_by_the_file() {
    let text = utf8(&[0x01; 65_535]);
    let constants = [utf8(b"m"), utf8(b"()V"), utf8(b"Code"), text, referring(8, 8)];
    let mut code: Vec<u8> = [0x12, 9].repeat(21_000);
    code.push(0xb1);
    let bytes = class(&constants, &code);
    let listed = listing::text(&read(&bytes).expect("it is whole"));
    assert!(listed.len() < 512 * bytes.len() && listed.contains("(65535 bytes)"), "{} bytes", listed.len());
}
