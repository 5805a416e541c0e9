/** Finds what is meant by some words, among what the page knows itself. */

export interface Named {
  label: string;
  /** Other words for it. */
  keywords?: string;
}

/** The named ones that have every word, best first; among equals in the order given. */
export function matchItems<Item extends Named>(items: readonly Item[], query: string): Item[] {
  const words = wordsOf(query);
  return items
    .map((item) => ({ item, score: scoreOf(item, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** A label in parts, those marked that were asked for. */
export function markMatches(label: string, query: string): { text: string; hit: boolean }[] {
  const words = wordsOf(query);
  const folded = [...label].map((it) => fold(it));
  const hits = folded.map(() => false);
  const text = folded.join('');
  // Where folding changes the length of a text its places do not fit; then nothing is marked.
  if (text.length !== label.length) return [{ text: label, hit: false }];
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) hits.fill(true, at, at + word.length);
  }
  const parts: { text: string; hit: boolean }[] = [];
  for (const [at, letter] of [...label].entries()) {
    const hit = hits[at] ?? false;
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += letter;
    else parts.push({ text: letter, hit });
  }
  return parts;
}

function scoreOf({ label, keywords = '' }: Named, words: readonly string[]): number {
  const [name, other] = [fold(label), fold(keywords)];
  let score = 1;
  for (const word of words) {
    if (name.startsWith(word)) score += 8;
    else if (new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'u').test(name)) score += 4;
    else if (name.includes(word)) score += 2;
    else if (other.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
