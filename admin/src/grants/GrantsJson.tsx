import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Grant } from '~/api/schema';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { parseGrants } from './json';

interface GrantsJsonProps {
  grants: readonly Grant[];
  onChange: (grants: Grant[]) => void;
  onValid: ((valid: boolean) => void) | undefined;
  readOnly: boolean;
}

/** The grants as the API keeps them. */
export function GrantsJson({ grants, onChange, onValid, readOnly }: GrantsJsonProps) {
  const [text, setText] = useState(() => JSON.stringify(grants, null, 2));
  const [problem, setProblem] = useState('');
  const change = (typed: string) => {
    setText(typed);
    const parsed = parseGrants(typed);
    setProblem('problem' in parsed ? parsed.problem : '');
    onValid?.('grants' in parsed);
    if ('grants' in parsed) onChange(parsed.grants);
  };
  return (
    <>
      <CodeEditor
        language="json"
        label={t('roles.grants.jsonLabel')}
        value={text}
        onChange={change}
        readOnly={readOnly}
        minLines={12}
        maxLines={32}
        invalid={problem !== ''}
      />
      <Text size="sm" c="red" mt={4} role="alert">
        {problem}
      </Text>
    </>
  );
}
