import { Input } from '@mantine/core';
import { useId, useState } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftField } from '../draft/draft';
import { setDefinition } from '../draft/edit';

/** The JSON Schema that the values of a JSON field are held to. */
export function JsonSchemaSetting({ field }: { field: DraftField }) {
  const { change, defects, readOnly } = useBuilder();
  const { schema } = field.definition;
  const [text, setText] = useState(() => (schema === undefined ? '' : JSON.stringify(schema, null, 2)));
  const [broken, setBroken] = useState(false);
  const id = useId();
  const edit = (next: string) => {
    setText(next);
    try {
      const value: unknown = next.trim() === '' ? undefined : JSON.parse(next);
      setBroken(false);
      change((it) => setDefinition(it, field.uid, { schema: value }));
    } catch {
      setBroken(true);
    }
  };
  const error = broken ? t('types.notJson') : defectOf(defects, field.uid, 'schema');
  return (
    <Input.Wrapper
      label={t('types.set.schema')}
      labelElement="div"
      labelProps={{ id }}
      description={t('types.schemaHint')}
      error={error}
    >
      <CodeEditor
        value={text}
        onChange={edit}
        language="json"
        labelledBy={id}
        readOnly={readOnly}
        minLines={6}
        maxLines={20}
        invalid={error !== undefined}
      />
    </Input.Wrapper>
  );
}
