import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBracesOff, IconCodeDots } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { descriptionIds, Frame } from '../Frame';
import type { InputProps } from '../types';
import { useProblem, useUnfinishedText } from '../problems';
import { compactJson, jsonText, parseJson, prettyJson, sameJson, unkeptNumber } from './json';

/** Any JSON. What is typed stays as it is typed, and becomes the value whenever it is whole. */
export default function JsonField(props: InputProps) {
  const { value, onChange, readOnly, id, label, path, bare, error } = props;
  const [kept, keep] = useUnfinishedText(path);
  const [text, setText] = useState(() => kept ?? jsonText(value));
  const parsed = parseJson(text);
  // What came from elsewhere (another version, a saved entry) replaces the text; its own echo does not.
  const [known, setKnown] = useState<unknown>(value);
  if (known !== value) {
    setKnown(value);
    if (parsed.value === undefined || !sameJson(parsed.value, value)) setText(jsonText(value));
  }
  // So does what is kept, when that is put back or dropped. At another path, it is that of another row.
  const [seen, setSeen] = useState({ path, kept });
  if (seen.path !== path || seen.kept !== kept) {
    setSeen({ path, kept });
    if (seen.path === path && (kept !== undefined || text === seen.kept)) setText(kept ?? jsonText(value));
  }
  const problem = problemOf(text, value);
  useProblem(path, problem);
  const isBroken = problem !== undefined;
  const keepBroken = useEffectEvent(() => keep(isBroken ? text : undefined));
  useEffect(() => {
    if (!isBroken) keep(undefined);
  }, [isBroken, keep]);
  useEffect(() => {
    keepBroken();
    // What is typed in a row goes with it, to another path or for good.
    return path.includes('[') ? () => keep(undefined) : undefined;
  }, [path, keep]);

  function type(next: string) {
    setText(next);
    const meant = parseJson(next);
    const isWrong = problemOf(next, value) !== undefined;
    keep(isWrong ? next : undefined);
    if (isWrong || sameJson(meant.value, value)) return;
    setKnown(meant.value);
    onChange(meant.value);
  }

  const aside = !readOnly && (
    <>
      <Reformat label={t('fields.json.pretty')} icon={<IconCodeDots size={16} aria-hidden />} onClick={() => setText(prettyJson(text))} disabled={problem !== undefined} />
      <Reformat label={t('fields.json.compact')} icon={<IconBracesOff size={16} aria-hidden />} onClick={() => setText(compactJson(text))} disabled={problem !== undefined} />
    </>
  );
  return (
    <Frame input={props} problem={problem} aside={aside}>
      <CodeEditor
        id={id}
        language="json"
        value={text}
        onChange={type}
        readOnly={readOnly}
        {...(bare ? { label } : { labelledBy: `${id}-label` })}
        describedBy={descriptionIds(props, problem)}
        invalid={Boolean(problem ?? error)}
        minLines={bare ? 2 : 4}
        maxLines={24}
      />
    </Frame>
  );
}

/** Returns the problem of a text that is to become the value in the place of another one. */
function problemOf(text: string, value: unknown): string | undefined {
  const { problem } = parseJson(text);
  if (problem !== undefined) return t('fields.json.broken', { problem });
  const number = unkeptNumber(text);
  // What is shown of a value is no harm until something of it is changed.
  const isChanged = number !== undefined && text !== jsonText(value) && text !== JSON.stringify(value);
  return isChanged ? t('fields.json.digits', { number }) : undefined;
}

function Reformat({ label, icon, ...rest }: { label: string; icon: React.ReactNode; onClick: () => void; disabled: boolean }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={label} {...rest}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
