import { Alert, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { unkeptNumbers } from '~/fields/text/json';
import { formatList, t } from '~/i18n';
import { useEditing } from '../context';
import { changedSlots, type Shape } from './form';
import { parseRaw, rawOf } from './raw';
import { type FormState, useFormState } from './store';

function textOf(shape: Shape, { values, entry }: FormState): string {
  return JSON.stringify(rawOf(shape, values, entry), null, 2);
}

interface RawJsonProps {
  /** Says whether the text can be understood: as long as it cannot, nothing is to be saved. */
  onBroken: (broken: boolean) => void;
}

/** The whole entry as JSON. What is typed goes into the form as soon as it can be read. */
export function RawJson({ onBroken }: RawJsonProps) {
  const { type, form, readOnly } = useEditing();
  const [text, setText] = useState(() => textOf(type, form.state()));
  const [broken, setBroken] = useState<string>();
  const [ignored, setIgnored] = useState<readonly string[]>([]);
  const own = useRef(form.state().values);
  const values = useFormState(form, (state) => state.values);
  useEffect(() => {
    // What came from elsewhere (a save, another person) is shown; what was typed here stays as typed.
    if (values === own.current) return;
    own.current = values;
    setText(textOf(type, form.state()));
    setBroken(undefined);
    setIgnored([]);
  }, [values, form, type]);
  useEffect(() => {
    onBroken(broken !== undefined);
    return () => onBroken(false);
  }, [broken, onBroken]);
  const change = (next: string) => {
    setText(next);
    try {
      const parsed = parseRaw(type, next, form.state().entry);
      const changed = changedSlots(form.state().values, parsed.values);
      // What stays as it was is not sent, and no harm.
      const shown = unkeptNumbers(textOf(type, form.state()));
      const typed = unkeptNumbers(next).find((it) => !shown.includes(it));
      const sent = changed.flatMap((slot) => unkeptNumbers(JSON.stringify(parsed.values[slot] ?? null)));
      const number = typed ?? sent.at(0);
      if (number !== undefined) throw new SyntaxError(t('fields.json.digits', { number }));
      setBroken(undefined);
      setIgnored(parsed.ignored);
      if (changed.length === 0) return;
      form.replace(parsed.values, 'JSON');
      own.current = form.state().values;
    } catch (error) {
      setBroken(error instanceof SyntaxError && error.message !== 'not an object' ? error.message : t('entry.raw.object'));
    }
  };
  return (
    <section aria-label={t('entry.raw')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('entry.raw.hint')}
      </Text>
      <CodeEditor
        language="json"
        label={t('entry.raw')}
        value={text}
        onChange={change}
        readOnly={readOnly}
        minLines={18}
        maxLines={200}
        invalid={broken !== undefined}
      />
      <div role="status">
        {broken !== undefined && (
          <Alert color="red" mt="sm" title={t('entry.raw.broken')}>
            {broken}
          </Alert>
        )}
        {ignored.length > 0 && (
          <Alert color="amber" mt="sm" title={t('entry.raw.ignored', { count: ignored.length })}>
            {formatList(ignored)}
          </Alert>
        )}
      </div>
    </section>
  );
}
