//! The smallest programs there are: each writes one line and ends. What is downloaded and installed
//! in tests is made of them.

use std::path::Path;
use std::process::Command;

const HEAD_BYTES: usize = 64 + 56;

/// A program for this machine that writes a line.
pub(crate) fn program(line: &str) -> Vec<u8> {
    let text = format!("{line}\n");
    let (machine, code) = if cfg!(target_arch = "aarch64") {
        (183_u16, aarch64(text.len() as u32))
    } else {
        (62, x86_64(text.len() as u32))
    };
    let size = (HEAD_BYTES + code.len() + text.len()) as u64;
    let (address, entry) = (0x40_0000_u64, 0x40_0000_u64 + HEAD_BYTES as u64);
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // A file that can be run, for this machine.
    [2_u16, machine].iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    bytes.extend(1_u32.to_le_bytes());
    [entry, 64, 0].iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    bytes.extend(0_u32.to_le_bytes());
    [64_u16, 56, 1, 64, 0, 0].iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    // All of it is one segment that can be read and run.
    [1_u32, 5].iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    [0, address, address, size, size, 0x1000].iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    bytes.extend(code);
    bytes.extend(text.as_bytes());
    bytes
}

/// write(1, text, length); exit(0)
fn x86_64(length: u32) -> Vec<u8> {
    let mut code = vec![0xb8, 1, 0, 0, 0, 0xbf, 1, 0, 0, 0, 0x48, 0x8d, 0x35, 19, 0, 0, 0, 0xba];
    code.extend(length.to_le_bytes());
    // What does nothing makes it as long as the other.
    code.extend([0x0f, 0x05, 0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05, 0x90, 0x90, 0x90]);
    code
}

/// The same.
fn aarch64(length: u32) -> Vec<u8> {
    let write = [0xd280_0808, 0xd280_0020, 0x1000_00e1, 0xd280_0002 | (length << 5), 0xd400_0001];
    let exit = [0xd280_0ba8, 0xd280_0000, 0xd400_0001, 0xd503_201f_u32];
    write.iter().chain(&exit).flat_map(|it| it.to_le_bytes()).collect()
}

/// What a program writes.
pub(crate) fn says(program: &Path) -> String {
    let output = Command::new(program).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim_end().to_string()
}
