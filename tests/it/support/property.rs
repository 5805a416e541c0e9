//! Properties that are checked for random choices.
//!
//! `PROPTEST_CASES=4000` asks for more cases and other choices; `SEED=…`, as a failure names it, for
//! the same choices again. `SLOW=1` asks for more cases where a test says so.

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

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|it| it.parse().ok())
}

/// The seed of the choices: `None` for the usual run, which makes the same everywhere.
fn seed() -> Option<u64> {
    let fresh = || {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        since.as_nanos() as u64
    };
    number_of("SEED").or_else(|| number_of("PROPTEST_CASES").map(|_| fresh()))
}

pub(crate) fn run(cases: u32, choices: usize, test: impl Fn(&mut Draw<'_>)) {
    let more = number_of("PROPTEST_CASES").and_then(|it| u32::try_from(it).ok());
    let config = Config {
        cases: more.unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let strategy = vec(any::<u16>(), choices);
    let seed = seed();
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
