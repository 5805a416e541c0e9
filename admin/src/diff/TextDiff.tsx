import { t } from '~/i18n';
import classes from './diff.module.css';
import { diffText, type Part } from './text';

/** A text with the words that came and went marked. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  return (
    <p className={classes.text}>
      <Parts parts={diffText(before, after)} />
    </p>
  );
}

/** Parts of a text, told apart by more than their colour. */
export function Parts({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ kind, text }, index) => {
    // Parts have no identity beside their place.
    const key = `${index}${kind}`;
    if (kind === 'same') return <span key={key}>{text}</span>;
    const Tag = kind === 'added' ? 'ins' : 'del';
    return (
      <Tag key={key} className={classes[kind]}>
        <span className="visually-hidden">{t(`revisions.diff.${kind}`)} </span>
        {text}
      </Tag>
    );
  });
}
