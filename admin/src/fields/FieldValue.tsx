import { Group, Pill } from '@mantine/core';
import type { FieldDefinition } from '~/api/fields';
import { t } from '~/i18n';
import { MediaThumb } from '~/media/MediaThumb';
import { isColour } from './checks';
import type { FieldContext } from './types';
import classes from './fields.module.css';
import { chosenValues } from './options';
import { Titles } from './relation/Titles';
import { fitsKind, isEmpty } from './shape';
import { optionLabels, summarizeValue } from './summary';

interface FieldValueProps {
  definition: FieldDefinition;
  value: unknown;
  context: FieldContext;
}

const MOST = 4;

/** A value in short, to be read: in a list, in a comparison. Takes values of any shape. */
export function FieldValue({ definition, value, context }: FieldValueProps) {
  if (isEmpty(value)) {
    return (
      <span className={classes.none}>
        <span aria-hidden>–</span>
        <span className="visually-hidden">{t('fields.empty')}</span>
      </span>
    );
  }
  if (!fitsKind(definition, value)) return <Short text={summarizeValue(definition, value)} />;
  switch (definition.type) {
    case 'select':
      return definition.multiple ? <Pills labels={optionLabels(definition, value)} /> : <Short text={summarizeValue(definition, value)} />;
    case 'media':
      return <Pictures names={chosenValues(value)} workspace={context.workspace} />;
    case 'relation':
      return <Titles workspace={context.workspace} type={definition.target ?? ''} ids={chosenValues(value)} />;
    case 'color':
      return <Colour value={String(value)} />;
    default:
      return <Short text={summarizeValue(definition, value)} />;
  }
}

function Short({ text }: { text: string }) {
  return <span className={classes.short}>{text}</span>;
}

function Pills({ labels }: { labels: readonly string[] }) {
  return (
    <Group gap={4}>
      {labels.slice(0, MOST).map((label) => (
        <Pill key={label}>{label}</Pill>
      ))}
      <More count={labels.length - MOST} />
    </Group>
  );
}

function Pictures({ names, workspace }: { names: readonly string[]; workspace: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {names.slice(0, MOST).map((name) => (
        <MediaThumb key={name} workspace={workspace} filename={name} size={32} alt={name} />
      ))}
      <More count={names.length - MOST} />
    </Group>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <span className={classes.none}>{t('fields.more', { count })}</span> : null;
}

function Colour({ value }: { value: string }) {
  return (
    <span className={classes.short}>
      {isColour(value, true) && <span className={classes.swatch} style={{ background: value }} aria-hidden />}
      {value}
    </span>
  );
}
