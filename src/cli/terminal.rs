//! The terminal: results on standard output, notes on standard error, and counts with their nouns.

use std::io;
use std::io::Write;

use crate::cli::error::CommandError;

/// Writes to standard output. A reader that closed its end early is not an error.
pub(super) fn print_text(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandError::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

pub(super) fn print_json(value: &serde_json::Value) -> Result<(), CommandError> {
    print_text(&format!("{value:#}\n"))
}

/// Writes a line to standard error.
pub(super) fn print_note(text: &str) {
    // A failure to write to standard error has no one to report to.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Formats a count with its noun: `1 file`, `2 files`, `12,345 files`.
pub(super) fn format_count(number: usize, one: &str, several: &str) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    format!("{shown} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_easily() {
        let check = |number, expect: &str| assert_eq!(format_count(number, "it", "its"), expect);
        check(0, "0 its");
        check(1, "1 it");
        check(999, "999 its");
        check(1_000, "1,000 its");
        check(1_234_567, "1,234,567 its");
    }
}
