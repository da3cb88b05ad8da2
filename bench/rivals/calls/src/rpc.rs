//! Other RPC systems that give back what they are given, as bench/src/channel.idl says.
//!
//! | file | system |
//! | --- | --- |
//! | `iceoryx.rs` | iceoryx2: shared memory |
//! | `grpc.rs` | gRPC by tonic: HTTP/2 on a Unix socket |
//! | `capnp.rs` | Cap'n Proto's RPC on a Unix socket |

pub mod capnp;
pub mod grpc;
pub mod iceoryx;

use std::future::Future;

use tokio::runtime::{Builder, Runtime};

/// The most that is sent.
const BYTES_MAX: usize = 1 << 20;

/// How many bytes go there and back; `None`: an empty call.
fn size_of(key: &str) -> Result<Option<usize>, String> {
    if key == "empty" {
        return Ok(None);
    }
    let size = key.parse().ok().filter(|size| (1..=BYTES_MAX).contains(size));
    size.map(Some).ok_or_else(|| format!("there is no key {key}"))
}

/// What is sent: the beginning of this.
fn data() -> Vec<u8> {
    (0..BYTES_MAX).map(|index| (index % 251) as u8).collect()
}

/// As many bytes as came, if they are those that were sent. Both ends of them: comparing all would be measured, too.
fn checked(sent: &[u8], back: &[u8]) -> Result<u64, String> {
    let same = back.len() == sent.len() && back.first() == sent.first() && back.last() == sent.last();
    if same { Ok(back.len() as u64) } else { Err("other data came back".to_owned()) }
}

fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())
}

/// The sum over `n` calls, one after the other.
async fn each<F: Future<Output = Result<u64, String>>>(
    n: u64,
    mut call: impl FnMut() -> F,
) -> Result<u64, String> {
    let mut sum = 0;
    for _ in 0..n {
        sum += call().await?;
    }
    Ok(sum)
}
