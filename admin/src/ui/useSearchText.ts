import { useEffect, useEffectEvent, useState } from 'react';

/** So long nothing may be typed before the server is asked. */
const QUIET = 250;

/**
 * The text of a search, which the address holds. What is typed is there a moment later, and what changes there by
 * itself is taken over: filters were cleared, a view was opened.
 */
export function useSearchText(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // What was asked for and is not in the address yet.
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (known !== value) {
    setKnown(value);
    const own = asked.indexOf(value);
    setAsked(asked.slice(own + 1));
    if (own < 0) setTyped(value);
  }
  const wanted = typed.trim();
  const current = asked.at(-1) ?? value;
  const ask = () => {
    if (wanted === current) return;
    setAsked((before) => [...before, wanted]);
    onChange(wanted);
  };
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    if (wanted === current) return undefined;
    const timer = setTimeout(() => askNow(), QUIET);
    return () => clearTimeout(timer);
  }, [wanted, current]);
  return { typed, setTyped, ask };
}
