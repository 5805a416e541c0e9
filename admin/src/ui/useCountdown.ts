import { useCallback, useEffect, useState } from 'react';

/** Seconds that run down to 0, and how to start them. */
export function useCountdown(): readonly [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const [end, setEnd] = useState(0);
  const start = useCallback((seconds: number) => {
    setEnd(Date.now() + seconds * 1000);
    setLeft(seconds);
  }, []);
  useEffect(() => {
    if (end === 0) return undefined;
    const timer = setInterval(() => {
      // By the clock: timers of a page in the background come late.
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [end]);
  return [left, start];
}
