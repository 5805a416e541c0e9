# Shortcuts for those who have `just`; none of them is needed.

# Serves ./data, made from the samples when it is missing.
run *args:
    cargo run --release -- {{args}}

# What a change has to pass.
test:
    ./test.sh

# The quick half of it: formatting, lints, and the tests that a word selects.
check word="":
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    cargo test {{word}}

# The documentation, in a browser.
doc:
    cargo doc --no-deps --open

# How fast it is on this machine: docs/BENCHMARKS.md.
bench *args:
    cargo run --release -- bench {{args}}

# Licences, sources and advisories of the dependencies (needs cargo-deny).
deny:
    cargo deny check
