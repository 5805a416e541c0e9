//! The request of a reader: query parameters parsed into filters, orders, expansions and pages.

pub mod field_ref;
pub mod filter;
pub mod include;
pub mod list_query;
pub mod params;
pub mod sort_order;
pub mod view_check;
