//! Makes calls, and checks all results.

use std::hint::black_box;
use std::time::Instant;

use crate::harness::{Client, DIRECTORY_BYTES, Rival, WRITE_BYTES, failure};

// The driver calls stubs through pointers that the compiler has lost sight of, as if they were of another object file.
type Open<R> = fn(&mut Client<R>, i64, i64, i64, i64, &mut i64) -> Option<i64>;
type Write<R> = fn(&mut Client<R>, i64, i64, &[u8], &mut i64) -> Option<i64>;
type GetDirentries<R> = for<'a> fn(&'a mut Client<R>, i64, i64, &mut i64) -> Option<(i64, &'a [u8])>;

/// Nanoseconds per call of `calls` calls.
pub fn drive<R: Rival>(operation: &str, calls: i64) -> Result<f64, String> {
    let mut client = Client::<R>::new();
    let one: fn(&mut Client<R>, &[u8], i64) -> bool = match operation {
        "open" => open,
        "write" => write,
        "get_direntries" => get_direntries,
        _ => return Err(format!("there is no operation `{operation}`")),
    };
    let mut data = vec![0; WRITE_BYTES];
    data[0] = 1;
    data[WRITE_BYTES - 1] = 2;
    let start = Instant::now();
    for i in 0..calls {
        if !one(&mut client, &data, i) {
            let failure = failure();
            return Err(format!("call {i} of {operation} gave a wrong answer (last failure: {failure})"));
        }
    }
    Ok(start.elapsed().as_nanos() as f64 / calls.max(1) as f64)
}

fn open<R: Rival>(client: &mut Client<R>, _: &[u8], i: i64) -> bool {
    let mut handle = 0;
    let stub = black_box(R::stub_open as Open<R>);
    let result = stub(client, i, 2, 3, 4, &mut handle);
    result == Some(4) && handle == i + 6
}

fn write<R: Rival>(client: &mut Client<R>, data: &[u8], i: i64) -> bool {
    let mut pos = i;
    let stub = black_box(R::stub_write as Write<R>);
    let result = stub(client, i, 7, data, &mut pos);
    result == Some(i + 7 + 1 + 2 + 1) && pos == i + WRITE_BYTES as i64
}

fn get_direntries<R: Rival>(client: &mut Client<R>, _: &[u8], i: i64) -> bool {
    let mut pos = i;
    let stub = black_box(R::stub_get_direntries as GetDirentries<R>);
    let Some((result, entries)) = stub(client, i, 5, &mut pos) else { return false };
    let begin: Vec<u8> = (0..16).collect();
    result == i + 1 && pos == i + 5 && entries.len() == DIRECTORY_BYTES && entries[..16] == begin[..]
}
