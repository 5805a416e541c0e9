import type { Text } from '@codemirror/state';

/** The number of lines in which the end of a text's front matter is looked for. */
const LINES_MAX = 200;

/** The end of what stands between `---` at the very beginning of a text, as other tools have it; 0 if nothing does. */
export function frontMatterEnd(doc: Text): number {
  if (doc.line(1).text.trimEnd() !== '---') return 0;
  // A line between parts may stand there as well: then an empty line or a text follows.
  if (doc.lines < 3 || !/^\s*[\w-]+\s*:/.test(doc.line(2).text)) return 0;
  for (let number = 3; number <= Math.min(doc.lines, LINES_MAX); number += 1) {
    const line = doc.line(number);
    if (/^(?:---|\.\.\.)\s*$/.test(line.text)) return line.to;
  }
  return 0;
}
