import { useState } from 'react';

/** Tells whether a part of the navigation is folded, as it was left last on this browser. */
export function useFoldedPart(part: string): readonly [boolean, () => void] {
  const key = `recto.folded.${part}`;
  const [folded, setFolded] = useState(() => {
    try {
      return localStorage.getItem(key) === '1';
    } catch {
      return false;
    }
  });
  const toggle = () => {
    setFolded(!folded);
    try {
      localStorage.setItem(key, folded ? '0' : '1');
    } catch {
      // It holds for as long as the page is open.
    }
  };
  return [folded, toggle];
}
