#!/usr/bin/env bash
# Makes a Debian package of a built program: packaging/deb.sh PROGRAM ARCHITECTURE OUT
# The program should be a static one: the package then depends on nothing.
set -euo pipefail

program=$1 architecture=$2 out=$(realpath -m "$3")
here=$(realpath "$(dirname "$0")")
version=$("$program" --version | cut -d' ' -f2)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
"$here/tree.sh" "$program" "$work/usr"
gzip -9n "$work/usr/share/doc/interpolate/CHANGELOG.md"
{
  echo 'Upstream-Name: interpolate'
  echo 'License: Apache-2.0 or MIT; see LICENSE-APACHE, LICENSE-MIT and THIRD-PARTY'
} >"$work/usr/share/doc/interpolate/copyright"

needs=
if ldd "$program" 2>/dev/null | grep -q '=>'; then
  needs="Depends: libc6"
fi
mkdir "$work/DEBIAN"
cat >"$work/DEBIAN/control" <<CONTROL
Package: interpolate
Version: $version
Architecture: $architecture
Maintainer: The interpolate authors <noreply@example.org>
Installed-Size: $(du -sk "$work/usr" | cut -f1)
Section: utils
Priority: optional
${needs:+$needs
}Description: patch YAML and keep every byte that was not asked to change
 It applies ops-files, JSON Patches, Merge Patches and OpenAPI Overlays to YAML
 documents, and keeps their comments, key order, quoting and blank lines. It
 also compares, merges and checks them, and fills in variables.
CONTROL

mkdir -p "$out"
dpkg-deb --root-owner-group --build "$work" "$out/interpolate_${version}_$architecture.deb" >/dev/null
echo "$out/interpolate_${version}_$architecture.deb"
