import { Alert, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { unkeptNumbers } from '~/fields/text/json';
import { formatList, t } from '~/i18n';
import { useEditing } from '../context';
import { changedSlots, type Shape } from './form';
import { mergeRaw, parseRaw, rawOf } from './raw';
import { type FormState, useFormState } from './store';

function textOf(shape: Shape, { values, entry }: FormState): string {
  return JSON.stringify(rawOf(shape, values, entry), null, 2);
}

/**
 * The whole entry as JSON. What is typed goes into the form as soon as it can be read; until then it
 * stays as typed, whatever becomes of the form.
 */
export function RawJson() {
  const { type, form, readOnly } = useEditing();
  const values = useFormState(form, (state) => state.values);
  const raw = useFormState(form, (state) => state.raw);
  const [ignored, setIgnored] = useState<{ text: string; keys: readonly string[] }>();
  // What came from elsewhere (a save, another person) is shown in the place of a text that is in the form.
  const isTyped = raw !== undefined && (raw.problem !== undefined || raw.from === values);
  // Another version has other values, too.
  const stored = useMemo(() => textOf(type, { ...form.state(), values }), [type, form, values]);
  const text = isTyped ? raw.text : stored;
  const broken = isTyped ? raw.problem : undefined;
  const wrong = ignored?.text === text ? ignored.keys : [];
  const change = (next: string) => {
    const state = form.state();
    const from = broken === undefined ? state.values : (raw?.from ?? state.values);
    try {
      const parsed = parseRaw(type, next, state.entry);
      const merged = mergeRaw(parsed.values, from, state.values);
      const changed = changedSlots(state.values, merged);
      // What stays as it was is not sent, and no harm.
      const shown = unkeptNumbers(textOf(type, state));
      const typed = unkeptNumbers(next).find((it) => !shown.includes(it));
      const sent = changed.flatMap((slot) => unkeptNumbers(JSON.stringify(merged[slot] ?? null)));
      const number = typed ?? sent.at(0);
      if (number !== undefined) throw new SyntaxError(t('fields.json.digits', { number }));
      setIgnored({ text: next, keys: parsed.ignored });
      if (changed.length > 0) form.replace(merged, 'JSON');
      form.setRaw(merged === parsed.values ? { text: next, from: form.state().values } : undefined);
    } catch (error) {
      const problem = error instanceof SyntaxError && error.message !== 'not an object' ? error.message : t('entry.raw.object');
      form.setRaw({ text: next, from, problem });
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
        {wrong.length > 0 && (
          <Alert color="amber" mt="sm" title={t('entry.raw.ignored', { count: wrong.length })}>
            {formatList(wrong)}
          </Alert>
        )}
      </div>
    </section>
  );
}
