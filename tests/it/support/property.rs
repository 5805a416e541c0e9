//! Properties that are checked for random choices.
//!
//! `PROPTEST_CASES=4000` asks for more cases and other choices; `SEED=…`, as a failure names it,
//! for the same choices again. `SLOW=1` asks for more cases where a test says so.

use std::time::SystemTime;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest::test_runner::RngAlgorithm;
use proptest::test_runner::TestError;
use proptest::test_runner::TestRng;
use proptest::test_runner::TestRunner;

use crate::support::random_content::Draw;

/// The configuration of a property: `usually` cases, or `factor` times as many with `SLOW=1`.
pub(crate) fn cases(usually: u32, factor: u32) -> Config {
    let cases = if std::env::var_os("SLOW").is_some() { usually * factor } else { usually };
    Config { cases, failure_persistence: None, ..Config::default() }
}

fn read_number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|it| it.parse().ok())
}

/// The seed that somebody asks for with `SEED=…`.
pub(crate) fn given_seed() -> Option<u64> {
    read_number("SEED")
}

/// Another seed at every call.
pub(crate) fn fresh_seed() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos() as u64
}

pub(crate) fn run(cases: u32, choices: usize, test: impl Fn(&mut Draw<'_>)) {
    let more = read_number("PROPTEST_CASES").and_then(|it| u32::try_from(it).ok());
    let config = Config {
        cases: more.unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let strategy = vec(any::<u16>(), choices);
    // The usual run makes the same choices everywhere.
    let seed = given_seed().or_else(|| more.map(|_| fresh_seed()));
    let rng = match seed {
        None => TestRng::deterministic_rng(config.rng_algorithm),
        Some(seed) => {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
        }
    };
    let outcome = TestRunner::new_with_rng(config, rng).run(&strategy, |choices| {
        test(&mut Draw::new(&choices));
        Ok(())
    });
    let again = seed.map(|it| format!("\nSEED={it} makes the same choices")).unwrap_or_default();
    match outcome {
        Ok(()) => {}
        // The choices themselves tell nobody anything.
        Err(TestError::Fail(reason, _)) => panic!("{reason}{again}"),
        Err(error) => panic!("{error}{again}"),
    }
}
