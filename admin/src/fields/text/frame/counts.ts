/** The length of a text, as writers count it. */

const WORDS_PER_MINUTE = 220;
/** Scripts that put no blanks between words. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Counts the words of a text. */
export function countWords(text: string): number {
  if (DENSE.test(text) && typeof Intl.Segmenter === 'function') {
    let count = 0;
    for (const part of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) if (part.isWordLike) count += 1;
    return count;
  }
  return text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

/** Returns the minutes that a text takes to read, one at least. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
