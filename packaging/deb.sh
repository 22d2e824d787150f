#!/usr/bin/env bash
# Makes a Debian package of a built program: packaging/deb.sh PROGRAM ARCHITECTURE OUT
# The program should be a static one: the package then depends on nothing.
set -euo pipefail

program=$1 architecture=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
version=$("$program" --version | cut -d' ' -f2)
maintainer=$(cat "$here/maintainer")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
case $architecture in
  amd64) target=x86_64-unknown-linux-musl ;;
  arm64) target=aarch64-unknown-linux-musl ;;
  *) target= ;;
esac
needs=
if ldd "$program" 2>/dev/null | grep -q '=>'; then
  libc=$(grep -ao 'GLIBC_[0-9.]*' "$program" | sed 's/GLIBC_//' | sort -V | tail -n 1)
  needs="Depends: libc6 (>= $libc)" target=
  if ldd "$program" | grep -q libgcc_s; then needs="$needs, libgcc-s1"; fi
fi
"$here/tree.sh" "$program" "$work/usr" "$target"
gzip -9n "$work/usr/share/doc/interpolate/CHANGELOG.md"
{
  echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
  echo 'Upstream-Name: interpolate'
  echo "Upstream-Contact: $maintainer"
  echo
  echo 'Files: *'
  sed -n 's/^Copyright (c) /Copyright: /p' "$here/../LICENSE-MIT"
  echo 'License: Apache-2.0 or MIT'
  echo ' See LICENSE-APACHE, LICENSE-MIT and, for the packages that are built in, THIRD-PARTY.'
} >"$work/usr/share/doc/interpolate/copyright"

mkdir "$work/DEBIAN"
cat >"$work/DEBIAN/control" <<CONTROL
Package: interpolate
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk "$work/usr" | cut -f1)
Section: utils
Priority: optional
${needs:+$needs
}Description: patch YAML and keep every byte that was not asked to change
 It applies ops-files, JSON Patches, Merge Patches and OpenAPI Overlays to YAML
 documents, and keeps their comments, key order, quoting and blank lines. It
 also compares, merges and checks them, and fills in variables.
CONTROL

dpkg-deb --root-owner-group --build "$work" "$out/interpolate_${version}_$architecture.deb" >/dev/null
echo "$out/interpolate_${version}_$architecture.deb"
