#!/bin/bash -eu
# Builds the fuzz targets as OSS-Fuzz asks: each goes into $OUT with its seeds and its words.

cd "$SRC/interpolate"
cargo fuzz build -O --debug-assertions
fuzz/seeds "$WORK/corpus"

built=fuzz/target/x86_64-unknown-linux-gnu/release
for file in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$file" .rs)
  cp "$built/$target" "$OUT/"
  zip -qjr "$OUT/${target}_seed_corpus.zip" "$WORK/corpus/$target"
  [ ! -f "$WORK/corpus/$target.dict" ] || cp "$WORK/corpus/$target.dict" "$OUT/"
done

# Variables of templates that refer to each other live as long as the program.
for target in jinja unfurl; do
  printf '[libfuzzer]\ndetect_leaks=0\n[asan]\ndetect_leaks=0\n' >"$OUT/$target.options"
done
