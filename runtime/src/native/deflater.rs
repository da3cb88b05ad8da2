//! `Deflater`: what it makes is inflated again anywhere, but is not that of zlib byte for byte. Strategies change nothing,
//! and levels nothing of a stream that has begun.

use flate2::{Compress, Compression, FlushCompress, Status};

use super::library::{adler32, bytes_at, have_cleaned};
use super::{Call, Outcome, Rows, Trap};

pub(super) const NATIVES: &[(&str, Rows)] = &[(
    "java/util/zip/Deflater",
    &[
        ("init", "(IIZ)J", new_deflater),
        ("deflateBytesBytes", "(J[BII[BIIII)J", deflate),
        ("getAdler", "(J)I", |call| Ok(Outcome::Int(deflater(call, 0)?.sum as i32))),
        ("reset", "(J)V", |call| {
            let deflater = deflater(call, 0)?;
            deflater.stream.reset();
            deflater.set_level(deflater.level);
            deflater.sum = 1;
            crate::account::read(CLEARED);
            Ok(Outcome::Void)
        }),
        ("end", "(J)V", |call| {
            call.domain.held.deflaters.remove(&call.long(0));
            Ok(Outcome::Void)
        }),
    ],
)];

/// Deflaters of a domain at a time; each has some 300 KiB outside of the heap.
const DEFLATERS_MAX: usize = 32;
/// What it takes to make one, or to make it new, as bytes that are read.
const CLEARED: usize = 32 << 10;
/// Instructions for a byte that goes in, by level: how many places are looked at that may be like it.
const LEVELS: [usize; 10] = [1, 1, 2, 2, 2, 4, 4, 8, 16, 32];

/// A stream that is deflated.
pub(crate) struct Deflater {
    stream: Compress,
    level: usize,
    /// Adler-32 of what went in; 1 without a header.
    sum: u32,
    has_header: bool,
}

impl Deflater {
    /// Another level. In the midst of a stream there can be none; the next one has it.
    fn set_level(&mut self, level: usize) {
        self.level = level;
        let _ = self.stream.set_level(Compression::new(level as u32));
    }
}

/// A level of Java, of which -1 is the default.
fn level(number: i32) -> usize {
    usize::try_from(number).map_or(Compression::default().level() as usize, |level| level.min(9))
}

/// `init(level, strategy, nowrap)`
fn new_deflater(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    if !(-1..=9).contains(&call.int(0)) {
        return Err(Trap::New("java/lang/IllegalArgumentException", None));
    }
    let (level, has_header) = (level(call.int(0)), call.int(2) == 0);
    if call.domain.held.deflaters.len() >= DEFLATERS_MAX {
        have_cleaned(call)?;
        let message = format!("more than {DEFLATERS_MAX} deflaters that were not ended");
        return Err(Trap::New("java/lang/OutOfMemoryError", Some(message)));
    }
    call.thread.phase = 0;
    crate::account::read(CLEARED);
    let held = &mut call.domain.held;
    let stream = Compress::new(Compression::new(level as u32), has_header);
    held.last += 1;
    held.deflaters.insert(held.last, Deflater { stream, level, sum: 1, has_header });
    Ok(Outcome::Long(held.last))
}

fn deflater<'c>(call: &'c mut Call<'_>, slot: usize) -> Result<&'c mut Deflater, Trap> {
    let number = call.long(slot);
    call.domain.held.deflaters.get_mut(&number).ok_or(Trap::Stray)
}

/// `deflateBytesBytes(number, from, offset, length, to, offset, length, flush, parameters)`: bytes taken, bytes made, whether it is at its end
///, from the lowest bit on. Parameters are 1 if they are to be set, strategy and level.
fn deflate(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (from, at, count) = bytes_at(call, 3)?;
    let (to, behind, room) = bytes_at(call, 6)?;
    let (flush, parameters) = (call.int(9), call.int(10));
    let flush = match flush {
        0 => FlushCompress::None,
        2 => FlushCompress::Sync,
        3 => FlushCompress::Full,
        _ => FlushCompress::Finish,
    };
    let input = call.domain.heap.space.bytes(from, at, count)?.to_vec();
    let mut output = vec![0; room];
    let deflater = deflater(call, 1)?;
    let (taken, made) = (deflater.stream.total_in(), deflater.stream.total_out());
    if parameters & 1 != 0 {
        deflater.set_level(level(parameters >> 3));
        // As with zlib, which does nothing else then.
        if taken == 0 {
            return Ok(Outcome::Long(0));
        }
    }
    let status = deflater.stream.compress(&input, &mut output, flush);
    let status = status.map_err(|_| Trap::New("java/lang/InternalError", None))?;
    let taken = (deflater.stream.total_in() - taken) as usize;
    let made = (deflater.stream.total_out() - made) as usize;
    let charged = LEVELS[deflater.level] * taken;
    let (Some(read), Some(output)) = (input.get(..taken), output.get(..made)) else {
        return Err(Trap::Stray);
    };
    if deflater.has_header {
        deflater.sum = adler32(deflater.sum, read);
    }
    call.domain.heap.read(charged * size_of::<u64>());
    call.domain.heap.space.bytes_mut(to, behind, made)?.copy_from_slice(output);
    let ended = status == Status::StreamEnd;
    Ok(Outcome::Long((taken as u64 | (made as u64) << 31 | u64::from(ended) << 62) as i64))
}
