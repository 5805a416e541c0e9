//! The platform of this build, and the detection of programs for it.

/// The number of bytes that [`is_program`] needs from the beginning of a program.
pub const HEAD_BYTES: usize = 64;

/// The platform of this build, named like the targets of the compiler. Releases are identified by
/// it.
pub const TARGET: &str = build_target();

const fn build_target() -> &'static str {
    match (cfg!(target_arch = "x86_64"), cfg!(target_arch = "aarch64")) {
        (true, _) => x86_64_target(),
        (_, true) => aarch64_target(),
        _ => "other",
    }
}

const fn x86_64_target() -> &'static str {
    if cfg!(all(target_os = "linux", target_env = "musl")) {
        "x86_64-unknown-linux-musl"
    } else if cfg!(target_os = "linux") {
        "x86_64-unknown-linux-gnu"
    } else if cfg!(target_os = "macos") {
        "x86_64-apple-darwin"
    } else if cfg!(windows) {
        "x86_64-pc-windows-msvc"
    } else {
        "other"
    }
}

const fn aarch64_target() -> &'static str {
    if cfg!(all(target_os = "linux", target_env = "musl")) {
        "aarch64-unknown-linux-musl"
    } else if cfg!(target_os = "linux") {
        "aarch64-unknown-linux-gnu"
    } else if cfg!(target_os = "macos") {
        "aarch64-apple-darwin"
    } else if cfg!(windows) {
        "aarch64-pc-windows-msvc"
    } else {
        "other"
    }
}

/// Returns true if a file that begins like this is a program for this platform.
pub fn is_program(head: &[u8]) -> bool {
    if cfg!(windows) {
        head.starts_with(b"MZ")
    } else if cfg!(target_os = "macos") {
        // A program for one architecture, or a universal one.
        head.starts_with(&[0xcf, 0xfa, 0xed, 0xfe]) || head.starts_with(&[0xca, 0xfe, 0xba, 0xbe])
    } else {
        is_elf(head)
    }
}

/// Returns true for a 64-bit little-endian ELF file of this architecture, if that is known here.
fn is_elf(head: &[u8]) -> bool {
    let machine = head.get(18..20).and_then(|it| it.try_into().ok()).map(u16::from_le_bytes);
    let expected = match TARGET.split_once('-') {
        Some(("x86_64", _)) => Some(62),
        Some(("aarch64", _)) => Some(183),
        _ => machine,
    };
    head.starts_with(b"\x7fELF\x02\x01") && machine.is_some() && machine == expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_is_one() {
        let mut head = [0; HEAD_BYTES];
        let mut file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        std::io::Read::read_exact(&mut file, &mut head).unwrap();
        assert!(is_program(&head));
        assert!(TARGET.contains(std::env::consts::ARCH), "{TARGET}");
    }

    #[test]
    fn other_files_are_none() {
        for head in
            [b"".as_slice(), b"#!/bin/sh\necho recto 1.0.0\n", b"\x7fELF", b"PK\x03\x04", b"MZ"]
        {
            assert_eq!(is_program(head), cfg!(windows) && head == b"MZ");
        }
        let mut head = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0";
        let of_x86_64 = is_program(&head);
        head[18] = 0xb7;
        assert!(!(of_x86_64 && is_program(&head)));
    }
}
