import { UnstyledButton } from '@mantine/core';
import { IconArrowsVertical } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { t } from '~/i18n';
import classes from './diff.module.css';
import { countLines, diffLines, foldUnchanged, type Gap, type Line } from './lines';
import { Parts } from './TextDiff';

interface LineDiffProps {
  before: string;
  after: string;
  /** True if every character counts, as in JSON. */
  code?: boolean;
}

/** A text of many lines with those marked that came and went; the others are folded. */
export function LineDiff({ before, after, code = false }: LineDiffProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const folded = useMemo(() => foldUnchanged(lines), [lines]);
  const { added, removed } = countLines(lines);
  return (
    <div className={classes.lines} data-code={code || undefined}>
      <table>
        <caption className="visually-hidden">{t('revisions.diff.lines', { added, removed })}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('revisions.diff.lineBefore')}</th>
            <th scope="col">{t('revisions.diff.lineAfter')}</th>
            <th scope="col">{t('revisions.diff.change')}</th>
            <th scope="col">{t('revisions.diff.text')}</th>
          </tr>
        </thead>
        <tbody>
          {folded.map((it) =>
            it.kind === 'gap' ? <Folded key={`gap${it.lines[0]?.is}`} gap={it} /> : <Row key={`${it.was ?? ''}-${it.is ?? ''}`} line={it} />,
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({ line }: { line: Line }) {
  return (
    <tr data-kind={line.kind}>
      <td className={classes.number}>{line.was}</td>
      <td className={classes.number}>{line.is}</td>
      <td className={classes.sign}>
        {line.kind !== 'same' && (
          <>
            <span aria-hidden="true">{line.kind === 'added' ? '+' : '−'}</span>
            <span className="visually-hidden">{t(`revisions.diff.${line.kind}`)}</span>
          </>
        )}
      </td>
      <td className={classes.line}>
        <Parts parts={line.parts} />
      </td>
    </tr>
  );
}

/** Lines that did not change, shown when asked for. */
function Folded({ gap }: { gap: Gap }) {
  const [open, setOpen] = useState(false);
  if (open) return gap.lines.map((line) => <Row key={line.is} line={line} />);
  return (
    <tr>
      <td colSpan={4} className={classes.fold}>
        <UnstyledButton onClick={() => setOpen(true)} className={classes.unfold}>
          <IconArrowsVertical size={14} aria-hidden />
          {t('revisions.diff.unchangedLines', { count: gap.lines.length })}
        </UnstyledButton>
      </td>
    </tr>
  );
}
