/** Keys that are pressed between the opening of the palette and the moment when its input has the focus. */
import { useEffect, useRef, useState } from 'react';

/** The text after a key; `undefined` if the key types nothing. */
export function typeKey(text: string, event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === 'Backspace') return [...text].slice(0, -1).join('');
  return [...event.key].length === 1 ? text + event.key : undefined;
}

export interface TypeAhead {
  /** Begins to collect keys, which the page does not get meanwhile. */
  begin: () => void;
  /** Ends it, and returns what was typed. */
  take: () => string;
}

/** Collects what is typed while the palette is on its way, so that no letter is lost. */
export function useTypeAhead(): TypeAhead {
  const text = useRef('');
  const [collects, setCollects] = useState(false);
  useEffect(() => {
    if (!collects) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const typed = typeKey(text.current, event);
      if (typed !== undefined) text.current = typed;
      // Enter would press the button that opened the palette once more.
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [collects]);
  return {
    begin: () => {
      text.current = '';
      setCollects(true);
    },
    take: () => {
      const typed = text.current;
      text.current = '';
      setCollects(false);
      return typed;
    },
  };
}
