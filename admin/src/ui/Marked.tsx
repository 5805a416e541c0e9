import { markMatches } from './match';

/** A text with the words of a query marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  return markMatches(text, query).map(({ text: part, hit }, index) => {
    const key = `${index}${part}`;
    return hit ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
  });
}
