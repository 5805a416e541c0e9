//! The password of a command: typed twice on the terminal without echo, or read from standard input
//! or a file. It is never an argument, since everyone on the machine could read it.

use std::io;
use std::io::BufRead;
use std::io::IsTerminal;
use std::io::Read;
use std::path::PathBuf;

use crate::cli::error::CommandError;
use crate::cli::terminal::print_note;

/// The most bytes read; no password is this long.
const INPUT_BYTES_MAX: u64 = 4_096;

/// The arguments that name the source of a password.
#[derive(Debug, clap::Args)]
pub(super) struct PasswordArgs {
    /// Read the password from standard input; a line feed at its end is ignored
    #[arg(long, conflicts_with = "password_file")]
    password_stdin: bool,
    /// Read the password from a file; a line feed at its end is ignored
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl PasswordArgs {
    /// Reads the password, without checking its strength.
    pub(super) fn read_password(&self) -> Result<String, CommandError> {
        let cannot =
            |error: io::Error| CommandError::failed(format!("cannot read the password: {error}"));
        if let Some(path) = &self.password_file {
            let file = std::fs::File::open(path);
            return file.and_then(read_all).map_err(cannot);
        }
        if self.password_stdin {
            return read_all(io::stdin().lock()).map_err(cannot);
        }
        if !io::stdin().is_terminal() {
            let ways = "name the source of the password: --password-stdin or --password-file";
            return Err(CommandError::usage(ways));
        }
        let password = prompt_password("Password: ").map_err(cannot)?;
        if prompt_password("Again: ").map_err(cannot)? != password {
            return Err(CommandError::failed("the two passwords are different"));
        }
        Ok(password)
    }
}

fn read_all(from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(INPUT_BYTES_MAX).read_to_string(&mut text)?;
    Ok(strip_line_end(text))
}

fn strip_line_end(mut text: String) -> String {
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    text
}

/// Asks for a password on the terminal, without echo.
fn prompt_password(prompt: &str) -> io::Result<String> {
    let hidden = EchoGuard::begin()?;
    io::Write::write_all(&mut io::stderr(), prompt.as_bytes())?;
    let mut line = String::new();
    let read = io::stdin().lock().take(INPUT_BYTES_MAX).read_line(&mut line);
    drop(hidden);
    // The line feed was not echoed either.
    print_note("");
    read?;
    Ok(strip_line_end(line))
}

/// A guard that turns off the echo of the terminal as long as it exists.
#[cfg(unix)]
struct EchoGuard(rustix::termios::Termios);

#[cfg(unix)]
impl EchoGuard {
    fn begin() -> io::Result<EchoGuard> {
        use rustix::termios;
        let before = termios::tcgetattr(io::stdin())?;
        let mut without = before.clone();
        without.local_modes.remove(termios::LocalModes::ECHO);
        termios::tcsetattr(io::stdin(), termios::OptionalActions::Flush, &without)?;
        Ok(EchoGuard(before))
    }
}

#[cfg(unix)]
impl Drop for EchoGuard {
    fn drop(&mut self) {
        use rustix::termios;
        // The terminal may be gone; then there is no one to report to.
        let _ = termios::tcsetattr(io::stdin(), termios::OptionalActions::Now, &self.0);
    }
}

/// The guard on other systems, which leaves the echo on.
#[cfg(not(unix))]
struct EchoGuard;

#[cfg(not(unix))]
impl EchoGuard {
    fn begin() -> io::Result<EchoGuard> {
        Ok(EchoGuard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_end_does_not_count() {
        let check = |text: &str, expect: &str| {
            assert_eq!(read_all(text.as_bytes()).unwrap(), expect);
        };
        check("secret", "secret");
        check("secret\n", "secret");
        check("secret\r\n", "secret");
        check("secret\n\n", "secret\n");
        check(" secret \n", " secret ");
        check("", "");
        assert!(read_all(&b"\xff\xfe"[..]).is_err());
    }
}
