#!/usr/bin/env bash
# Packs a built program: packaging/tarball.sh PROGRAM TARGET OUT
# The archive is OUT/interpolate-VERSION-TARGET.tgz, as `cargo binstall` looks for it.
set -euo pipefail

program=$1 target=$2 out=$(realpath -m "$3")
here=$(realpath "$(dirname "$0")")
version=$("$program" --version | cut -d' ' -f2)
name=interpolate-$version-$target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/tree.sh" "$program" "$work/$name"
# The same input makes the same archive.
mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime='2000-01-01 UTC' \
  -cf - "$name" | gzip -9n >"$out/$name.tgz"
echo "$out/$name.tgz"
