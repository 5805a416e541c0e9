//! The address of a database, which may hold a password.

use std::fmt;

/// The options of an address whose values are shown. Any other may be the password: its name can be
/// written with escapes.
const SHOWN: &[&str] = &[
    "application_name",
    "connect_timeout",
    "dbname",
    "host",
    "port",
    "sslmode",
    "sslrootcert",
    "user",
];

/// The text in place of what is not shown.
pub(super) const HIDDEN: &str = "***";

/// The address of a database.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(String);

impl StoreUrl {
    /// Takes an address of PostgreSQL.
    pub fn parse(text: &str) -> Option<StoreUrl> {
        let is_known = text.starts_with("postgres://") || text.starts_with("postgresql://");
        is_known.then(|| StoreUrl(text.to_owned()))
    }

    /// Returns the whole address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address as it may be shown: without the password, which is in the login or among
    /// the options.
    pub fn without_password(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else { return String::new() };
        let (address, options) = rest.split_once('?').unwrap_or((rest, ""));
        if options.contains('@') {
            // The part before it may be a login whose password has a `?`.
            return format!("{scheme}://{HIDDEN}");
        }
        let address = match address.rsplit_once('@') {
            None => address.to_owned(),
            Some((login, hosts)) => {
                format!("{}@{hosts}", login.split(':').next().unwrap_or_default())
            }
        };
        if options.is_empty() {
            return format!("{scheme}://{address}");
        }
        let options: Vec<String> = options.split('&').map(hide_value).collect();
        format!("{scheme}://{address}?{}", options.join("&"))
    }
}

/// Returns an option of an address as it may be shown.
fn hide_value(option: &str) -> String {
    match option.split_once('=') {
        Some((key, _)) if SHOWN.contains(&key) => option.to_owned(),
        Some((key, _)) => format!("{key}={HIDDEN}"),
        None => HIDDEN.to_owned(),
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_never_shown() {
        let check = |text: &str, expect: &str| {
            assert_eq!(StoreUrl::parse(text).unwrap().without_password(), expect, "{text}");
        };
        check("postgres://h", "postgres://h");
        check("postgres://u@h:1,g/db", "postgres://u@h:1,g/db");
        check("postgres://u:SEC@h/db?sslmode=require", "postgres://u@h/db?sslmode=require");
        check("postgresql://u:S/E@C@h/db", "postgresql://u@h/db");
        check("postgres://h/db?user=u&password=SEC", "postgres://h/db?user=u&password=***");
        check("postgres://u@h/db?%70assword=SEC", "postgres://u@h/db?%70assword=***");
        check("postgres://h/db?password=S&EC", "postgres://h/db?password=***&***");
        check("postgres://h/db?password=S@EC", "postgres://***");
        check("postgres://u:S?E@h/db", "postgres://***");
    }
}
