//! Fuzzes `targets::paths`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| recto_fuzz::targets::paths(data));
