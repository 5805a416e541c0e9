//! Properties that are checked for random choices.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest::test_runner::TestError;
use proptest::test_runner::TestRng;
use proptest::test_runner::TestRunner;

use crate::support::random_content::Draw;

pub(crate) fn run(cases: u32, choices: usize, test: impl Fn(&mut Draw<'_>)) {
    let more = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    let config = Config {
        cases: more.unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let strategy = vec(any::<u16>(), choices);
    // The usual run makes the same worlds everywhere; whoever asks for more cases gets new ones.
    let mut runner = match more {
        Some(_) => TestRunner::new(config),
        None => {
            let same = TestRng::deterministic_rng(config.rng_algorithm);
            TestRunner::new_with_rng(config, same)
        }
    };
    let outcome = runner.run(&strategy, |choices| {
        test(&mut Draw::new(&choices));
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        // The choices themselves tell nobody anything.
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(error) => panic!("{error}"),
    }
}
