//! The full-text index: the entries that contain a term anywhere, inside words too.
//!
//! Text is cut into tokens; a term without a separator occurs in a text exactly if it occurs inside
//! one of its tokens. A term is therefore searched in the vocabulary (a few megabytes in one
//! block), and the result is the union of the postings of the tokens found, without reading any
//! text. For terms so common that this union would be slow, the documents are computed in advance.
//!
//! All text must be folded (see `stdx::fold`): the index does not handle case and accents.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::ops::Range;

use memchr::memchr;
use memchr::memmem::Finder;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::query::index::text_postings::Postings;
use crate::query::index::text_postings::PostingsWriter;
use crate::query::index::text_postings::decode_varints;
use crate::query::index::text_postings::encode_varint;
use crate::query::index::text_tokens::CharClass;
use crate::query::index::text_tokens::CharRun;
use crate::query::index::text_tokens::char_pairs;
use crate::query::index::text_tokens::char_windows;
use crate::query::index::text_tokens::split_runs;
use crate::stdx::bitset::Bitset;

/// The separator before, between and after the tokens of the vocabulary; no token contains it.
const END: u8 = b'\n';

/// The distance in bytes between the positions at which the vocabulary stores its count of tokens.
const BLOCK: usize = 64;

/// The cost of finding a token in the vocabulary. The unit is the cost of reading one posting.
const TOKEN_COST: u64 = 20;

/// One in so many rare tokens is examined to find costly terms.
const SAMPLE: u64 = 8;

/// A term's documents are computed in advance if finding them costs more than this…
const CHEAP: u64 = 100_000;

/// …and more than this for each document, which bounds the number of such terms.
const CHEAP_PER_DOCUMENT: u64 = 3;

/// The most characters of a term computed in advance: a long nonsense token would take hours.
const LONGEST_COMMON: usize = 6;

/// The most parts of a term that are looked up; scanning the text costs less than looking up more.
const MOST_PARTS: usize = 8;

/// A builder that collects documents for a [`TextIndex`].
///
/// For several threads, give each a builder of its own and [`merge`](Self::merge) them.
pub struct TextIndexBuilder {
    /// All tokens in the order of their ids, and the end of each.
    text: String,
    ends: Vec<usize>,
    seen: Vec<TokenStats>,
    /// The ids of tokens with a key: open addressing, at most three quarters full.
    table: Vec<TableSlot>,
    /// The keys of tokens by id; 0 for those too long to have one.
    keys: Vec<u128>,
    /// The ids of the long tokens, which are few.
    long: HashMap<Box<str>, u32>,
    /// A random seed that keeps crafted tokens from crowding one part of the table.
    seed: u64,
    /// The tokens of each document, without repetition, document by document. Frequent tokens have
    /// low ids, so that the encoding halves what is by far the largest part of a builder's memory.
    occurrences: Vec<u8>,
    documents: Vec<IndexedDocument>,
    /// The reused buffer for the tokens of a document.
    tokens: Vec<TextToken>,
}

/// The key of a token that is too long for one.
const TOO_LONG: u128 = 0;

/// A token of a text.
struct TextToken {
    key: u128,
    /// Half of the hash of the key.
    tag: u32,
    place: Range<usize>,
}

/// A slot of the hash table; it is free if `next_id` is 0.
#[derive(Clone, Copy, Default)]
struct TableSlot {
    /// The tag of the token, which nearly always avoids comparing a wrong token.
    tag: u32,
    /// The id of the token plus one.
    next_id: u32,
}

/// The documents that contain a token.
#[derive(Clone, Copy, Default)]
struct TokenStats {
    /// The number of documents.
    count: u32,
    /// The last document, counted from 1.
    last: u32,
}

struct IndexedDocument {
    ordinal: u32,
    occurrences: Range<usize>,
}

impl Default for TextIndexBuilder {
    fn default() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
            seen: Vec::new(),
            table: vec![TableSlot::default(); 1024],
            keys: Vec::new(),
            long: HashMap::new(),
            seed: RandomState::new().hash_one(()),
            occurrences: Vec::new(),
            documents: Vec::new(),
            tokens: Vec::new(),
        }
    }
}

impl TextIndexBuilder {
    /// Returns a builder without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document. Text added under one ordinal in several calls is not joined, so no term
    /// extends from one into the next.
    pub fn add_document(&mut self, ordinal: u32, folded_text: &str) {
        let start = self.occurrences.len();
        let mut tokens = std::mem::take(&mut self.tokens);
        for piece in split_runs(folded_text) {
            let at = piece.start;
            let mut push = |place| tokens.push(self.build_token(folded_text, place));
            match piece.class {
                CharClass::Word => push(at..at + piece.text.len()),
                CharClass::Unspaced => {
                    char_pairs(piece.text).for_each(|pair| push(at + pair.start..at + pair.end));
                }
            }
        }
        self.prefetch_tokens(&tokens);
        for token in tokens.drain(..) {
            let id = self.intern_token(folded_text, token);
            self.record_occurrence(id);
        }
        self.tokens = tokens;
        let occurrences = start..self.occurrences.len();
        self.documents.push(IndexedDocument { ordinal, occurrences });
    }

    /// Adds all documents of another builder.
    pub fn merge(&mut self, other: Self) {
        let ids = other.seen.iter().enumerate().map(|(id, seen)| {
            let token = self.build_token(&other.text, other.token_range(id as u32));
            let id = self.intern_token(&other.text, token);
            self.seen[id as usize].count += seen.count;
            id
        });
        let ids: Vec<u32> = ids.collect();
        for document in &other.documents {
            let start = self.occurrences.len();
            decode_varints(&other.occurrences[document.occurrences.clone()], |id| {
                encode_varint(ids[id as usize], |byte| self.occurrences.push(byte));
            });
            let occurrences = start..self.occurrences.len();
            self.documents.push(IndexedDocument { ordinal: document.ordinal, occurrences });
        }
    }

    /// Builds the index.
    pub fn finish(mut self) -> TextIndex {
        (self.table, self.keys, self.long) = Default::default();
        self.documents.sort_by_key(|document| document.ordinal);
        let all: Bitset = self.documents.iter().map(|document| document.ordinal).collect();
        // Most frequent first: the kind of a token's postings then follows from its rank.
        let mut order: Vec<u32> = (0..self.seen.len() as u32).collect();
        order.sort_by_key(|id| Reverse(self.seen[*id as usize].count));
        let postings = self.build_postings(&order);
        let in_order = order.iter().map(|id| &self.text[self.token_range(*id)]);
        let vocabulary = Vocabulary::new(in_order, self.text.len() + order.len() + 1);
        drop(self);
        let mut index = TextIndex { vocabulary, postings, all, common: HashMap::new() };
        index.common = index.compute_common_terms();
        index
    }

    /// Records that the current document contains a token.
    fn record_occurrence(&mut self, id: u32) {
        let document = self.documents.len() as u32 + 1;
        let seen = &mut self.seen[id as usize];
        if seen.last != document {
            seen.last = document;
            seen.count += 1;
            encode_varint(id, |byte| self.occurrences.push(byte));
        }
    }

    fn build_token(&self, text: &str, place: Range<usize>) -> TextToken {
        let key = token_key(text.as_bytes(), &place);
        let tag = xxh3_64_with_seed(&key.to_le_bytes(), self.seed) as u32;
        TextToken { key, tag, place }
    }

    /// Reads the memory that `intern_token` needs. These reads do not depend on each other, so the
    /// processor overlaps them; `intern_token` alone would wait for one after another.
    fn prefetch_tokens(&self, tokens: &[TextToken]) {
        let mask = self.table.len() - 1;
        let ids = tokens.iter().map(|token| self.table[token.tag as usize & mask].next_id);
        let reads = ids.filter_map(|id| {
            let id = (id as usize).checked_sub(1)?;
            Some(self.keys.get(id)? ^ u128::from(self.seen.get(id)?.last))
        });
        black_box(reads.fold(0, |all, read| all ^ read));
    }

    /// Returns the id of a token of a text. Assigns one to a new token.
    fn intern_token(&mut self, text: &str, token: TextToken) -> u32 {
        let TextToken { key, tag, place } = token;
        let token = &text[place];
        if key == TOO_LONG {
            return self.long.get(token).copied().unwrap_or_else(|| {
                let id = self.assign_id(token, key);
                self.long.insert(token.into(), id);
                id
            });
        }
        let mask = self.table.len() - 1;
        let mut place = tag as usize & mask;
        while let Some(id) = self.table[place].next_id.checked_sub(1) {
            if self.table[place].tag == tag && self.keys[id as usize] == key {
                return id;
            }
            place = (place + 1) & mask;
        }
        let id = self.assign_id(token, key);
        self.table[place] = TableSlot { tag, next_id: id + 1 };
        if self.keys.len() > self.table.len() / 4 * 3 {
            self.grow_table();
        }
        id
    }

    fn assign_id(&mut self, token: &str, key: u128) -> u32 {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.keys.push(key);
        self.seen.push(TokenStats::default());
        self.seen.len() as u32 - 1
    }

    fn grow_table(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let old = std::mem::replace(&mut self.table, vec![TableSlot::default(); mask + 1]);
        for entry in old.into_iter().filter(|entry| entry.next_id > 0) {
            let mut place = entry.tag as usize & mask;
            while self.table[place].next_id > 0 {
                place = (place + 1) & mask;
            }
            self.table[place] = entry;
        }
    }

    /// Returns the range of a token in the text.
    fn token_range(&self, id: u32) -> Range<usize> {
        let start = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[id as usize]
    }

    /// Turns the tokens of each document into the documents of each token, in the order of tokens
    /// given by `order`.
    fn build_postings(&self, order: &[u32]) -> Postings {
        let count = |id: &u32| self.seen[*id as usize].count;
        let len = self.documents.last().map_or(0, |document| document.ordinal as usize + 1);
        // Above this count, a list of deltas would take more memory than a bit for every ordinal.
        let dense = order.partition_point(|id| count(id) > 1 && count(id) as usize > len / 8);
        let listed = order.partition_point(|id| count(id) > 1) - dense;
        let mut ranks = vec![0; order.len()];
        for (rank, id) in order.iter().enumerate() {
            ranks[*id as usize] = rank;
        }
        let mut writer = PostingsWriter::new(dense, listed, order.len() - dense - listed, len);
        self.each_posting(&ranks, |rank, ordinal| writer.measure_posting(rank, ordinal));
        writer.make_room();
        self.each_posting(&ranks, |rank, ordinal| writer.write_posting(rank, ordinal));
        writer.postings
    }

    /// Visits every pair of a token's rank and an ordinal with it, by ascending ordinals.
    fn each_posting(&self, ranks: &[usize], mut visit: impl FnMut(usize, u32)) {
        for document in &self.documents {
            decode_varints(&self.occurrences[document.occurrences.clone()], |id| {
                visit(ranks[id as usize], document.ordinal);
            });
        }
    }
}

/// Returns a token of up to 16 bytes as one number, which is hashed and compared without loops. The
/// number is unique, since no token contains NUL.
fn token_key(text: &[u8], token: &Range<usize>) -> u128 {
    let Some(unused) = 16_usize.checked_sub(token.len()) else { return TOO_LONG };
    let mut window = [0; 16];
    match text.get(token.start..token.start + 16) {
        Some(text) => window.copy_from_slice(text),
        None => window[..token.len()].copy_from_slice(&text[token.clone()]),
    }
    u128::from_le_bytes(window) & (u128::MAX >> (unused * 8))
}

/// The documents that may contain a term.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// All documents that contain it, and others only if not `exact`.
    pub set: Bitset,
    /// True if the set contains no other documents. Otherwise the caller has to scan their text.
    pub exact: bool,
}

/// The text index. Immutable: the caller scans changed documents.
pub struct TextIndex {
    vocabulary: Vocabulary,
    postings: Postings,
    all: Bitset,
    /// The documents of terms in so many tokens that their union takes long.
    common: HashMap<Box<str>, Bitset>,
}

impl TextIndex {
    /// Returns the documents that contain a folded term anywhere, or may contain it.
    ///
    /// The result is exact for a term of letters and digits, and for one or two characters of a
    /// script written without spaces. A term with other characters between its letters (`foo-bar`)
    /// is looked up by its parts; one without any letter can be anywhere.
    pub fn find_candidates(&self, folded_term: &str) -> Candidates {
        let parts: Vec<CharRun<'_>> = split_runs(folded_term).collect();
        let is_one = parts.first().is_some_and(|part| {
            part.text.len() == folded_term.len()
                && (part.class == CharClass::Word || part.is_short())
        });
        if is_one {
            return Candidates { set: self.find_containing(folded_term), exact: true };
        }
        let mut set = self.all.clone();
        for part in parts.into_iter().take(MOST_PARTS) {
            self.narrow_by_part(&mut set, part, folded_term.len());
        }
        Candidates { set, exact: folded_term.is_empty() }
    }

    /// Returns the size of the index in bytes.
    pub fn memory_bytes(&self) -> usize {
        let common = self.common.iter();
        let common =
            common.map(|(term, set)| term.len() + size_of::<Bitset>() + set.memory_bytes());
        let common: usize = common.sum();
        self.vocabulary.memory_bytes()
            + self.postings.memory_bytes()
            + self.all.memory_bytes()
            + common
    }

    /// Removes from `set` the documents that cannot contain a part of a longer term, which ends at
    /// `term_len`.
    fn narrow_by_part(&self, set: &mut Bitset, part: CharRun<'_>, term_len: usize) {
        if part.class == CharClass::Unspaced {
            let pairs = char_pairs(part.text).take(MOST_PARTS);
            pairs.for_each(|pair| set.and_assign(&self.find_containing(&part.text[pair])));
            return;
        }
        if let Some(common) = self.common.get(part.text) {
            set.and_assign(common);
            return;
        }
        // If the term continues with a separator, the token ends there.
        let mut needle = Vec::with_capacity(part.text.len() + 2);
        needle.extend((part.start > 0).then_some(END));
        needle.extend_from_slice(part.text.as_bytes());
        needle.extend((part.start + part.text.len() < term_len).then_some(END));
        set.and_assign(&self.union_postings(&needle));
    }

    /// Returns the documents with a token that contains the term.
    fn find_containing(&self, term: &str) -> Bitset {
        self.common.get(term).cloned().unwrap_or_else(|| self.union_postings(term.as_bytes()))
    }

    /// Returns the documents of all tokens that contain the needle.
    fn union_postings(&self, needle: &[u8]) -> Bitset {
        let mut set = Bitset::with_len(self.postings.len);
        let mut found = 0;
        self.vocabulary.visit_matches(needle, |rank| {
            self.postings.union_into(rank, &mut set);
            found += 1;
            // The most frequent tokens come first, so a common term soon covers all documents.
            found % 256 > 0 || set != self.all
        });
        set
    }

    /// Returns the terms whose documents are costly to find, with these documents.
    ///
    /// A longer term is costly only if the two terms without its first and without its last
    /// character are. So they are found length by length.
    fn compute_common_terms(&self) -> HashMap<Box<str>, Bitset> {
        let documents = self.all.count() as u64;
        let cheap = CHEAP.max(CHEAP_PER_DOCUMENT.saturating_mul(documents));
        let mut common = HashMap::new();
        for chars in 1..=LONGEST_COMMON {
            let costs = self.estimate_costs(chars, &common);
            let costly = costs.into_iter().filter(|(_, cost)| *cost > cheap);
            let found: Vec<_> = costly
                .map(|(term, _)| (term.into(), self.union_postings(term.as_bytes())))
                .collect();
            if found.is_empty() {
                break;
            }
            common.extend(found);
        }
        common
    }

    /// Estimates the cost of finding the documents of each term of `chars` characters.
    fn estimate_costs(
        &self,
        chars: usize,
        common: &HashMap<Box<str>, Bitset>,
    ) -> HashMap<&str, u64> {
        let is_common = |term: &str| chars == 1 || common.contains_key(term);
        let mut costs = HashMap::new();
        for (rank, token) in self.vocabulary.tokens().enumerate() {
            let cost = TOKEN_COST + self.postings.estimate_cost(rank);
            // A sample of the many rare tokens represents all of them.
            let weight = if cost < 2 * TOKEN_COST { SAMPLE } else { 1 };
            if !(rank as u64).is_multiple_of(weight) {
                continue;
            }
            // Two consecutive shorter terms are the two inside one longer term.
            let mut shorter =
                char_windows(token, chars.max(2) - 1).map(|place| is_common(&token[place]));
            let mut first = shorter.next();
            for place in char_windows(token, chars) {
                let second = shorter.next();
                if chars == 1 || (first == Some(true) && second == Some(true)) {
                    *costs.entry(&token[place]).or_insert(0) += cost * weight;
                }
                first = second;
            }
        }
        costs
    }
}

/// All tokens in one block of memory, so that searching them is one sweep.
struct Vocabulary {
    /// `\n` token `\n` token … `\n`
    text: String,
    /// The number of separators before each [`BLOCK`] of the text.
    ranks: Vec<u32>,
}

impl Vocabulary {
    fn new<'a>(tokens: impl Iterator<Item = &'a str>, len: usize) -> Self {
        let mut text = String::with_capacity(len);
        text.push('\n');
        for token in tokens {
            text.push_str(token);
            text.push('\n');
        }
        let mut before = 0;
        let ranks = text.as_bytes().chunks(BLOCK).map(|block| {
            let rank = before;
            before += count_ends(block);
            rank
        });
        Self { ranks: ranks.collect(), text }
    }

    /// Calls `go_on` once with the rank of every token that contains the needle, until it returns
    /// false. The needle may include the separator at its ends.
    fn visit_matches(&self, needle: &[u8], mut go_on: impl FnMut(usize) -> bool) {
        let text = self.text.as_bytes();
        let finder = Finder::new(needle);
        let mut at = 0;
        while let Some(found) = finder.find(&text[at..]) {
            // A separator at the start of the needle belongs to the previous token.
            let inside = at + found + usize::from(needle.first() == Some(&END));
            if !go_on(self.rank_at(inside)) {
                break;
            }
            at = inside + memchr(END, &text[inside..]).unwrap_or(text.len() - inside);
        }
    }

    /// Returns the rank of the token at a position of the text.
    fn rank_at(&self, position: usize) -> usize {
        let block = position / BLOCK;
        let ends = self.ranks[block] + count_ends(&self.text.as_bytes()[block * BLOCK..position]);
        ends as usize - 1
    }

    fn tokens(&self) -> impl Iterator<Item = &str> {
        self.text.trim_matches('\n').split('\n').filter(|token| !token.is_empty())
    }

    fn memory_bytes(&self) -> usize {
        self.text.capacity() + self.ranks.capacity() * size_of::<u32>()
    }
}

fn count_ends(text: &[u8]) -> u32 {
    text.iter().map(|byte| u32::from(*byte == END)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::query::index::text_postings::varint_len;
    use crate::stdx::fold::fold_text;

    fn index<T: AsRef<str>>(texts: &[T]) -> TextIndex {
        let mut builder = TextIndexBuilder::new();
        for (ordinal, text) in texts.iter().enumerate() {
            builder.add_document(ordinal as u32, &fold_text(text.as_ref()));
        }
        builder.finish()
    }

    fn scan<T: AsRef<str>>(texts: &[T], term: &str) -> Bitset {
        let found = (0..).zip(texts).filter(|(_, text)| fold_text(text.as_ref()).contains(term));
        found.map(|(ordinal, _)| ordinal).collect()
    }

    /// Checks that a candidate set contains all that a scan finds, and if exact nothing else.
    fn check<T: AsRef<str>>(index: &TextIndex, texts: &[T], term: &str) {
        let (term, found) = (fold_text(term), index.find_candidates(&fold_text(term)));
        let expect = scan(texts, &term);
        let mut missing = expect.clone();
        missing.and_not(&found.set);
        assert_eq!(missing.count(), 0, "{term}: some missing");
        assert!(!found.exact || found.set == expect, "{term}: {:?} for {expect:?}", found.set);
    }

    #[test]
    fn finds_terms_anywhere() {
        let texts = [
            "Plain words, and more words.",
            "C++ and foo-bar; see a.b or x_y",
            "Ångström façade “quoted” 100 €",
            "北京大学 iPhone手机 東京",
            "สวัสดี ชาวโลก",
            "",
            "--- ... ---",
        ];
        let index = index(&texts);
        let check = |term: &str, exact: bool, count: usize| {
            check(&index, &texts, term);
            let found = index.find_candidates(&fold_text(term));
            assert_eq!((found.exact, found.set.count()), (exact, count), "{term}");
        };
        check("word", true, 1);
        check("ord", true, 1);
        check("o", true, 4);
        check("angstrom", true, 1);
        check("FACADE", true, 1);
        check("€", true, 1);
        check("“quoted”", false, 1);
        check("c++", false, 1);
        check("foo-bar", false, 1);
        check("oo-ba", false, 1);
        check("oo-ar", false, 0);
        check("fo-bar", false, 0);
        check("a.b", false, 1);
        check(".b", false, 1);
        check("x_y", false, 1);
        check("北", true, 1);
        check("北京", true, 1);
        check("京", true, 1);
        check("北京大", false, 1);
        check("iphone手机", false, 1);
        check("สวัส", false, 1);
        check("missing", true, 0);
        check("+", false, 7);
        check("", true, 7);
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        let index = TextIndexBuilder::new().finish();
        for term in ["a", "", "+", "a-b", "北京大学"] {
            assert_eq!(index.find_candidates(term).set.count(), 0, "{term}");
        }
    }

    #[test]
    fn senseless_text_does_no_harm() {
        let texts =
            ["a".repeat(300_000), "ab".repeat(50_000), "-a".repeat(10_000), "京".repeat(9_000)];
        let index = index(&texts);
        for term in
            ["a", "aaaaaaaaaaaaaaaaaaaaaaa", "abababab", "-a-a-a-a-a-a-a-a-a-a-a-a", "京京京"]
        {
            check(&index, &texts, term);
        }
        check(&index, &texts, &"-a".repeat(10_000));
        check(&index, &texts, &"京".repeat(9_001));
    }

    #[test]
    fn merged_builders_make_the_same_index() {
        let text =
            |ordinal: u32| format!("entry{ordinal} group{} all x{}", ordinal % 7, ordinal / 50);
        let mut whole = TextIndexBuilder::new();
        (0..400).for_each(|ordinal| whole.add_document(ordinal, &text(ordinal)));
        let [mut one, mut two] = [TextIndexBuilder::new(), TextIndexBuilder::new()];
        (0..150).for_each(|ordinal| one.add_document(ordinal, &text(ordinal)));
        (150..400).rev().for_each(|ordinal| two.add_document(ordinal, &text(ordinal)));
        two.merge(one);
        let (whole, merged) = (whole.finish(), two.finish());
        for term in ["entry", "entry1", "entry399", "group3", "roup", "all", "x7", "1", "zzz"] {
            assert_eq!(whole.find_candidates(term).set, merged.find_candidates(term).set, "{term}");
        }
        assert_eq!(merged.find_candidates("group0").set.count(), 58);
    }

    #[test]
    fn text_of_one_document_may_come_in_parts() {
        let mut builder = TextIndexBuilder::new();
        builder.add_document(3, "one");
        builder.add_document(9, "two");
        builder.add_document(3, "two one");
        let index = builder.finish();
        assert_eq!(index.find_candidates("two").set, Bitset::from_iter([3, 9]));
        assert_eq!(index.find_candidates("one").set, Bitset::from_iter([3]));
        assert_eq!(index.all, Bitset::from_iter([3, 9]));
    }

    #[test]
    fn common_terms_are_answered_alike() {
        // Many documents of few letters make nearly every short term a common one.
        let texts: Vec<String> = (0..4000u32)
            .map(|at| {
                (0..12)
                    .map(|word| format!("{:b}x ", at.wrapping_mul(2_654_435_761 + word) >> 15))
                    .collect()
            })
            .collect();
        let index = index(&texts);
        assert!(index.common.contains_key("1") && index.common.contains_key("01"));
        for term in ["0", "1", "01", "x", "1x", "10110", "1x 1", "x-", "0x 1101"] {
            check(&index, &texts, term);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn finds_what_a_scan_finds(
            texts in vec("[abcàß .\\-é北京大ก€\u{301}👍1]{0,30}", 0..25),
            terms in vec("[abcàß.\\-é北京大ก€👍1]{0,4}", 1..12),
        ) {
            let index = index(&texts);
            terms.iter().for_each(|term| check(&index, &texts, term));
        }

        #[test]
        fn finds_every_part_of_any_text(texts in vec(any::<String>(), 1..8), from in 0..20usize, len in 1..6usize) {
            let index = index(&texts);
            for text in &texts {
                let term: String = fold_text(text).chars().skip(from).take(len).collect();
                check(&index, &texts, &term);
            }
        }

        #[test]
        fn numbers_come_back(numbers in vec(any::<u32>(), 0..50), shift in 0..32) {
            let numbers: Vec<u32> = numbers.into_iter().map(|number| number >> shift).collect();
            let (mut bytes, mut back) = (Vec::new(), Vec::new());
            numbers.iter().for_each(|number| encode_varint(*number, |byte| bytes.push(byte)));
            decode_varints(&bytes, |number| back.push(number));
            prop_assert_eq!(bytes.len(), numbers.iter().copied().map(varint_len).sum::<usize>());
            prop_assert_eq!(back, numbers);
        }
    }
}
