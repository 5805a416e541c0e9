import { useEffect, useState } from 'react';

/** Tells screen readers a text whenever it changes: counts, results. */
export function Announce({ text }: { text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    // A moment later, so that typing is not talked over.
    const timer = setTimeout(() => setSaid(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status" aria-live="polite" className="visually-hidden">
      {said}
    </div>
  );
}
