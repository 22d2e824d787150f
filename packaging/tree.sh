#!/usr/bin/env bash
# Lays out what a package installs: the program, manual pages, completions and licences.
#
#   packaging/tree.sh PROGRAM PREFIX [TARGET]
#
# PREFIX is a folder such as ROOT/usr. The program must run on this machine; TARGET is what it was
# built for, such as x86_64-unknown-linux-musl.
set -euo pipefail

program=$(realpath "$1") prefix=$2 target=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
doc=$prefix/share/doc/interpolate man=$prefix/share/man/man1 share=$prefix/share

mkdir -p "$prefix/bin" "$doc" "$man" "$share/interpolate" "$share/bash-completion/completions" \
  "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
install -m 755 "$program" "$prefix/bin/$(basename "$program")"

"$program" man >"$man/interpolate.1"
# The commands are listed in their own manual page.
commands=$("$program" man --help | tr '\n' ' ' | sed -n 's/.*possible values: \([^]]*\)\].*/\1/p')
[ -n "$commands" ] || {
  echo 'packaging/tree.sh: no commands in the help of man' >&2
  exit 1
}
for command in $(tr -d , <<<"$commands"); do
  "$program" man "$command" >"$man/interpolate-$command.1"
done
gzip -9nf "$man"/*.1

"$program" completions bash >"$share/bash-completion/completions/interpolate"
"$program" completions zsh >"$share/zsh/vendor-completions/_interpolate"
"$program" completions fish >"$share/fish/vendor_completions.d/interpolate.fish"

cp "$root/schemas/ops-file.json" "$share/interpolate/"
cp "$root"/README.md "$root"/CHANGELOG.md "$root"/LICENSE-APACHE "$root"/LICENSE-MIT "$doc/"
python=$(command -v python3 || command -v python)
"$python" "$root/packaging/third-party" ${target:+--target "$target"} >"$doc/THIRD-PARTY"
