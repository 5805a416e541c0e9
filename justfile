# Shortcuts for users of `just`; nothing requires them.

# Serves ./data, and creates it with sample content if it does not exist.
run *args:
    cargo run --release -- {{args}}

# Runs everything a change has to pass.
test:
    ./test.sh

# Runs the quick half of it: formatting, lints, and the tests whose name contains a word.
check word="":
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test {{word}}

# Opens the documentation of the code in a browser.
doc:
    cargo doc --no-deps --open

# Measures the speed on this machine: docs/BENCHMARKS.md.
bench *args:
    cargo build --release --workspace
    target/release/recto-bench {{args}}

# Checks licences, sources and advisories of the dependencies (needs cargo-deny).
deny:
    cargo deny check
