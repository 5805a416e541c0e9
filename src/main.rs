//! The `recto` binary: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    recto::cli::run()
}
