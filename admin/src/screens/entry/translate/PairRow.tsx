import { memo } from 'react';
import { fieldLabel } from '~/api/fields';
import { Edited } from '../form/Field';
import type { Pair, PairState } from './pairs';
import { Source } from './Source';
import classes from './translate.module.css';

/** One field in both languages. */
export const PairRow = memo(function PairRow({ pair, state }: { pair: Pair; state: PairState }) {
  return (
    <div role="group" aria-label={fieldLabel(pair.name, pair.definition)} className={classes.pair} data-pair={pair.name} data-state={state}>
      <Source pair={pair} isChanged={state === 'changed'} />
      <div className={classes.target} data-target>
        <Edited name={pair.name} definition={pair.definition} />
      </div>
    </div>
  );
});
