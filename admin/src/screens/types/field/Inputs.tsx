import type { ReactNode } from 'react';
import { useBuilder } from '../builder-context';
import classes from '../types.module.css';

/** Inputs one below the other, all of them off for those who may look only. */
export function Inputs({ children }: { children: ReactNode }) {
  const { readOnly } = useBuilder();
  return (
    <fieldset className={classes.inputs} disabled={readOnly}>
      {children}
    </fieldset>
  );
}
