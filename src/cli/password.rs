//! Passwords for commands: from the terminal, unseen and twice, or from where programs put them.
//! Never from an argument, which everybody on the machine can read.

use std::io;
use std::io::BufRead;
use std::io::IsTerminal;
use std::io::Read;
use std::path::PathBuf;

use crate::cli::error::Error;

/// More than any password has.
const INPUT_BYTES_MAX: u64 = 4_096;

/// Where a password comes from.
#[derive(Debug, clap::Args)]
pub(super) struct PasswordArgs {
    /// Read the password from standard input, to its end; a line feed there does not count
    #[arg(long, conflicts_with = "password_file")]
    password_stdin: bool,
    /// Read the password from a file; a line feed at its end does not count
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl PasswordArgs {
    /// The password, whatever it is worth.
    pub(super) fn read(&self) -> Result<String, Error> {
        let cannot = |error: io::Error| Error::failed(format!("cannot read the password: {error}"));
        if let Some(path) = &self.password_file {
            let file = std::fs::File::open(path);
            return file.and_then(all_of).map_err(cannot);
        }
        if self.password_stdin {
            return all_of(io::stdin().lock()).map_err(cannot);
        }
        if !io::stdin().is_terminal() {
            let ways = "say where the password is: --password-stdin or --password-file";
            return Err(Error::usage(ways));
        }
        let password = asked("Password: ").map_err(cannot)?;
        if asked("Again: ").map_err(cannot)? != password {
            return Err(Error::failed("these are two different passwords"));
        }
        Ok(password)
    }
}

fn all_of(from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(INPUT_BYTES_MAX).read_to_string(&mut text)?;
    Ok(without_line_end(text))
}

fn without_line_end(mut text: String) -> String {
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    text
}

/// Asks at the terminal, where what is typed does not show.
fn asked(prompt: &str) -> io::Result<String> {
    let hidden = Hidden::begin()?;
    io::Write::write_all(&mut io::stderr(), prompt.as_bytes())?;
    let mut line = String::new();
    let read = io::stdin().lock().take(INPUT_BYTES_MAX).read_line(&mut line);
    drop(hidden);
    // The end of the line did not show either.
    super::note("");
    read?;
    Ok(without_line_end(line))
}

/// As long as it is there, the terminal shows nothing of what is typed.
#[cfg(unix)]
struct Hidden(rustix::termios::Termios);

#[cfg(unix)]
impl Hidden {
    fn begin() -> io::Result<Hidden> {
        use rustix::termios;
        let before = termios::tcgetattr(io::stdin())?;
        let mut without = before.clone();
        without.local_modes.remove(termios::LocalModes::ECHO);
        termios::tcsetattr(io::stdin(), termios::OptionalActions::Flush, &without)?;
        Ok(Hidden(before))
    }
}

#[cfg(unix)]
impl Drop for Hidden {
    fn drop(&mut self) {
        use rustix::termios;
        // Nobody is left to tell if the terminal is gone.
        let _ = termios::tcsetattr(io::stdin(), termios::OptionalActions::Now, &self.0);
    }
}

/// On other systems it shows.
#[cfg(not(unix))]
struct Hidden;

#[cfg(not(unix))]
impl Hidden {
    fn begin() -> io::Result<Hidden> {
        Ok(Hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_end_does_not_count() {
        let check = |text: &str, expect: &str| {
            assert_eq!(all_of(text.as_bytes()).unwrap(), expect);
        };
        check("secret", "secret");
        check("secret\n", "secret");
        check("secret\r\n", "secret");
        check("secret\n\n", "secret\n");
        check(" secret \n", " secret ");
        check("", "");
        assert!(all_of(&b"\xff\xfe"[..]).is_err());
    }
}
