#!/usr/bin/env bash
# Packs a built program: packaging/archive.sh PROGRAM TARGET OUT
# The archive is OUT/interpolate-VERSION-TARGET.tgz, or .zip for Windows, as `cargo binstall` looks
# for it. The same input makes the same archive.
set -euo pipefail

program=$1 target=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
version=$("$program" --version | cut -d' ' -f2)
name=interpolate-$version-$target
ending=tgz
[[ $target != *windows* ]] || ending=zip

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/tree.sh" "$program" "$work/$name" "$target"
python=$(command -v python3 || command -v python)
"$python" - "$work" "$name" "$out/$name.$ending" <<'PACK'
import gzip, os, sys, tarfile, zipfile
from pathlib import Path

folder, name, out = sys.argv[1:]
files = sorted(path for path in Path(folder, name).rglob("*") if path.is_file())
mode = lambda path: 0o755 if path.parent.name == "bin" else 0o644
named = lambda path: path.relative_to(folder).as_posix()
if out.endswith(".zip"):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            entry = zipfile.ZipInfo(named(path))
            entry.external_attr = (0o100000 | mode(path)) << 16
            packed.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
else:
    with open(out, "wb") as made, gzip.GzipFile("", "wb", 9, made, mtime=0) as stream:
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as packed:
            for path in files:
                entry = tarfile.TarInfo(named(path))
                entry.size, entry.mode, entry.mtime = os.path.getsize(path), mode(path), 946684800
                with open(path, "rb") as content:
                    packed.addfile(entry, content)
PACK
echo "$out/$name.$ending"
