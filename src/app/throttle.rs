//! Slows down whoever guesses passwords: by user and client, by client, and by user. The last one
//! only delays, so that nobody can lock out somebody else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::PoisonError;

use sha2::Digest as _;
use sha2::Sha256;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::stdx::time::Timestamp;

/// Failures count for so long.
const WINDOW_SECONDS: i64 = 5 * 60;
/// So many failures of one client at one user,
const PAIR_FAILURES_MAX: u32 = 5;
/// … and so many of one client at all users, close the door
const CLIENT_FAILURES_MAX: u32 = 50;
/// … for so long.
const CLOSED_SECONDS: i64 = 15 * 60;
/// So many failures at one user, whoever makes them, cost nothing.
const USER_FAILURES_FREE: u32 = 10;
/// The longest delay after that.
const DELAY_SECONDS_MAX: i64 = 30;
/// How many users and clients are remembered.
const REMEMBERED_MAX: usize = 100_000;

/// Remembers failures.
#[derive(Default)]
pub struct Throttle(Mutex<HashMap<Key, Failures>>);

/// What failures are counted by. Names are kept as hashes: they may be long.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Pair([u8; 32], IpAddr),
    Client(IpAddr),
    User([u8; 32]),
}

/// A try that counts as failed until something else is said of it.
#[must_use = "a try that is not judged has to be withdrawn"]
#[derive(Debug)]
pub struct Attempt {
    keys: [Key; 3],
    /// When the failures before it were made.
    last: [Option<Timestamp>; 3],
}

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    /// When the first of them was.
    since: Timestamp,
    last: Timestamp,
    closed_until: Option<Timestamp>,
}

impl Throttle {
    /// Whether a try may be made; it counts as failed until it is known to have succeeded.
    /// `login_name` is what the user is looked up by, `client` the block of addresses that counts as
    /// one client.
    ///
    /// # Errors
    /// `rate_limited`, with the seconds to wait.
    pub fn attempt(&self, login_name: &str, client: IpAddr, now: Timestamp) -> Result<Attempt> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = keys(login_name, client);
        let wait = keys.iter().filter_map(|key| known.get(key)?.wait(key, now)).max();
        if let Some(seconds) = wait.filter(|it| *it > 0) {
            return Err(Error::rate_limited(
                "Too many failed tries. Wait, then try again.",
                u32::try_from(seconds).unwrap_or(u32::MAX),
            ));
        }
        if known.len() + keys.len() > REMEMBERED_MAX {
            make_room(&mut known, now);
        }
        let last = keys.each_ref().map(|key| known.get(key).map(|it| it.last));
        for key in &keys {
            let failures = known.entry(key.clone()).or_insert_with(|| Failures::none(now));
            failures.add(key, now);
        }
        Ok(Attempt { keys, last })
    }

    /// The try was not judged, so it counts neither as a failure nor as a success: those before it
    /// count as they did.
    pub fn withdraw(&self, attempt: Attempt) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, last) in attempt.keys.iter().zip(attempt.last) {
            let Some(failures) = known.get_mut(key) else { continue };
            failures.take_back(key);
            failures.last = last.unwrap_or(failures.last);
            if failures.count == 0 {
                known.remove(key);
            }
        }
    }

    /// The try did not fail: the client knows this user's password.
    pub fn succeeded(&self, login_name: &str, client: IpAddr) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [pair, all, user] = keys(login_name, client);
        known.remove(&pair);
        known.remove(&user);
        if let Some(failures) = known.get_mut(&all) {
            failures.take_back(&all);
        }
    }
}

fn keys(login_name: &str, client: IpAddr) -> [Key; 3] {
    let user: [u8; 32] = Sha256::digest(login_name).into();
    [Key::Pair(user, client), Key::Client(client), Key::User(user)]
}

impl Key {
    /// How many failures close the door.
    fn most(&self) -> u32 {
        match self {
            Key::Pair(..) => PAIR_FAILURES_MAX,
            Key::Client(_) => CLIENT_FAILURES_MAX,
            Key::User(_) => u32::MAX,
        }
    }
}

impl Failures {
    fn none(now: Timestamp) -> Failures {
        Failures { count: 0, since: now, last: now, closed_until: None }
    }

    fn add(&mut self, key: &Key, now: Timestamp) {
        if now.seconds() - self.since.seconds() >= WINDOW_SECONDS
            && self.closed_until.is_none_or(|it| it <= now)
        {
            *self = Failures::none(now);
        }
        self.count = self.count.saturating_add(1);
        self.last = now;
        if self.count >= key.most() {
            self.closed_until = Some(Timestamp::from_seconds(now.seconds() + CLOSED_SECONDS));
        }
    }

    fn take_back(&mut self, key: &Key) {
        self.count = self.count.saturating_sub(1);
        if self.count < key.most() {
            self.closed_until = None;
        }
    }

    /// How many seconds to wait, if any.
    fn wait(&self, key: &Key, now: Timestamp) -> Option<i64> {
        if let Key::User(_) = key {
            let beyond = self.count.checked_sub(USER_FAILURES_FREE)?;
            let delay = 1_i64.checked_shl(beyond).unwrap_or(DELAY_SECONDS_MAX);
            let delay = delay.min(DELAY_SECONDS_MAX);
            return Some(self.last.seconds() + delay - now.seconds());
        }
        Some(self.closed_until?.seconds() - now.seconds())
    }

    fn is_over(&self, now: Timestamp) -> bool {
        let open = self.closed_until.is_none_or(|it| it <= now);
        open && now.seconds() - self.last.seconds() >= WINDOW_SECONDS
    }
}

/// Forgets what is over, and the oldest tenth when that is not enough.
fn make_room(known: &mut HashMap<Key, Failures>, now: Timestamp) {
    known.retain(|_, it| !it.is_over(now));
    if known.len() + 3 <= REMEMBERED_MAX {
        return;
    }
    let mut times: Vec<Timestamp> = known.values().map(|it| it.last).collect();
    times.sort_unstable();
    let Some(oldest) = times.get(REMEMBERED_MAX / 10).copied() else { return };
    known.retain(|_, it| it.last > oldest);
    if known.len() + 3 > REMEMBERED_MAX {
        // All of one second: whoever makes so many is no user.
        known.clear();
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

    /// Tries, and how many seconds to wait instead.
    fn wait(throttle: &Throttle, name: &str, from: u8, now: i64) -> u32 {
        let tried = throttle.attempt(name, client(from), at(now));
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
        throttle.succeeded("anna", client(1));
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
            throttle.succeeded(&format!("u{user}"), client(1));
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
        let attempt = |second| throttle.attempt("anna", client(1), at(second));
        for second in 0..4 {
            attempt(second).map(drop).unwrap();
        }
        // However often the queue is full: the four failures stay, and nothing is added to them.
        for second in 4..20 {
            throttle.withdraw(attempt(second).unwrap());
        }
        assert_eq!(wait(&throttle, "anna", 1, 20), 0);
        assert_eq!(wait(&throttle, "anna", 1, 21), 899);
        assert_eq!(wait(&throttle, "ben", 1, 21), 0);
    }

    #[test]
    fn withdrawing_the_first_try_leaves_nothing_behind() {
        let throttle = Throttle::default();
        throttle.withdraw(throttle.attempt("anna", client(1), at(0)).unwrap());
        assert!(throttle.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_withdrawn_try_does_not_prolong_the_delay_of_a_user() {
        let throttle = Throttle::default();
        for from in 0..12 {
            // Each from elsewhere, and each after the delay.
            let now = i64::from(from) * 30;
            assert_eq!(wait(&throttle, "anna", from, now), 0);
        }
        let tried = throttle.attempt("anna", client(50), at(360)).unwrap();
        throttle.withdraw(tried);
        assert_eq!(wait(&throttle, "anna", 51, 360), 0);
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        for number in 0..120_000_u32 {
            let ip = IpAddr::from(number.to_be_bytes());
            let _ = throttle.attempt(&number.to_string(), ip, at(i64::from(number / 1_000)));
        }
        assert!(throttle.0.lock().unwrap().len() <= REMEMBERED_MAX);
    }
}
