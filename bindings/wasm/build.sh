#!/usr/bin/env bash
# Builds the npm package in npm/: the engine, and the full one with `review` and `eval`. It
# needs the target wasm32-unknown-unknown and the wasm-bindgen command of the version in
# Cargo.lock. CARGO_FLAGS are added to the options of cargo.
#
#   bindings/wasm/build.sh [engine] [full]      both without arguments
#
# wasm-opt is left out: it makes the code smaller, and the compressed code larger. A nightly
# toolchain makes it a fifth smaller, with CARGO_FLAGS='-Zbuild-std=std,panic_abort
# -Zbuild-std-features=optimize_for_size -Zpanic-immediate-abort
# --config profile.release.panic="immediate-abort"'.
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
[ $# -gt 0 ] || set -- engine full

needs() {
  echo "the engine for JavaScript needs $1" >&2
  exit 1
}
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p;}' Cargo.lock)
# With -Zbuild-std in CARGO_FLAGS the target is built, too.
if [ -z "${CARGO_FLAGS:-}" ] && [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  needs "its target: rustup target add $target"
fi
if [ "$(wasm-bindgen --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
  needs "wasm-bindgen: cargo install wasm-bindgen-cli --version $version"
fi

build() {
  local features=()
  [ "$1" = engine ] || features=(--features 'eval review')
  # The words of CARGO_FLAGS are options.
  # shellcheck disable=SC2086
  cargo build --locked --release --target $target ${features[@]+"${features[@]}"} ${CARGO_FLAGS:-}
  local made=${CARGO_TARGET_DIR:-target}/$target/release/interpolate_wasm.wasm out=npm/$1
  rm -rf "$out"
  wasm-bindgen --target web --remove-name-section --out-name interpolate --out-dir "$out" "$made"
  rm -f "$out/interpolate_bg.wasm.d.ts"
  echo "$1: $(gzip -9c "$out/interpolate_bg.wasm" | wc -c) bytes, compressed"
}

for part in "$@"; do
  build "$part"
done
cp ../../LICENSE-APACHE ../../LICENSE-MIT npm/
python3 ../../packaging/third-party --target $target Cargo.toml >npm/THIRD-PARTY
# The name stands in package.json only; the README in the package has it, too.
name=$(sed -n 's/^  "name": "\(.*\)",$/\1/p' npm/package.json)
sed "s|@PACKAGE@|$name|g" README.npm.md >npm/README.md
