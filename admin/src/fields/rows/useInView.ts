import { type RefObject, useEffect, useRef, useState } from 'react';

/** Tells whether an element is, or has been, near what can be seen; so from the beginning when nobody waits for it. */
export function useInView(wait: boolean): { ref: RefObject<HTMLDivElement | null>; near: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(!wait);
  useEffect(() => {
    if (near || !ref.current) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((it) => it.isIntersecting) && setNear(true), {
      rootMargin: '50% 0px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [near]);
  return { ref, near: near || !wait };
}
