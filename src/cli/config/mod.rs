//! The configuration. Every setting is one row of [`settings`](fn@settings); its flag, environment
//! variable, key in the files, help text and line in `recto config` come from that row.
//!
//! Precedence, highest first: flag, environment, `recto.toml` (in the data folder, else in the
//! working folder), `system/settings.json` (edited in the interface), default.

mod backups;
mod effective;
mod file;
mod flags;
mod load;
mod place_args;
mod settings;
mod source;
mod store_url;
mod value;

pub use backups::BackupsConfig;
pub use backups::TargetPlace;
pub use effective::Config;
pub use flags::Flags;
pub use load::LoadedConfig;
pub use place_args::PlaceArgs;
pub use place_args::StateArgs;
pub use settings::ConfigSetting;
pub use settings::settings;
pub use source::SettingSource;
pub use store_url::StoreUrl;
pub use value::BaseUrl;
pub use value::LogFormat;

#[cfg(test)]
mod tests;
