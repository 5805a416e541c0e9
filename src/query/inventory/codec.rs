//! The bytes of inventories and of what changed between two: compact, and read with care, since
//! they come from files.

use std::sync::Arc;

use crate::query::inventory::Inventory;
use crate::query::inventory::section::Section;
use crate::query::inventory::section::SectionChange;
use crate::query::inventory::section::SectionKey;
use crate::query::inventory::section::SectionKind;
use crate::stdx::checksum::Checksum;

/// Returns the bytes of an inventory.
pub fn encode_inventory(inventory: &Inventory) -> Vec<u8> {
    let mut out = Vec::with_capacity(inventory.memory_bytes());
    for section in inventory.sections() {
        write_key(&section.key, &mut out);
        write_tagged(section.len(), section.iter(), &mut out);
    }
    out
}

/// Reads an inventory. Returns nothing for bytes that are not those of one.
pub fn decode_inventory(bytes: &[u8]) -> Option<Inventory> {
    let mut rest = bytes;
    let mut sections = Vec::new();
    while !rest.is_empty() {
        let key = read_key(&mut rest)?;
        let items = read_tagged(&mut rest)?;
        sections.push(Arc::new(Section::build(key, items.into_iter())));
    }
    Some(Inventory::new(sections))
}

/// Returns the bytes of changes.
pub fn encode_changes(changes: &[SectionChange]) -> Vec<u8> {
    let mut out = Vec::new();
    for change in changes {
        write_key(&change.key, &mut out);
        write_count(change.gone.len(), &mut out);
        change.gone.iter().for_each(|it| write_text(it, &mut out));
        let shown = change.shown.iter().map(|(name, tag)| (&**name, *tag));
        write_tagged(change.shown.len(), shown, &mut out);
    }
    out
}

/// Reads changes. Returns nothing for bytes that are not those of any.
pub fn decode_changes(bytes: &[u8]) -> Option<Vec<SectionChange>> {
    let mut rest = bytes;
    let mut changes = Vec::new();
    while !rest.is_empty() {
        let key = read_key(&mut rest)?;
        let count = read_count(&mut rest)?;
        let gone =
            (0..count).map(|_| read_text(&mut rest).map(Box::from)).collect::<Option<_>>()?;
        let shown = read_tagged(&mut rest)?.into_iter().map(|(name, tag)| (name.into(), tag));
        changes.push(SectionChange { key, gone, shown: shown.collect() });
    }
    Some(changes)
}

fn write_key(key: &SectionKey, out: &mut Vec<u8>) {
    for text in [key.kind.as_str(), &key.type_name, &key.locale] {
        write_text(text, out);
    }
}

fn read_key(from: &mut &[u8]) -> Option<SectionKey> {
    let kind = SectionKind::parse(read_text(from)?)?;
    Some(SectionKey { kind, type_name: read_text(from)?.into(), locale: read_text(from)?.into() })
}

fn write_tagged<'n>(
    count: usize,
    items: impl Iterator<Item = (&'n str, Checksum)>,
    out: &mut Vec<u8>,
) {
    write_count(count, out);
    for (name, tag) in items {
        write_text(name, out);
        out.extend_from_slice(&tag.0.to_le_bytes());
    }
}

fn read_tagged<'b>(from: &mut &'b [u8]) -> Option<Vec<(&'b str, Checksum)>> {
    let count = read_count(from)?;
    // A name takes ten bytes and more, so a false number cannot reserve much.
    let mut items = Vec::with_capacity(count.min(from.len() / 10 + 1));
    for _ in 0..count {
        let name = read_text(from)?;
        items.push((name, Checksum(u64::from_le_bytes(*take(from)?))));
    }
    Some(items)
}

fn write_count(count: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

fn read_count(from: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*take(from)?)).ok()
}

/// Names are at most a few hundred bytes long.
fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn read_text<'b>(from: &mut &'b [u8]) -> Option<&'b str> {
    let bytes = usize::from(u16::from_le_bytes(*take(from)?));
    let (text, rest) = from.split_at_checked(bytes)?;
    *from = rest;
    std::str::from_utf8(text).ok()
}

fn take<'b, const N: usize>(from: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (first, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(first)
}
