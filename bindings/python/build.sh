#!/usr/bin/env bash
# Builds the wheel: the module, and the program, which pip puts on the path. It needs maturin.
#
#   bindings/python/build.sh PROGRAM OUT [option of maturin]...
#
# PROGRAM is a built binary, such as target/dist/interpolate; OUT is the folder of the wheel. The
# variable TARGET names what PROGRAM was built for, if that is not this machine.
set -euo pipefail

program=$(realpath "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")"

# pip installs what is in `data/scripts` as it is; a launcher in Python would take longer to
# start than most runs take.
rm -rf data
mkdir -p data/scripts
cp "$program" data/scripts/
cp ../../LICENSE-APACHE ../../LICENSE-MIT .
python=$(command -v python3 || command -v python)
"$python" ../../packaging/third-party ${TARGET:+--target "$TARGET"} ../../Cargo.toml Cargo.toml >THIRD-PARTY
maturin build --locked --out "$out" "$@"
