//! The throttle of password guessing: by user and client, by client, and by user. The limit by user
//! only delays, so that nobody can lock out somebody else.

use std::collections::HashMap;
use std::net::IpAddr;

use sha2::Digest as _;
use sha2::Sha256;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;

/// The seconds for which failures count.
const WINDOW_SECONDS: i64 = 5 * 60;
/// The failures of one client for one user that block further attempts.
const PAIR_FAILURES_MAX: u32 = 5;
/// The failures of one client for all users that block further attempts.
const CLIENT_FAILURES_MAX: u32 = 50;
/// The seconds for which attempts are blocked.
const BLOCKED_SECONDS: i64 = 15 * 60;
/// The failures for one user, of any client, before attempts are delayed.
const USER_FAILURES_FREE: u32 = 10;
/// The longest delay in seconds.
const DELAY_SECONDS_MAX: i64 = 30;
/// The most users and clients that are remembered.
const REMEMBERED_MAX: usize = 100_000;

/// The failures of logins.
#[derive(Default)]
pub struct Throttle(Mutex<HashMap<ThrottleKey, Failures>>);

/// The keys by which failures are counted. Names are stored as hashes, because they may be long.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ThrottleKey {
    Pair([u8; 32], IpAddr),
    Client(IpAddr),
    User([u8; 32]),
}

/// An attempt that counts as failed until its result is recorded.
#[must_use = "an attempt without a result has to be withdrawn"]
#[derive(Debug)]
pub struct LoginAttempt {
    keys: [ThrottleKey; 3],
    /// The times of the previous failures.
    last: [Option<Timestamp>; 3],
}

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    /// The time of the first failure.
    since: Timestamp,
    last: Timestamp,
    blocked_until: Option<Timestamp>,
}

impl Throttle {
    /// Starts an attempt, which counts as failed until its success is recorded. `login_name` is the
    /// name by which the user is looked up, `client` the block of addresses that counts as one
    /// client.
    ///
    /// # Errors
    ///
    /// Fails with `rate_limited` and the seconds to wait.
    pub fn begin_attempt(
        &self,
        login_name: &str,
        client: IpAddr,
        now: Timestamp,
    ) -> Result<LoginAttempt> {
        let mut failures_by_key = self.0.lock();
        let keys = build_keys(login_name, client);
        let wait =
            keys.iter().filter_map(|key| failures_by_key.get(key)?.wait_seconds(key, now)).max();
        if let Some(seconds) = wait.filter(|it| *it > 0) {
            return Err(Error::rate_limited(
                "Too many failed attempts. Wait, then try again.",
                u32::try_from(seconds).unwrap_or(u32::MAX),
            ));
        }
        if failures_by_key.len() + keys.len() > REMEMBERED_MAX {
            make_room(&mut failures_by_key, now);
        }
        let last = keys.each_ref().map(|key| failures_by_key.get(key).map(|it| it.last));
        for key in &keys {
            let failures =
                failures_by_key.entry(key.clone()).or_insert_with(|| Failures::none(now));
            failures.add_failure(key, now);
        }
        Ok(LoginAttempt { keys, last })
    }

    /// Withdraws an attempt that was not verified: it counts neither as a failure nor as a success.
    pub fn withdraw_attempt(&self, attempt: LoginAttempt) {
        let mut failures_by_key = self.0.lock();
        for (key, last) in attempt.keys.iter().zip(attempt.last) {
            let Some(failures) = failures_by_key.get_mut(key) else { continue };
            failures.remove_failure(key);
            failures.last = last.unwrap_or(failures.last);
            if failures.count == 0 {
                failures_by_key.remove(key);
            }
        }
    }

    /// Records that an attempt succeeded: the client knows the user's password.
    pub fn record_success(&self, login_name: &str, client: IpAddr) {
        let mut failures_by_key = self.0.lock();
        let [pair, all, user] = build_keys(login_name, client);
        failures_by_key.remove(&pair);
        failures_by_key.remove(&user);
        if let Some(failures) = failures_by_key.get_mut(&all) {
            failures.remove_failure(&all);
        }
    }
}

fn build_keys(login_name: &str, client: IpAddr) -> [ThrottleKey; 3] {
    let user: [u8; 32] = Sha256::digest(login_name).into();
    [ThrottleKey::Pair(user, client), ThrottleKey::Client(client), ThrottleKey::User(user)]
}

impl ThrottleKey {
    /// Returns the number of failures that block further attempts.
    fn failures_max(&self) -> u32 {
        match self {
            ThrottleKey::Pair(..) => PAIR_FAILURES_MAX,
            ThrottleKey::Client(_) => CLIENT_FAILURES_MAX,
            ThrottleKey::User(_) => u32::MAX,
        }
    }
}

impl Failures {
    fn none(now: Timestamp) -> Failures {
        Failures { count: 0, since: now, last: now, blocked_until: None }
    }

    fn add_failure(&mut self, key: &ThrottleKey, now: Timestamp) {
        if now.seconds() - self.since.seconds() >= WINDOW_SECONDS
            && self.blocked_until.is_none_or(|it| it <= now)
        {
            *self = Failures::none(now);
        }
        self.count = self.count.saturating_add(1);
        self.last = now;
        if self.count >= key.failures_max() {
            self.blocked_until = Some(Timestamp::from_seconds(now.seconds() + BLOCKED_SECONDS));
        }
    }

    fn remove_failure(&mut self, key: &ThrottleKey) {
        self.count = self.count.saturating_sub(1);
        if self.count < key.failures_max() {
            self.blocked_until = None;
        }
    }

    /// Returns the seconds to wait, if any.
    fn wait_seconds(&self, key: &ThrottleKey, now: Timestamp) -> Option<i64> {
        if let ThrottleKey::User(_) = key {
            let beyond = self.count.checked_sub(USER_FAILURES_FREE)?;
            let delay = 1_i64.checked_shl(beyond).unwrap_or(DELAY_SECONDS_MAX);
            let delay = delay.min(DELAY_SECONDS_MAX);
            return Some(self.last.seconds() + delay - now.seconds());
        }
        Some(self.blocked_until?.seconds() - now.seconds())
    }

    fn is_over(&self, now: Timestamp) -> bool {
        let open = self.blocked_until.is_none_or(|it| it <= now);
        open && now.seconds() - self.last.seconds() >= WINDOW_SECONDS
    }
}

/// Removes expired failures, and the oldest tenth if that is not enough.
fn make_room(failures_by_key: &mut HashMap<ThrottleKey, Failures>, now: Timestamp) {
    failures_by_key.retain(|_, it| !it.is_over(now));
    if failures_by_key.len() + 3 <= REMEMBERED_MAX {
        return;
    }
    let mut times: Vec<Timestamp> = failures_by_key.values().map(|it| it.last).collect();
    times.sort_unstable();
    let Some(oldest) = times.get(REMEMBERED_MAX / 10).copied() else { return };
    failures_by_key.retain(|_, it| it.last > oldest);
    if failures_by_key.len() + 3 > REMEMBERED_MAX {
        // All remaining ones are of the same second, which is an attack.
        failures_by_key.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(1_000_000 + seconds)
    }

    fn client(last: u8) -> IpAddr {
        IpAddr::from([203, 0, 113, last])
    }

    /// Makes an attempt. Returns the seconds to wait, or 0.
    fn wait(throttle: &Throttle, name: &str, from: u8, now: i64) -> u32 {
        let tried = throttle.begin_attempt(name, client(from), at(now));
        tried.err().and_then(|it| it.retry_after).unwrap_or(0)
    }

    #[test]
    fn five_failures_close_the_door_for_that_client_and_user() {
        let throttle = Throttle::default();
        for second in 0..5 {
            assert_eq!(wait(&throttle, "anna", 1, second), 0);
        }
        assert_eq!(wait(&throttle, "anna", 1, 4), 900);
        assert_eq!(wait(&throttle, "anna", 1, 903), 1);
        assert_eq!(wait(&throttle, "anna", 2, 4), 0);
        assert_eq!(wait(&throttle, "ben", 1, 4), 0);
        assert_eq!(wait(&throttle, "anna", 1, 904), 0);
    }

    #[test]
    fn failures_fade_and_success_clears_them() {
        let throttle = Throttle::default();
        for second in [0, 1, 2, 3, 300, 301, 302, 303] {
            assert_eq!(wait(&throttle, "anna", 1, second), 0, "{second}");
        }
        throttle.record_success("anna", client(1));
        for second in 304..309 {
            assert_eq!(wait(&throttle, "anna", 1, second), 0, "{second}");
        }
        assert_eq!(wait(&throttle, "anna", 1, 309), 899);
    }

    #[test]
    fn a_client_that_tries_all_users_is_stopped() {
        let throttle = Throttle::default();
        for user in 0..50 {
            assert_eq!(wait(&throttle, &format!("u{user}"), 1, 0), 0);
        }
        assert_eq!(wait(&throttle, "anna", 1, 0), 900);
        assert_eq!(wait(&throttle, "anna", 2, 0), 0);
    }

    #[test]
    fn many_who_know_their_passwords_come_in_from_one_place() {
        let throttle = Throttle::default();
        for user in 0..200 {
            assert_eq!(wait(&throttle, &format!("u{user}"), 1, 0), 0);
            throttle.record_success(&format!("u{user}"), client(1));
        }
    }

    #[test]
    fn a_user_whom_all_clients_try_is_slowed_down_and_not_locked_out() {
        let throttle = Throttle::default();
        let mut now = 0;
        for from in 0..20 {
            now += i64::from(wait(&throttle, "anna", from, now));
        }
        assert_eq!(wait(&throttle, "anna", 99, now + 30), 0);
        assert_eq!(wait(&throttle, "anna", 100, now + 30), 30);
    }

    #[test]
    fn a_try_that_was_not_judged_is_the_only_one_forgotten() {
        let throttle = Throttle::default();
        let attempt = |second| throttle.begin_attempt("anna", client(1), at(second));
        for second in 0..4 {
            attempt(second).map(drop).unwrap();
        }
        // A full queue changes nothing: the four failures stay, and none is added.
        for second in 4..20 {
            throttle.withdraw_attempt(attempt(second).unwrap());
        }
        assert_eq!(wait(&throttle, "anna", 1, 20), 0);
        assert_eq!(wait(&throttle, "anna", 1, 21), 899);
        assert_eq!(wait(&throttle, "ben", 1, 21), 0);
    }

    #[test]
    fn withdrawing_the_first_try_leaves_nothing_behind() {
        let throttle = Throttle::default();
        throttle.withdraw_attempt(throttle.begin_attempt("anna", client(1), at(0)).unwrap());
        assert!(throttle.0.lock().is_empty());
    }

    #[test]
    fn a_withdrawn_try_does_not_prolong_the_delay_of_a_user() {
        let throttle = Throttle::default();
        for from in 0..12 {
            // Each attempt comes from another client, and after the delay.
            let now = i64::from(from) * 30;
            assert_eq!(wait(&throttle, "anna", from, now), 0);
        }
        let tried = throttle.begin_attempt("anna", client(50), at(360)).unwrap();
        throttle.withdraw_attempt(tried);
        assert_eq!(wait(&throttle, "anna", 51, 360), 0);
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        for number in 0..120_000_u32 {
            let ip = IpAddr::from(number.to_be_bytes());
            let _ = throttle.begin_attempt(&number.to_string(), ip, at(i64::from(number / 1_000)));
        }
        assert!(throttle.0.lock().len() <= REMEMBERED_MAX);
    }
}
