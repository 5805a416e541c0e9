//! Limits on the requests of one client address and of one token.
//!
//! Each has a bucket of as many requests as are allowed in a minute, which fills again evenly. So a
//! build of a site may ask for everything at once, and goes on at the allowed rate.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::hash::Hash;
use std::hash::RandomState;
use std::net::IpAddr;

use http::HeaderName;
use http::HeaderValue;
use http::header;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::common_headers::PublicHeaders;
use crate::http::request::route::Access;
use crate::http::request::route::Route;
use crate::http::wire::headers;
use crate::http::wire::headers::Client;
use crate::model::name::TokenId;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;

/// The highest limit: a request in 60 microseconds.
pub const RATE_MAX: u32 = 1_000_000;

/// The time in which a bucket fills, in microseconds.
const WINDOW_MICROS: u64 = 60_000_000;

/// The parts of the table, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// The most clients and tokens that are remembered in one part: 100,000 in all, about ten
/// megabytes.
const REMEMBERED_MAX: usize = 100_000 / SHARDS;

/// The names of the headers of the IETF draft.
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The header fields that pages of other origins may read where requests are limited.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("ETag, Link, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After");

/// The most requests a minute; 0 for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// Of one address without a token.
    pub per_address: u32,
    /// Of one token.
    pub per_token: u32,
}

/// The buckets of clients and tokens.
pub(crate) struct RateLimiter {
    limits: RateLimits,
    hasher: RandomState,
    shards: [Mutex<HashMap<RateKey, Bucket>>; SHARDS],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum RateKey {
    /// An IPv4 address, or a /64 of IPv6.
    Address(IpAddr),
    Token(TokenId),
}

/// The time at which a bucket is full again, in microseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket(u64);

/// The state of a bucket after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quota {
    /// `address` or `token`.
    policy: &'static str,
    limit: u32,
    remaining: u32,
    /// The seconds until the bucket is full, or until it has a request again if it is empty.
    reset_seconds: u64,
}

impl RateLimiter {
    /// Returns a limiter; nothing if there is no limit.
    pub(crate) fn new(limits: RateLimits) -> Option<RateLimiter> {
        let is_on = limits != RateLimits::default();
        let shards = std::array::from_fn(|_| Mutex::default());
        is_on.then(|| RateLimiter { limits, hasher: RandomState::new(), shards })
    }

    /// Counts a request whose caller was identified, or not. Whoever is logged in is not limited,
    /// nor are health checks and the files of the interface.
    pub(crate) fn admit_caller(
        &self,
        now: Timestamp,
        route: &Route,
        caller: Result<Caller>,
        client: Client,
        quota: &mut Option<Quota>,
    ) -> Result<Caller> {
        if route.access == Access::Monitor {
            return caller;
        }
        match &caller {
            Ok(Caller::User(_)) => {}
            Ok(Caller::Token(holder)) => {
                // Only a valid token has a bucket: nobody empties that of somebody else.
                let key = RateKey::Token(holder.record.id.clone());
                self.admit(now, key, "token", self.limits.per_token, quota)?;
            }
            Ok(Caller::Anonymous | Caller::Planner(_)) | Err(_) => {
                self.admit_client(now, client, quota)?;
            }
        }
        caller
    }

    /// Counts a request of a client who is not known.
    pub(crate) fn admit_client(
        &self,
        now: Timestamp,
        client: Client,
        quota: &mut Option<Quota>,
    ) -> Result<()> {
        let key = RateKey::Address(headers::client_block(client.ip));
        self.admit(now, key, "address", self.limits.per_address, quota)
    }

    fn admit(
        &self,
        now: Timestamp,
        key: RateKey,
        policy: &'static str,
        limit: u32,
        quota: &mut Option<Quota>,
    ) -> Result<()> {
        if limit == 0 {
            return Ok(());
        }
        let seconds = u64::try_from(now.seconds()).unwrap_or_default();
        let (is_admitted, left) = self.take(key, policy, limit, seconds.saturating_mul(1_000_000));
        *quota = Some(left);
        if is_admitted {
            return Ok(());
        }
        let wait = u32::try_from(left.reset_seconds).unwrap_or(u32::MAX);
        Err(Error::rate_limited("Too many requests. Slow down.", wait))
    }

    /// Takes a request out of a bucket. Returns whether there was one, and what is left.
    fn take(&self, key: RateKey, policy: &'static str, limit: u32, now: u64) -> (bool, Quota) {
        let shard = usize::try_from(self.hasher.hash_one(&key) % SHARDS as u64).unwrap_or(0);
        let mut buckets = self.shards[shard].lock();
        if buckets.len() >= REMEMBERED_MAX && !buckets.contains_key(&key) {
            make_room(&mut buckets, now);
        }
        let bucket = buckets.entry(key).or_default();
        let (is_admitted, debt) = bucket.take(limit, now);
        drop(buckets);
        let each = WINDOW_MICROS / u64::from(limit);
        let free = (WINDOW_MICROS.saturating_sub(debt) / each).min(u64::from(limit));
        let wait = if is_admitted { debt } else { (debt + each).saturating_sub(WINDOW_MICROS) };
        let quota = Quota {
            policy,
            limit,
            remaining: if is_admitted { u32::try_from(free).unwrap_or(limit) } else { 0 },
            reset_seconds: wait.div_ceil(1_000_000).max(1),
        };
        (is_admitted, quota)
    }
}

impl Bucket {
    /// Takes a request out, if there is one. Returns what is missing until the bucket is full.
    fn take(&mut self, limit: u32, now: u64) -> (bool, u64) {
        let each = WINDOW_MICROS / u64::from(limit);
        // A clock that is set back must not shut anybody out.
        let full_at = self.0.clamp(now, now.saturating_add(WINDOW_MICROS));
        let next = full_at.saturating_add(each);
        let is_admitted = next <= now.saturating_add(WINDOW_MICROS);
        self.0 = if is_admitted { next } else { full_at };
        (is_admitted, self.0 - now)
    }
}

impl Quota {
    /// Adds the headers that tell the client about the limit and what is left of it.
    pub(crate) fn add_headers(
        self,
        fields: &mut Vec<(HeaderName, HeaderValue)>,
        public: Option<&PublicHeaders>,
    ) {
        let Quota { policy, limit, remaining, reset_seconds } = self;
        let texts = [
            (RATE_LIMIT_POLICY, format!("\"{policy}\";q={limit};w=60")),
            (RATE_LIMIT, format!("\"{policy}\";r={remaining};t={reset_seconds}")),
        ];
        let values =
            texts.into_iter().filter_map(|(name, text)| Some((name, text.try_into().ok()?)));
        fields.extend(values);
        let exposes =
            |it: &&mut (HeaderName, HeaderValue)| it.0 == header::ACCESS_CONTROL_EXPOSE_HEADERS;
        if let Some(field) = fields.iter_mut().find(exposes) {
            field.1 = EXPOSED;
        } else if public.is_some_and(|it| it.for_all_origins) {
            fields.push((header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED));
        }
    }
}

/// Forgets full buckets, and all if too few are full: then somebody has very many addresses.
fn make_room(buckets: &mut HashMap<RateKey, Bucket>, now: u64) {
    buckets.retain(|_, it| it.0 > now);
    if buckets.len() > REMEMBERED_MAX * 3 / 4 {
        buckets.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000_000_000;

    fn limiter() -> RateLimiter {
        RateLimiter::new(RateLimits { per_address: 6, per_token: 6 }).unwrap()
    }

    fn address(n: u32) -> RateKey {
        RateKey::Address(IpAddr::from(n.to_be_bytes()))
    }

    #[test]
    fn a_minute_of_requests_at_once_and_then_at_the_rate() {
        let limiter = limiter();
        let take = |seconds: u64| limiter.take(address(1), "address", 6, NOW + seconds * 1_000_000);
        for left in (0..6).rev() {
            let (is_admitted, quota) = take(0);
            assert!(is_admitted && quota.remaining == left, "{quota:?}");
        }
        assert_eq!((take(0).0, take(0).1.reset_seconds), (false, 10));
        assert_eq!((take(9).0, take(9).1.reset_seconds), (false, 1));
        assert!(take(10).0 && !take(10).0);
        assert!(take(100).0, "it fills again");
        assert_eq!(take(1_000).1.remaining, 5, "and no further");
    }

    #[test]
    fn a_clock_that_is_set_back_shuts_nobody_out() {
        let limiter = limiter();
        for _ in 0..6 {
            limiter.take(address(1), "address", 6, NOW);
        }
        let earlier = NOW - 3_600_000_000;
        assert_eq!(limiter.take(address(1), "address", 6, earlier).1.reset_seconds, 10);
    }

    #[test]
    fn no_more_than_so_many_are_remembered() {
        let limiter = limiter();
        for n in 0..300_000 {
            limiter.take(address(n), "address", 6, NOW);
        }
        let count: usize = limiter.shards.iter().map(|it| it.lock().len()).sum();
        assert!(count <= REMEMBERED_MAX * SHARDS, "{count}");
    }

    #[test]
    fn nothing_is_limited_by_default() {
        assert!(RateLimiter::new(RateLimits::default()).is_none());
    }

    #[test]
    fn the_highest_limit_still_counts() {
        let limiter = RateLimiter::new(RateLimits { per_address: RATE_MAX, per_token: 0 }).unwrap();
        assert_eq!(limiter.take(address(1), "address", RATE_MAX, NOW).1.remaining, RATE_MAX - 1);
    }
}
