//! The address of a database, which may hold a password.

use std::fmt;

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

    /// Returns the address as it may be shown.
    pub fn without_password(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else { return String::new() };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let Some((login, hosts)) = authority.rsplit_once('@') else {
            return format!("{scheme}://{rest}");
        };
        let user = login.split(':').next().unwrap_or_default();
        format!("{scheme}://{user}@{hosts}{path}")
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password())
    }
}
