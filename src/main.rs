//! The `recto` binary: arguments in, exit code out.

/// The allocator. That of the system keeps much of the memory that loading, sweeps and searches
/// have used, in heaps of threads that are gone. `.cargo/config.toml` has its settings.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    recto::cli::run()
}
