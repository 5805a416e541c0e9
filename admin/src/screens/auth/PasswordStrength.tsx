import { Announce } from '~/ui/Announce';
import { type Key, t } from '~/i18n';
import classes from './PasswordStrength.module.css';
import type { Strength } from './strength';

const WORDS: readonly Key[] = ['auth.strength.1', 'auth.strength.2', 'auth.strength.3', 'auth.strength.4'];

/** Four bars and a word for how hard a password is to guess. */
export function PasswordStrength({ value }: { value: Strength }) {
  const word = WORDS[value - 1];
  const text = word ? t('auth.strength', { strength: t(word) }) : '';
  return (
    <div className={classes.meter} data-value={value}>
      <div className={classes.bars} aria-hidden="true">
        {WORDS.map((key, index) => (
          <span key={key} data-on={index < value || undefined} />
        ))}
      </div>
      <span className={classes.word} aria-hidden="true">
        {text || t('auth.strengthHint')}
      </span>
      <Announce text={text} />
    </div>
  );
}
