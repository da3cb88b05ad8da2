#!/bin/sh
# Looks for what xtask itself cannot be built without: cargo, new enough, and a C linker. Everything
# else that a command needs is looked for by xtask (src/setup.rs).
set -eu

minor_wanted=95 # rust-version in Cargo.toml

stop() {
	echo "$1" >&2
	exit 1
}

links() {
	dir=$(mktemp -d)
	echo 'int main(void) { return 0; }' >"$dir/a.c"
	if cc -o "$dir/a" "$dir/a.c" >/dev/null 2>&1; then rc=0; else rc=1; fi
	rm -r "$dir"
	return $rc
}

command -v cargo >/dev/null 2>&1 ||
	stop "Rust is missing: install it as https://rustup.rs says, open a new shell, and repeat the command."
version=$(cargo --version </dev/null) || stop "cargo does not run; rust-toolchain.toml says which toolchain it should use."
minor=$(echo "$version" | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -ge "$minor_wanted" ] ||
	stop "Rust is too old ($version, 1.$minor_wanted is needed): install it as https://rustup.rs says and repeat the command."

links && exit 0
install="apt-get install -y gcc libc6-dev"
if [ "$(id -u)" = 0 ]; then
	as=""
elif sudo -n true 2>/dev/null; then
	as="sudo -n"
else
	stop "A C linker is missing (Rust links with cc). Install it with: sudo $install"
fi
command -v apt-get >/dev/null 2>&1 ||
	stop "A C linker is missing (Rust links with cc). Install gcc and the C library's headers."
echo "installing a C linker, which Rust links with: $install"
export DEBIAN_FRONTEND=noninteractive
{ $as apt-get update -qq && $as $install -qq; } </dev/null >/dev/null ||
	stop "Could not install a C linker. Install it with: sudo $install"
