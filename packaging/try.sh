#!/usr/bin/env bash
# Installs each package that can be built here into an empty place, and runs a recipe of the
# cookbook there with a bare path. What needs a tool that is missing is skipped.
#
#   packaging/try.sh PROGRAM [WHEEL]
#
# PROGRAM is a built binary. The wheel is built from it if maturin is at hand.
set -euo pipefail

program=$(realpath "$1") wheel=${2:+$(realpath "$2")}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0 failed=0
now() { python3 -c 'import time; print(time.time_ns() // 1000000)'; }

has() {
  command -v "$1" >/dev/null && return
  echo "skipped: $2: $1 is not at hand"
  return 1
}

# Runs the recipe with a program: `example NAME COMMAND...`.
example() {
  local name=$1
  shift
  mkdir -p "$work/$name.home"
  cp "$root/ops/scale/manifest.yml" "$root/ops/scale/ops.yml" "$work/$name.home/"
  local from=${began:-$(now)}
  if (cd "$work/$name.home" && env -i PATH="${bare:-/nonexistent}" HOME="$work/$name.home" \
    "$@" manifest.yml -o ops.yml --diff) >"$work/$name.out" 2>&1 &&
    diff "$root/ops/scale/stdout" "$work/$name.out"; then
    tried=$((tried + 1))
    printf '%-10s %5d ms from its file to the first result\n' "$name" $(($(now) - from))
  else
    failed=$((failed + 1))
    cat "$work/$name.out"
    echo "$name: FAILED"
  fi
  began=
}

start() { began=$(now); }

# The archive, unpacked into an empty folder.
if has python3 archive && has cargo archive; then
  archive=$("$root/packaging/archive.sh" "$program" "$(rustc -vV | sed -n 's/^host: //p')" "$work/out")
  start
  mkdir "$work/archive"
  tar -C "$work/archive" --strip-components=1 -xzf "$archive"
  example archive "$work/archive/bin/interpolate"
  for file in share/man/man1/interpolate.1.gz share/man/man1/interpolate-diff.1.gz \
    share/bash-completion/completions/interpolate share/doc/interpolate/THIRD-PARTY \
    share/interpolate/ops-file.json; do
    [ -s "$work/archive/$file" ] || { echo "archive: no $file"; failed=$((failed + 1)); }
  done
fi

# The Debian package, installed into a root of its own.
if has dpkg-deb deb && has python3 deb && has cargo deb; then
  deb=$("$root/packaging/deb.sh" "$program" "$(dpkg --print-architecture)" "$work/out")
  start
  mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates"
  touch "$work/root/var/lib/dpkg/status"
  if [ "$(id -u)" = 0 ]; then
    dpkg --root="$work/root" --force-depends --install "$deb" >"$work/dpkg.out" 2>&1 ||
      { cat "$work/dpkg.out"; failed=$((failed + 1)); }
  else
    dpkg-deb --extract "$deb" "$work/root"
  fi
  example deb "$work/root/usr/bin/interpolate"
fi

# The wheel, in an empty virtual environment.
if [ -z "$wheel" ] && has maturin wheel; then
  "$root/bindings/python/build.sh" "$program" "$work/out" --release --quiet
  wheel=$(ls "$work"/out/*.whl)
fi
if [ -n "$wheel" ] && has python3 wheel; then
  python3 -m venv "$work/venv"
  start
  "$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
  # `interpolate` is found on the path, as after `pip install`.
  bare="$work/venv/bin" example wheel interpolate
  "$work/venv/bin/python" -c 'import interpolate; interpolate.load("a: 1")["a"]' || failed=$((failed + 1))
fi

# The npm package, in an empty folder.
npm=$root/bindings/wasm/npm
if [ -f "$npm/package.json" ] && [ -d "$npm/engine" ] && has npm 'npm package'; then
  packed=$(cd "$work/out" && npm pack --silent "$npm")
  start
  mkdir "$work/npm"
  (cd "$work/npm" && npm install --silent --offline --no-audit --no-fund "$work/out/$packed")
  bare=$(dirname "$(command -v node)")
  if (cd "$root/ops/set-property" && env -i PATH="$bare" "$work/npm/node_modules/.bin/interpolate" \
    manifest.yml -o log-level.yml) | diff "$root/ops/set-property/stdout" -; then
    tried=$((tried + 1))
    printf '%-10s %5d ms from its file to the first result\n' npm $(($(now) - began))
  else
    failed=$((failed + 1))
    echo 'npm: FAILED'
  fi
else
  echo 'skipped: npm package: bindings/wasm is not built'
fi

if has hadolint Dockerfile; then
  hadolint "$root/packaging/Dockerfile" || failed=$((failed + 1))
fi

echo "$tried passed, $failed failed"
[ "$failed" = 0 ]
