#!/usr/bin/env bash
# Builds the wheel: the module, and the program, which pip puts on the path. It needs maturin.
#
#   bindings/python/build.sh PROGRAM OUT [option of maturin]...
#
# PROGRAM is a built binary, such as target/dist/interpolate; OUT is the folder of the wheel.
set -euo pipefail

program=$(realpath "$1") out=$(realpath -m "$2")
shift 2
cd "$(dirname "$0")"

# pip installs what is in `data/scripts` as it is; a launcher in Python would take longer to
# start than most runs take.
rm -rf data
mkdir -p data/scripts
cp "$program" data/scripts/
cp ../../LICENSE-APACHE ../../LICENSE-MIT .
python3 ../../packaging/third-party ../../Cargo.toml Cargo.toml >THIRD-PARTY
maturin build --locked --out "$out" "$@"
