import { Alert, Button, Code, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '~/i18n';
import classes from './fields.module.css';
import { Frame } from './Frame';
import type { InputProps } from './types';
import { convertValue } from './shape';

/** A value that its field cannot hold: shown as it is, until somebody decides what becomes of it. */
export function WrongShape(props: InputProps) {
  const { definition, value, onChange, readOnly, id, bare } = props;
  const better = convertValue(definition, value);
  return (
    <Frame input={props}>
      <Alert
        id={id}
        tabIndex={-1}
        mt={bare ? 0 : 4}
        color="amber"
        icon={<IconAlertTriangle size={18} aria-hidden />}
        title={t('fields.wrong.title')}
      >
        <Code block className={classes.raw}>
          {JSON.stringify(value, null, 2)}
        </Code>
        {!readOnly && (
          <Group gap="xs" mt="xs">
            {better !== undefined && (
              <Button size="compact-sm" variant="default" onClick={() => onChange(better)}>
                {t('fields.wrong.use', { value: short(JSON.stringify(better)) })}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
              {t('fields.wrong.replace')}
            </Button>
          </Group>
        )}
      </Alert>
    </Frame>
  );
}

/** A field of a kind that this version does not know: shown, and left as it is. */
export function UnknownKind(props: InputProps) {
  return (
    <Frame input={props}>
      <Alert id={props.id} tabIndex={-1} mt={4} color="gray" title={t('fields.wrong.unknown', { kind: String(props.definition.type) })}>
        <Code block className={classes.raw}>
          {JSON.stringify(props.value ?? null, null, 2)}
        </Code>
      </Alert>
    </Frame>
  );
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
