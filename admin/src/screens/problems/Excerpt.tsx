import type { Problem } from '~/api/schema';
import { t } from '~/i18n';
import { splitAt } from './problem';
import classes from './problems.module.css';

/** The lines around a place in a file, with the place marked. */
export function Excerpt({ excerpt }: { excerpt: NonNullable<Problem['excerpt']> }) {
  return (
    <figure className={classes.excerpt} aria-label={t('problems.excerpt', { line: excerpt.line })}>
      {excerpt.lines.map((line, index) => {
        const number = excerpt.first_line + index;
        const here = number === excerpt.line;
        return (
          <div key={number} className={classes.line} data-here={here || undefined}>
            <span className={classes.number} aria-hidden>
              {number}
            </span>
            <code>
              {here && <span className="visually-hidden">{t('problems.here', { line: number })} </span>}
              {here ? <Marked line={line} column={excerpt.column} /> : line || ' '}
            </code>
          </div>
        );
      })}
    </figure>
  );
}

function Marked({ line, column }: { line: string; column: number | null }) {
  const [before, character, after] = splitAt(line, column);
  return (
    <>
      {before}
      {column !== null && <mark className={classes.mark}>{character || ' '}</mark>}
      {after}
    </>
  );
}
