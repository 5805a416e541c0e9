import { Text } from '@mantine/core';
import { CodeEditor } from '~/code/CodeEditor';
import { t } from '~/i18n';
import { Counter } from '../Counter';
import { descriptionIds, Frame } from '../Frame';
import type { InputProps } from '../types';
import { useBlurCheck } from '../useBlurCheck';

/** A text in HTML, as source. */
export default function HtmlField(props: InputProps) {
  const { value, onChange, readOnly, id, label, bare, definition, error } = props;
  const text = typeof value === 'string' ? value : '';
  const { problem, leave } = useBlurCheck(definition, text);
  return (
    <Frame input={props} problem={problem}>
      <div onBlur={leave}>
        <CodeEditor
          id={id}
          language="html"
          value={text}
          onChange={(next) => onChange(next === '' ? null : next)}
          readOnly={readOnly}
          {...(bare ? { label } : { labelledBy: `${id}-label` })}
          describedBy={descriptionIds(props, problem)}
          invalid={Boolean(problem ?? error)}
          minLines={bare ? 2 : 5}
          maxLines={28}
        />
      </div>
      <Counter text={text} max={definition.max_length} />
      {!bare && !readOnly && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('fields.html.cleaned')}
        </Text>
      )}
    </Frame>
  );
}
