//! Full-text index: which entries contain a term anywhere, inside words too.
//!
//! Text is cut into tokens; a term without a separator occurs in a text exactly when it occurs
//! inside one of its tokens. So a term is searched in the vocabulary (a few megabytes, as one
//! block), and the answer is the union of the postings of the tokens found, without looking at any
//! text. Terms so common that this union would be slow have theirs computed beforehand.
//!
//! All text comes folded (see `stdx::fold`): the index knows nothing of case and accents.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::ops::Range;

use memchr::memchr;
use memchr::memmem::Finder;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::stdx::bitset::Bitset;

/// Stands before, between and after the tokens of the vocabulary; no token contains it.
const END: u8 = b'\n';

/// The vocabulary knows for every so many bytes how many tokens end before them.
const BLOCK: usize = 64;

/// What costs about as much as reading one posting is the unit of cost; finding a token in the
/// vocabulary costs this many.
const TOKEN_COST: u64 = 20;

/// One in so many rare tokens is looked at to find out which terms are costly.
const SAMPLE: u64 = 8;

/// A term's documents are computed beforehand when to find them costs more than this…
const CHEAP: u64 = 100_000;

/// …and more than this for every document, which bounds how many such terms there can be.
const CHEAP_PER_DOCUMENT: u64 = 3;

/// The most characters of a term computed beforehand: without an end, one senseless token of
/// megabytes could keep the search for such terms busy for hours.
const LONGEST_COMMON: usize = 6;

/// The most parts of a term that are looked up; to look at the text costs less than more of them.
const MOST_PARTS: usize = 8;

/// Collects documents for a [`TextIndex`].
///
/// To use several threads, give each a builder of its own and [`merge`](Self::merge) them.
pub struct TextIndexBuilder {
    /// All tokens, one after another by their number, and where each of them ends.
    text: String,
    ends: Vec<usize>,
    seen: Vec<Seen>,
    /// The numbers of tokens that fit a key: open addressing, at most three quarters full.
    table: Vec<Entry>,
    /// The keys of tokens by their number; 0 for those too long to have one.
    keys: Vec<u128>,
    /// The numbers of the others, which are few.
    long: HashMap<Box<str>, u32>,
    /// Keeps chosen tokens from filling one corner of the table.
    seed: u64,
    /// The tokens of each document, without repetition, document by document. Frequent tokens have
    /// low numbers, so that encoding halves what is by far the most memory a builder takes.
    occurrences: Vec<u8>,
    documents: Vec<Document>,
    /// Room for the tokens of the document being added.
    tokens: Vec<Token>,
}

/// The key of a token that doesn't fit one.
const TOO_LONG: u128 = 0;

/// A token as it stands in a text.
struct Token {
    key: u128,
    /// Half of the key's hash.
    tag: u32,
    place: Range<usize>,
}

/// A place of the hash table; it is free while `next_id` is 0.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// As the token's, which nearly always spares looking at a wrong token.
    tag: u32,
    /// The number of the token plus one.
    next_id: u32,
}

/// Where a token has been seen.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// How many documents contain it.
    count: u32,
    /// The last document, counted from 1, that contains it.
    last: u32,
}

struct Document {
    ordinal: u32,
    occurrences: Range<usize>,
}

impl Default for TextIndexBuilder {
    fn default() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
            seen: Vec::new(),
            table: vec![Entry::default(); 1024],
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
    /// A builder without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document. Text added under one ordinal in several calls is not joined, so no term
    /// reaches from one into the next.
    pub fn add(&mut self, ordinal: u32, folded_text: &str) {
        let start = self.occurrences.len();
        let mut tokens = std::mem::take(&mut self.tokens);
        for piece in pieces(folded_text) {
            let at = piece.start;
            let mut push = |place| tokens.push(self.token(folded_text, place));
            match piece.class {
                Class::Word => push(at..at + piece.text.len()),
                Class::Unspaced => {
                    pairs(piece.text).for_each(|pair| push(at + pair.start..at + pair.end));
                }
            }
        }
        self.fetch(&tokens);
        for token in tokens.drain(..) {
            let id = self.intern(folded_text, token);
            self.occur(id);
        }
        self.tokens = tokens;
        let occurrences = start..self.occurrences.len();
        self.documents.push(Document { ordinal, occurrences });
    }

    /// Takes in all documents of another builder.
    pub fn merge(&mut self, other: Self) {
        let ids = other.seen.iter().enumerate().map(|(id, seen)| {
            let token = self.token(&other.text, other.range(id as u32));
            let id = self.intern(&other.text, token);
            self.seen[id as usize].count += seen.count;
            id
        });
        let ids: Vec<u32> = ids.collect();
        for document in &other.documents {
            let start = self.occurrences.len();
            each_number(&other.occurrences[document.occurrences.clone()], |id| {
                encode(ids[id as usize], |byte| self.occurrences.push(byte));
            });
            let occurrences = start..self.occurrences.len();
            self.documents.push(Document { ordinal: document.ordinal, occurrences });
        }
    }

    /// Makes the index.
    pub fn finish(mut self) -> TextIndex {
        (self.table, self.keys, self.long) = Default::default();
        self.documents.sort_by_key(|document| document.ordinal);
        let all: Bitset = self.documents.iter().map(|document| document.ordinal).collect();
        // Most frequent first: then what tokens have for postings follows from their place.
        let mut order: Vec<u32> = (0..self.seen.len() as u32).collect();
        order.sort_by_key(|id| Reverse(self.seen[*id as usize].count));
        let postings = self.invert(&order);
        let in_order = order.iter().map(|id| &self.text[self.range(*id)]);
        let vocabulary = Vocabulary::new(in_order, self.text.len() + order.len() + 1);
        drop(self);
        let mut index = TextIndex { vocabulary, postings, all, common: HashMap::new() };
        index.common = index.common_terms();
        index
    }

    /// Notes that the document being added contains a token.
    fn occur(&mut self, id: u32) {
        let document = self.documents.len() as u32 + 1;
        let seen = &mut self.seen[id as usize];
        if seen.last != document {
            seen.last = document;
            seen.count += 1;
            encode(id, |byte| self.occurrences.push(byte));
        }
    }

    fn token(&self, text: &str, place: Range<usize>) -> Token {
        let key = key_of(text.as_bytes(), &place);
        let tag = xxh3_64_with_seed(&key.to_le_bytes(), self.seed) as u32;
        Token { key, tag, place }
    }

    /// Reads what `intern` is going to look at. These reads don't depend on each other, so the
    /// processor waits for all of them at once; `intern` alone would wait for one after another.
    fn fetch(&self, tokens: &[Token]) {
        let mask = self.table.len() - 1;
        let ids = tokens.iter().map(|token| self.table[token.tag as usize & mask].next_id);
        let reads = ids.filter_map(|id| {
            let id = (id as usize).checked_sub(1)?;
            Some(self.keys.get(id)? ^ u128::from(self.seen.get(id)?.last))
        });
        black_box(reads.fold(0, |all, read| all ^ read));
    }

    /// The number of a token of a text, which is given one when it is new.
    fn intern(&mut self, text: &str, token: Token) -> u32 {
        let Token { key, tag, place } = token;
        let token = &text[place];
        if key == TOO_LONG {
            return self.long.get(token).copied().unwrap_or_else(|| {
                let id = self.number(token, key);
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
        let id = self.number(token, key);
        self.table[place] = Entry { tag, next_id: id + 1 };
        if self.keys.len() > self.table.len() / 4 * 3 {
            self.grow_table();
        }
        id
    }

    fn number(&mut self, token: &str, key: u128) -> u32 {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.keys.push(key);
        self.seen.push(Seen::default());
        self.seen.len() as u32 - 1
    }

    fn grow_table(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let old = std::mem::replace(&mut self.table, vec![Entry::default(); mask + 1]);
        for entry in old.into_iter().filter(|entry| entry.next_id > 0) {
            let mut place = entry.tag as usize & mask;
            while self.table[place].next_id > 0 {
                place = (place + 1) & mask;
            }
            self.table[place] = entry;
        }
    }

    /// Where the text of a token stands.
    fn range(&self, id: u32) -> Range<usize> {
        let start = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[id as usize]
    }

    /// Turns "the tokens of each document" into "the documents of each token", tokens in `order`.
    fn invert(&self, order: &[u32]) -> Postings {
        let count = |id: &u32| self.seen[*id as usize].count;
        let len = self.documents.last().map_or(0, |document| document.ordinal as usize + 1);
        // From here on a list of deltas would take more room than a bit for every ordinal.
        let dense = order.partition_point(|id| count(id) > 1 && count(id) as usize > len / 8);
        let listed = order.partition_point(|id| count(id) > 1) - dense;
        let mut ranks = vec![0; order.len()];
        for (rank, id) in order.iter().enumerate() {
            ranks[*id as usize] = rank;
        }
        let mut writer = PostingsWriter::new(dense, listed, order.len() - dense - listed, len);
        self.each_posting(&ranks, |rank, ordinal| writer.measure(rank, ordinal));
        writer.make_room();
        self.each_posting(&ranks, |rank, ordinal| writer.write(rank, ordinal));
        writer.postings
    }

    /// Visits every rank of a token with every ordinal it occurs in, by ascending ordinals.
    fn each_posting(&self, ranks: &[usize], mut visit: impl FnMut(usize, u32)) {
        for document in &self.documents {
            each_number(&self.occurrences[document.occurrences.clone()], |id| {
                visit(ranks[id as usize], document.ordinal);
            });
        }
    }
}

/// A token of up to 16 bytes as one number, which is hashed and compared without loops. No two
/// have the same, since no token contains NUL.
fn key_of(text: &[u8], token: &Range<usize>) -> u128 {
    let Some(unused) = 16_usize.checked_sub(token.len()) else { return TOO_LONG };
    let mut window = [0; 16];
    match text.get(token.start..token.start + 16) {
        Some(text) => window.copy_from_slice(text),
        None => window[..token.len()].copy_from_slice(&text[token.clone()]),
    }
    u128::from_le_bytes(window) & (u128::MAX >> (unused * 8))
}

/// Documents that may contain a term.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// All that contain it, and others only when not `exact`.
    pub set: Bitset,
    /// Whether the set holds no other documents: else the caller looks at their text.
    pub exact: bool,
}

/// Which documents contain which text. Immutable: changed documents are the caller's to scan.
pub struct TextIndex {
    vocabulary: Vocabulary,
    postings: Postings,
    all: Bitset,
    /// The documents of terms that are in so many tokens that their union takes long.
    common: HashMap<Box<str>, Bitset>,
}

impl TextIndex {
    /// The documents that contain a folded term anywhere, or may do so.
    ///
    /// Exact for a term of letters and digits, and for one or two characters of a script that is
    /// written without spaces. A term with something between its letters (`foo-bar`) is looked up
    /// by its parts; one without any letter can be anywhere.
    pub fn candidates(&self, folded_term: &str) -> Candidates {
        let parts: Vec<Piece<'_>> = pieces(folded_term).collect();
        let is_one = parts.first().is_some_and(|part| {
            part.text.len() == folded_term.len() && (part.class == Class::Word || part.is_short())
        });
        if is_one {
            return Candidates { set: self.containing(folded_term), exact: true };
        }
        let mut set = self.all.clone();
        for part in parts.into_iter().take(MOST_PARTS) {
            self.narrow(&mut set, part, folded_term.len());
        }
        Candidates { set, exact: folded_term.is_empty() }
    }

    /// The ordinals of all documents.
    pub fn documents(&self) -> &Bitset {
        &self.all
    }

    /// The bytes of memory the index holds.
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

    /// Keeps of `set` what may contain a part of a longer term, which ends at `term_len`.
    fn narrow(&self, set: &mut Bitset, part: Piece<'_>, term_len: usize) {
        if part.class == Class::Unspaced {
            let pairs = pairs(part.text).take(MOST_PARTS);
            pairs.for_each(|pair| set.and_assign(&self.containing(&part.text[pair])));
            return;
        }
        if let Some(common) = self.common.get(part.text) {
            set.and_assign(common);
            return;
        }
        // Where the term goes on, the token ends.
        let mut needle = Vec::with_capacity(part.text.len() + 2);
        needle.extend((part.start > 0).then_some(END));
        needle.extend_from_slice(part.text.as_bytes());
        needle.extend((part.start + part.text.len() < term_len).then_some(END));
        set.and_assign(&self.union(&needle));
    }

    /// The documents with a token that contains the term.
    fn containing(&self, term: &str) -> Bitset {
        self.common.get(term).cloned().unwrap_or_else(|| self.union(term.as_bytes()))
    }

    /// The documents of all tokens in which the needle is found.
    fn union(&self, needle: &[u8]) -> Bitset {
        let mut set = Bitset::with_len(self.postings.len);
        let mut found = 0;
        self.vocabulary.find(needle, |rank| {
            self.postings.add_to(rank, &mut set);
            found += 1;
            // The most frequent tokens come first, so a common term is soon in all documents.
            found % 256 > 0 || set != self.all
        });
        set
    }

    /// The terms whose documents are costly to find, with these documents.
    ///
    /// A longer term is costly only when the two it consists of, without its first and without its
    /// last character, are: so they are found length by length.
    fn common_terms(&self) -> HashMap<Box<str>, Bitset> {
        let documents = self.all.count() as u64;
        let cheap = CHEAP.max(CHEAP_PER_DOCUMENT.saturating_mul(documents));
        let mut common = HashMap::new();
        for chars in 1..=LONGEST_COMMON {
            let costs = self.costs_of_terms(chars, &common);
            let costly = costs.into_iter().filter(|(_, cost)| *cost > cheap);
            let found: Vec<_> =
                costly.map(|(term, _)| (term.into(), self.union(term.as_bytes()))).collect();
            if found.is_empty() {
                break;
            }
            common.extend(found);
        }
        common
    }

    /// What it costs to find the documents of each term of so many characters, about.
    fn costs_of_terms(
        &self,
        chars: usize,
        common: &HashMap<Box<str>, Bitset>,
    ) -> HashMap<&str, u64> {
        let is_common = |term: &str| chars == 1 || common.contains_key(term);
        let mut costs = HashMap::new();
        for (rank, token) in self.vocabulary.tokens().enumerate() {
            let cost = TOKEN_COST + self.postings.cost(rank);
            // Of the many rare tokens a part stands for all.
            let weight = if cost < 2 * TOKEN_COST { SAMPLE } else { 1 };
            if !(rank as u64).is_multiple_of(weight) {
                continue;
            }
            // Of the shorter terms in order, each and the next are the two in a longer one.
            let mut shorter =
                windows(token, chars.max(2) - 1).map(|place| is_common(&token[place]));
            let mut first = shorter.next();
            for place in windows(token, chars) {
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

/// All tokens in one block of memory, so that a search for a part of them is one sweep.
struct Vocabulary {
    /// `\n` token `\n` token … `\n`
    text: String,
    /// How many separators stand before each [`BLOCK`] of the text.
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
            before += ends_in(block);
            rank
        });
        Self { ranks: ranks.collect(), text }
    }

    /// Visits the place of every token that contains the needle, once, while the visit says to go
    /// on. The needle may name the separator at its ends.
    fn find(&self, needle: &[u8], mut go_on: impl FnMut(usize) -> bool) {
        let text = self.text.as_bytes();
        let finder = Finder::new(needle);
        let mut at = 0;
        while let Some(found) = finder.find(&text[at..]) {
            // A separator that the needle begins with belongs to the token before.
            let inside = at + found + usize::from(needle.first() == Some(&END));
            if !go_on(self.rank(inside)) {
                break;
            }
            at = inside + memchr(END, &text[inside..]).unwrap_or(text.len() - inside);
        }
    }

    /// The place of the token that covers a position of the text.
    fn rank(&self, position: usize) -> usize {
        let block = position / BLOCK;
        let ends = self.ranks[block] + ends_in(&self.text.as_bytes()[block * BLOCK..position]);
        ends as usize - 1
    }

    fn tokens(&self) -> impl Iterator<Item = &str> {
        self.text.trim_matches('\n').split('\n').filter(|token| !token.is_empty())
    }

    fn memory_bytes(&self) -> usize {
        self.text.capacity() + self.ranks.capacity() * size_of::<u32>()
    }
}

fn ends_in(text: &[u8]) -> u32 {
    text.iter().map(|byte| u32::from(*byte == END)).sum()
}

/// The documents of each token, tokens by falling frequency: first those with a bit for every
/// ordinal, then those with a list of deltas, at last those that occur only once.
struct Postings {
    dense: Vec<Bitset>,
    /// Where each list starts in `lists`, and where the last one ends.
    starts: Vec<usize>,
    lists: Vec<u8>,
    single: Vec<u32>,
    /// The highest ordinal plus one.
    len: usize,
}

impl Postings {
    fn add_to(&self, rank: usize, set: &mut Bitset) {
        let listed = self.dense.len()..self.dense.len() + self.starts.len() - 1;
        if let Some(dense) = self.dense.get(rank) {
            set.or_assign(dense);
        } else if listed.contains(&rank) {
            let at = rank - listed.start;
            let mut ordinal = 0;
            each_number(&self.lists[self.starts[at]..self.starts[at + 1]], |delta| {
                ordinal += delta;
                set.insert(ordinal);
            });
        } else {
            set.insert(self.single[rank - listed.end]);
        }
    }

    /// What reading a token's documents costs, in units of one posting.
    fn cost(&self, rank: usize) -> u64 {
        let Some(at) = rank.checked_sub(self.dense.len()) else { return self.len as u64 / 128 };
        match self.starts.get(at..at + 2) {
            Some([start, end]) => (end - start) as u64,
            _ => 1,
        }
    }

    fn memory_bytes(&self) -> usize {
        let dense = self.dense.iter().map(|set| size_of::<Bitset>() + set.memory_bytes());
        dense.sum::<usize>()
            + self.starts.capacity() * size_of::<usize>()
            + self.lists.capacity()
            + self.single.capacity() * size_of::<u32>()
    }
}

/// Writes postings in two passes: the first finds out how much room each list takes.
struct PostingsWriter {
    postings: Postings,
    /// Of each list: the last ordinal, and where the next delta goes (at first: its size).
    last: Vec<u32>,
    next: Vec<usize>,
}

impl PostingsWriter {
    fn new(dense: usize, listed: usize, single: usize, len: usize) -> Self {
        let postings = Postings {
            dense: (0..dense).map(|_| Bitset::with_len(len)).collect(),
            starts: Vec::with_capacity(listed + 1),
            lists: Vec::new(),
            single: vec![0; single],
            len,
        };
        Self { postings, last: vec![0; listed], next: vec![0; listed] }
    }

    fn measure(&mut self, rank: usize, ordinal: u32) {
        let Some(at) = rank.checked_sub(self.postings.dense.len()) else { return };
        if let Some(last) = self.last.get_mut(at) {
            self.next[at] += encoded_len(ordinal - *last);
            *last = ordinal;
        }
    }

    fn make_room(&mut self) {
        let mut end = 0;
        for size in &mut self.next {
            self.postings.starts.push(end);
            end += std::mem::replace(size, end);
        }
        self.postings.starts.push(end);
        self.postings.lists = vec![0; end];
        self.last.fill(0);
    }

    fn write(&mut self, rank: usize, ordinal: u32) {
        let Some(at) = rank.checked_sub(self.postings.dense.len()) else {
            self.postings.dense[rank].insert(ordinal);
            return;
        };
        let Some(last) = self.last.get_mut(at) else {
            self.postings.single[at - self.last.len()] = ordinal;
            return;
        };
        let delta = ordinal - std::mem::replace(last, ordinal);
        encode(delta, |byte| {
            self.postings.lists[self.next[at]] = byte;
            self.next[at] += 1;
        });
    }
}

/// Writes a number in as few bytes as it needs: seven bits in each, the lowest first.
fn encode(mut number: u32, mut put: impl FnMut(u8)) {
    while number >= 0x80 {
        put(number as u8 | 0x80);
        number >>= 7;
    }
    put(number as u8);
}

/// How many bytes a number takes.
fn encoded_len(number: u32) -> usize {
    (u32::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}

fn each_number(bytes: &[u8], mut visit: impl FnMut(u32)) {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        number |= u32::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            visit(number);
            (number, shift) = (0, 0);
        } else {
            shift += 7;
        }
    }
}

/// What a character is to the index. ASCII that is no letter or digit separates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// Letters that form words with separators between: a run of them is a token.
    Word,
    /// Scripts written without spaces, and symbols: a run of them may be as long as a sentence,
    /// so each pair of neighbours is a token.
    Unspaced,
}

/// A longest run of characters of one class.
struct Piece<'a> {
    start: usize,
    text: &'a str,
    class: Class,
}

impl Piece<'_> {
    /// Whether a pair of neighbours covers the piece.
    fn is_short(&self) -> bool {
        self.text.chars().nth(2).is_none()
    }
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_separator = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
        at += bytes[at..].iter().take_while(|byte| is_separator(byte)).count();
        let start = at;
        let class = class_of(text[at..].chars().next()?);
        loop {
            if class == Class::Word {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            }
            match text[at..].chars().next() {
                Some(letter) if !letter.is_ascii() && class_of(letter) == class => {
                    at += letter.len_utf8();
                }
                _ => break,
            }
        }
        Some(Piece { start, text: &text[start..at], class })
    })
}

fn class_of(letter: char) -> Class {
    match letter as u32 {
        // Marks, quotes, dashes, currencies, arrows and the like; then the scripts: Thai, Lao,
        // Tibetan and Burmese; Khmer; Japanese; Chinese.
        0x80..=0xBF | 0x2000..=0x2BFF | 0x3000..=0x303F => Class::Unspaced,
        0xE00..=0x109F | 0x1780..=0x17FF | 0x3040..=0x312F | 0x31F0..=0x31FF => Class::Unspaced,
        0x2E80..=0x2FDF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Class::Unspaced,
        _ => Class::Word,
    }
}

/// The places of every two neighbours in a run of characters; a lone one's own.
fn pairs(run: &str) -> impl Iterator<Item = Range<usize>> {
    let is_lone = run.chars().nth(1).is_none();
    windows(run, 2).chain(is_lone.then_some(0..run.len()))
}

/// The places of every run of so many characters.
fn windows(text: &str, chars: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    starts.zip(ends.skip(chars - 1)).map(|(start, end)| start..end)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::stdx::fold::fold;

    fn index<T: AsRef<str>>(texts: &[T]) -> TextIndex {
        let mut builder = TextIndexBuilder::new();
        for (ordinal, text) in texts.iter().enumerate() {
            builder.add(ordinal as u32, &fold(text.as_ref()));
        }
        builder.finish()
    }

    fn scan<T: AsRef<str>>(texts: &[T], term: &str) -> Bitset {
        let found = (0..).zip(texts).filter(|(_, text)| fold(text.as_ref()).contains(term));
        found.map(|(ordinal, _)| ordinal).collect()
    }

    /// A candidate set must hold all that a scan finds, and when exact nothing else.
    fn check<T: AsRef<str>>(index: &TextIndex, texts: &[T], term: &str) {
        let (term, found) = (fold(term), index.candidates(&fold(term)));
        let expect = scan(texts, &term);
        let mut missing = expect.clone();
        missing.and_not(&found.set);
        assert!(missing.is_empty(), "{term}: some missing");
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
            let found = index.candidates(&fold(term));
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
            assert!(index.candidates(term).set.is_empty(), "{term}");
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
        (0..400).for_each(|ordinal| whole.add(ordinal, &text(ordinal)));
        let [mut one, mut two] = [TextIndexBuilder::new(), TextIndexBuilder::new()];
        (0..150).for_each(|ordinal| one.add(ordinal, &text(ordinal)));
        (150..400).rev().for_each(|ordinal| two.add(ordinal, &text(ordinal)));
        two.merge(one);
        let (whole, merged) = (whole.finish(), two.finish());
        for term in ["entry", "entry1", "entry399", "group3", "roup", "all", "x7", "1", "zzz"] {
            assert_eq!(whole.candidates(term).set, merged.candidates(term).set, "{term}");
        }
        assert_eq!(merged.candidates("group0").set.count(), 58);
    }

    #[test]
    fn text_of_one_document_may_come_in_parts() {
        let mut builder = TextIndexBuilder::new();
        builder.add(3, "one");
        builder.add(9, "two");
        builder.add(3, "two one");
        let index = builder.finish();
        assert_eq!(index.candidates("two").set, Bitset::from_iter([3, 9]));
        assert_eq!(index.candidates("one").set, Bitset::from_iter([3]));
        assert_eq!(*index.documents(), Bitset::from_iter([3, 9]));
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
                let term: String = fold(text).chars().skip(from).take(len).collect();
                check(&index, &texts, &term);
            }
        }

        #[test]
        fn numbers_come_back(numbers in vec(any::<u32>(), 0..50), shift in 0..32) {
            let numbers: Vec<u32> = numbers.into_iter().map(|number| number >> shift).collect();
            let (mut bytes, mut back) = (Vec::new(), Vec::new());
            numbers.iter().for_each(|number| encode(*number, |byte| bytes.push(byte)));
            each_number(&bytes, |number| back.push(number));
            prop_assert_eq!(bytes.len(), numbers.iter().copied().map(encoded_len).sum::<usize>());
            prop_assert_eq!(back, numbers);
        }
    }
}
