//! The check of the codes of second factors. It begins after the password turned out right, so that
//! nobody else learns anything from it.

use std::collections::HashMap;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::name::EntryId;
use crate::model::people::second_factor::RecoveryCode;
use crate::model::people::second_factor::SecondFactor;
use crate::model::people::second_factor::TotpSecret;
use crate::model::people::second_factor::TypedCode;
use crate::model::people::session::SessionKey;
use crate::model::people::user::UserRecord;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;

/// The wrong codes of a user that cost nothing.
const WRONG_CODES_FREE: u32 = 5;
/// The seconds to wait after the first wrong code that costs something. They double with each.
const WAIT_SECONDS: i64 = 30;
/// The longest wait in seconds. So somebody who has a password guesses 24 codes a day, of which
/// three in a million are right, wherever the guesses come from.
const WAIT_SECONDS_MAX: i64 = 60 * 60;
/// The codes that are tried to confirm a secret before it has to be begun again.
const CONFIRMATIONS_MAX: u32 = 10;
/// The seconds for which a secret waits to be confirmed.
const PENDING_SECONDS: i64 = 15 * 60;

/// The state of the second factors of users, in memory. It has at most one item for each user.
#[derive(Default)]
pub struct CodeChecks(Mutex<HashMap<EntryId, CodeState>>);

#[derive(Default)]
struct CodeState {
    /// The step of the last code that was accepted. It is stored too, but a login must not fail
    /// when the disk does.
    last_step: i64,
    wrong_codes: u32,
    last_wrong: Option<Timestamp>,
    /// The stamp of the user for which codes were wrong. After a new password, they cost nothing.
    stamp: String,
    pending: Option<PendingSecret>,
}

/// A secret that was shown and not confirmed.
struct PendingSecret {
    secret: TotpSecret,
    /// The session that it was shown to. Another one, which did not give the password, may not
    /// confirm it.
    session: SessionKey,
    shown_at: Timestamp,
    wrong_codes: u32,
}

/// The proof that a user has the second factor, if there is one.
#[derive(Clone)]
pub(super) enum CodeProof {
    /// The user has none.
    NotNeeded,
    /// A code of this step.
    Step(i64),
    /// A recovery code, which counts once the change that removes it is stored.
    Recovery(RecoveryCode),
}

impl CodeProof {
    /// Applies the proof to the record of the user as it is now.
    ///
    /// # Errors
    ///
    /// Fails if a recovery code was used meanwhile.
    pub(super) fn apply(&self, record: &mut UserRecord) -> Result<()> {
        let Some(factor) = &mut record.second_factor else { return Ok(()) };
        match self {
            CodeProof::NotNeeded => {}
            CodeProof::Step(step) => factor.last_step = factor.last_step.max(*step),
            CodeProof::Recovery(code) => {
                if !factor.use_recovery_code(code) {
                    return Err(Error::invalid_code());
                }
            }
        }
        Ok(())
    }

    /// Returns true if the proof is worth nothing until it is stored.
    pub(super) fn must_be_stored(&self) -> bool {
        matches!(self, CodeProof::Recovery(_))
    }
}

impl CodeChecks {
    /// Checks the code of a user whose password was right.
    ///
    /// # Errors
    ///
    /// Fails with `second_factor_required` without a code, with `invalid_code`, and with
    /// `rate_limited` after too many wrong codes. Recovery codes cannot be guessed, so they are
    /// never limited here: whoever guesses codes locks nobody out.
    pub(super) fn check_code(
        &self,
        user: &UserRecord,
        code: &TypedCode,
        now: Timestamp,
    ) -> Result<CodeProof> {
        let Some(factor) = &user.second_factor else { return Ok(CodeProof::NotNeeded) };
        match code {
            TypedCode::Missing => Err(Error::second_factor_required()),
            TypedCode::Other => Err(Error::invalid_code()),
            TypedCode::Recovery(code) if factor.has_recovery_code(code) => {
                Ok(CodeProof::Recovery(code.clone()))
            }
            TypedCode::Recovery(_) => Err(Error::invalid_code()),
            TypedCode::Totp(code) => self.check_totp(user, factor, code, now),
        }
    }

    fn check_totp(
        &self,
        user: &UserRecord,
        factor: &SecondFactor,
        code: &str,
        now: Timestamp,
    ) -> Result<CodeProof> {
        let mut states = self.0.lock();
        let state = states.entry(user.id.clone()).or_default();
        let stamp = user.session_stamp();
        if state.stamp != stamp {
            (state.stamp, state.wrong_codes) = (stamp, 0);
        }
        if let Some(seconds) = state.wait_seconds(now) {
            let message = "Too many wrong codes. Wait, or use a recovery code.";
            return Err(Error::rate_limited(message, seconds));
        }
        let after = factor.last_step.max(state.last_step);
        let Some(step) = factor.secret.find_step(code, now, after) else {
            state.wrong_codes = state.wrong_codes.saturating_add(1);
            state.last_wrong = Some(now);
            return Err(Error::invalid_code());
        };
        state.last_step = step;
        state.wrong_codes = 0;
        Ok(CodeProof::Step(step))
    }

    /// Keeps a secret until the session confirms it. It replaces an earlier one.
    pub(super) fn begin_setup(
        &self,
        user: &EntryId,
        session: &SessionKey,
        secret: TotpSecret,
        now: Timestamp,
    ) {
        let pending =
            PendingSecret { secret, session: session.clone(), shown_at: now, wrong_codes: 0 };
        self.0.lock().entry(user.clone()).or_default().pending = Some(pending);
    }

    /// Takes the secret that waits to be confirmed by the session, if this is a code of it, and
    /// returns it with the step.
    pub(super) fn confirm_setup(
        &self,
        user: &EntryId,
        session: &SessionKey,
        code: &TypedCode,
        now: Timestamp,
    ) -> Result<(TotpSecret, i64)> {
        let mut states = self.0.lock();
        let pending = states.get_mut(user).map(|it| &mut it.pending);
        let is_open = |it: &PendingSecret| {
            it.session == *session
                && it.wrong_codes < CONFIRMATIONS_MAX
                && now.seconds() - it.shown_at.seconds() < PENDING_SECONDS
        };
        let Some(slot) = pending.filter(|it| it.as_ref().is_some_and(is_open)) else {
            return Err(Error::conflict("Begin to set up the second factor again."));
        };
        let pending = slot.as_mut().ok_or_else(Error::invalid_code)?;
        let step = match code {
            TypedCode::Totp(code) => pending.secret.find_step(code, now, 0),
            _ => None,
        };
        let Some(step) = step else {
            pending.wrong_codes += 1;
            return Err(Error::invalid_code());
        };
        // Of two requests at once, one confirms it.
        let pending = slot.take().ok_or_else(Error::invalid_code)?;
        Ok((pending.secret, step))
    }

    /// Forgets everything of a user whose second factor is another one now, or none.
    pub(super) fn forget(&self, user: &EntryId) {
        self.0.lock().remove(user);
    }
}

impl CodeState {
    fn wait_seconds(&self, now: Timestamp) -> Option<u32> {
        let beyond = self.wrong_codes.checked_sub(WRONG_CODES_FREE)?;
        // Six doublings exceed the longest wait.
        let wait = (WAIT_SECONDS << beyond.min(7)).min(WAIT_SECONDS_MAX);
        let left = self.last_wrong?.seconds() + wait - now.seconds();
        u32::try_from(left).ok().filter(|it| *it > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(1_111_111_111 + seconds)
    }

    fn user() -> UserRecord {
        let file = br#"{"username":"anna","role":"admin","second_factor":
            {"secret":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}}"#;
        let json = crate::stdx::json::Json::parse(file).unwrap();
        UserRecord::parse(&EntryId::parse("u1").unwrap(), &json).unwrap()
    }

    fn check(checks: &CodeChecks, code: &str, seconds: i64) -> Result<CodeProof> {
        checks.check_code(&user(), &TypedCode::parse(code), at(seconds))
    }

    #[test]
    fn a_code_counts_once_even_if_nothing_is_stored() {
        let checks = CodeChecks::default();
        assert!(check(&checks, "050471", 0).is_ok());
        assert!(check(&checks, "050471", 0).is_err());
        assert!(check(&checks, "081804", 0).is_err(), "an earlier step");
    }

    #[test]
    fn of_many_at_once_one_gets_in() {
        let checks = CodeChecks::default();
        let let_in = std::thread::scope(|scope| {
            let tries: Vec<_> =
                (0..8).map(|_| scope.spawn(|| check(&checks, "050471", 0).is_ok())).collect();
            tries.into_iter().filter_map(|it| it.join().ok()).filter(|it| *it).count()
        });
        assert_eq!(let_in, 1);
    }

    #[test]
    fn guesses_become_few() {
        let checks = CodeChecks::default();
        let (mut now, mut guesses) = (0, 0);
        while now < 24 * 60 * 60 {
            match check(&checks, "000000", now) {
                Err(error) if error.retry_after.is_some() => {
                    now += i64::from(error.retry_after.unwrap());
                }
                _ => guesses += 1,
            }
        }
        assert!((20..40).contains(&guesses), "{guesses}");
        // The right code waits, too.
        let recovery = check(&checks, "0w3g-e1r7-0w3g-e1r7", now);
        assert!(recovery.err().unwrap().retry_after.is_none());
    }
}
