//! Webhooks: their definitions, deliveries and signatures.

mod call;
mod delivery;
mod parse;
mod signature;
mod webhook_record;

pub use crate::model::webhook::call::CALL_ENTRIES_MAX;
pub use crate::model::webhook::call::CallContent;
pub use crate::model::webhook::call::CallCounts;
pub use crate::model::webhook::call::MentionedEntry;
pub use crate::model::webhook::delivery::DeliveryAttempt;
pub use crate::model::webhook::delivery::DeliveryOutcome;
pub use crate::model::webhook::delivery::DeliveryState;
pub use crate::model::webhook::delivery::WebhookMessage;
pub use crate::model::webhook::parse::WEBHOOKS_MAX;
pub use crate::model::webhook::parse::WebhookRules;
pub use crate::model::webhook::parse::WebhooksReplace;
pub use crate::model::webhook::parse::count_written;
pub use crate::model::webhook::parse::parse_file;
pub use crate::model::webhook::signature::WebhookSecret;
pub use crate::model::webhook::webhook_record::KEYS;
pub use crate::model::webhook::webhook_record::Webhook;
