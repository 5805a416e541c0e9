import type { BackupPart } from '~/api/schema';
import { formatNumber, t } from '~/i18n';
import type { PartChange } from './parts';
import classes from './backups.module.css';

const KINDS = ['added', 'changed', 'removed', 'same'] as const;

/** The changes of each part, in files. */
export function Changes({ changes, done }: { changes: readonly PartChange[]; done?: boolean }) {
  return (
    <table className={classes.counts}>
      <caption className="visually-hidden">{done ? t('backups.changesDone') : t('backups.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('backups.partColumn')}</th>
          {KINDS.map((kind) => (
            <th key={kind} scope="col">
              {t(`backups.change.${kind}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.part}>
            <th scope="row">{t(`backups.part.${change.part as BackupPart}`)}</th>
            {KINDS.map((kind) => (
              <td key={kind} className={change[kind] === 0 || kind === 'same' ? classes.zero : classes[kind]}>
                {formatNumber(change[kind])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
