import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useBuilder } from '../builder-context';
import { draftText, parseDraft, type TextDefect } from '../draft/schema-text';
import classes from '../types.module.css';

/**
 * The schema as JSON, to be read, copied and changed. A text that is no schema stays here and says
 * why; `onDefect` tells so that nothing is saved meanwhile.
 */
export function JsonTab({ onDefect }: { onDefect: (broken: boolean) => void }) {
  const { draft, change, readOnly } = useBuilder();
  const [text, setText] = useState(() => draftText(draft));
  const [written, setWritten] = useState(draft);
  const [defect, setDefect] = useState<TextDefect>();
  // Somebody changed the draft by other means: a save, an undo.
  if (draft !== written) {
    setWritten(draft);
    setText(draftText(draft));
    setDefect(undefined);
  }
  const broken = defect !== undefined;
  useEffect(() => {
    onDefect(broken);
    return () => onDefect(false);
  }, [broken, onDefect]);
  const edit = (next: string) => {
    setText(next);
    const read = parseDraft(next, draft);
    if ('defect' in read) {
      setDefect(read.defect);
      return;
    }
    setDefect(undefined);
    setWritten(read.draft);
    change(() => read.draft);
  };
  return (
    <section className={classes.panel} aria-label={t('types.json')}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <Text size="sm" c="dimmed">
          {t('types.jsonHint')}
        </Text>
        <CopyButton value={text} label={t('types.jsonCopy')} />
      </Group>
      {defect && (
        <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} mb="sm" role="status">
          {t(`types.textDefect.${defect.reason}`, { about: defect.about })}
        </Alert>
      )}
      <CodeEditor
        value={text}
        onChange={edit}
        language="json"
        label={t('types.json')}
        readOnly={readOnly}
        minLines={20}
        maxLines={60}
        invalid={broken}
      />
    </section>
  );
}
