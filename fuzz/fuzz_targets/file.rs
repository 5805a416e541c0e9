//! Fuzzes `targets::file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| recto_fuzz::targets::file(data));
