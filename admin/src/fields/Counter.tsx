import type { ReactNode } from 'react';
import { formatNumber, t } from '~/i18n';
import classes from './fields.module.css';

/** The used share of the length that a text may have; characters as people count them. */
export function Counter({ text, max }: { text: string; max: number | undefined }) {
  if (max === undefined) return null;
  const length = [...text].length;
  return (
    <div className={classes.counter} data-over={length > max || undefined}>
      <span aria-hidden>
        {formatNumber(length)} / {formatNumber(max)}
      </span>
      <span className="visually-hidden">
        {length > max ? t('fields.counter.over', { count: length - max }) : t('fields.counter.left', { count: max - length })}
      </span>
    </div>
  );
}

/** Returns a function that puts a {@link Counter} below a Mantine input. */
export function withCounter(text: string, max: number | undefined): (input: ReactNode) => ReactNode {
  return (input) => (
    <>
      {input}
      <Counter text={text} max={max} />
    </>
  );
}
