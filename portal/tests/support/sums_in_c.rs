//! Servers in C that take memory and give it.

use std::path::Path;

use crate::in_c;
use crate::server_in_c::ServerInC;
use crate::support::sums::generated::module;

const LOOP: [&str; 3] = ["-DCARNET_STUBS=\"sums.h\"", "-DCARNET_ROOT=sums_Sums", "carnet_main.c"];
/// Its clients may hand memory over.
pub(crate) const TAKES: &str = "-DCARNET_MEMORY=sums_carnet_Memory";

/// The service of `sums_server.c`, by each compiler. `whose` is whoever builds it.
pub(crate) fn servers(whose: &str, options: &[&str]) -> impl Iterator<Item = ServerInC> {
    let programs = in_c::built(whose, module(), &["sums_server"], &[&LOOP, options].concat());
    programs.into_iter().map(|program| ServerInC::start(&program))
}

/// Descriptors that the server has, but for those of sockets that it has to leave open, and the one by which the system tells what
/// clients have no more.
pub(crate) fn descriptors(server: &ServerInC) -> usize {
    let all = std::fs::read_dir(format!("/proc/{}/fd", server.child.id())).unwrap();
    let (tell, others): (Vec<_>, Vec<_>) = all
        .filter_map(|entry| Some(entry.ok()?.path()))
        .partition(|path| leads_to(path, "anon_inode:inotify"));
    assert!(tell.len() <= 1, "{tell:?}");
    others.iter().filter(|path| !is_socket(path)).count()
}

pub(crate) fn is_socket(path: &Path) -> bool {
    leads_to(path, "socket:")
}

fn leads_to(path: &Path, what: &str) -> bool {
    std::fs::read_link(path).is_ok_and(|target| target.to_string_lossy().starts_with(what))
}
