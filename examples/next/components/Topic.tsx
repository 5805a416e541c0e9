import type { CSSProperties } from 'react';
import type { Topic as TopicEntry } from '../lib/recto';

export function Topic({ topic }: { topic?: TopicEntry | null }) {
  if (!topic) return null;
  return (
    <p className="topic" style={{ '--topic': topic.data.color } as CSSProperties}>
      {topic.title}
    </p>
  );
}
