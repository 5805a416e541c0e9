import { useEffect, useState } from 'react';

/** True if something fills the window; Esc ends it. */
export interface FullScreen {
  on: boolean;
  toggle: () => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
}

/** Lets a part of the page fill the window; the page behind it stands still. */
export function useFullScreen(): FullScreen {
  const [on, setOn] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => {
      document.body.style.overflow = overflow;
    };
  }, [on]);
  return {
    on,
    toggle: () => setOn((now) => !now),
    onKeyDown: (event) => {
      // Keys of a dialog above it come here too, though it lies elsewhere in the page.
      const own = event.currentTarget.contains(event.target as Node);
      if (!on || !own || event.key !== 'Escape' || event.defaultPrevented) return;
      event.stopPropagation();
      setOn(false);
    },
  };
}
