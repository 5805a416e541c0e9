/** The width of text in columns of a terminal or an editor with a fixed pitch. */

const PLAIN = /^[ -~]*$/;
/** Signs that take two columns: East Asian scripts and their full-width forms. */
const WIDE =
  /^[ᄀ-ᅟ⺀-〾ぁ-㏿㐀-䶿一-鿿ꀀ-꓏ꥠ-꥿가-힣豈-﫿︐-﹯＀-｠￠-￦\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter() : undefined;

/** Returns the number of columns that a text takes. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  const signs = segmenter ? Array.from(segmenter.segment(text), (it) => it.segment) : [...text];
  return signs.reduce((sum, sign) => sum + signWidth(sign), 0);
}

function signWidth(sign: string): number {
  if (ZERO.test(sign)) return 0;
  return WIDE.test(sign) || EMOJI.test(sign) ? 2 : 1;
}
