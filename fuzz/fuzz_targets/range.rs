//! Fuzzes `targets::range`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| recto_fuzz::targets::range(data));
