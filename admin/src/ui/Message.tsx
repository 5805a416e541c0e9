import { Code } from '@mantine/core';
import { useFromServer } from './useFromServer';

/** A sentence of the server's, in which names stand between backticks. */
export function Message({ text }: { text: string }) {
  // Every other part stands between two of them.
  const parts = useFromServer()(text).split('`');
  return parts.map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 1 && index < parts.length - 1 ? (
      <Code key={key} fz="0.92em">
        {part}
      </Code>
    ) : (
      <span key={key}>{index % 2 === 1 ? `\`${part}` : part}</span>
    );
  });
}
