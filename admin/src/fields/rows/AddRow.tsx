import { Button, UnstyledButton } from '@mantine/core';
import { IconClipboard, IconPlus } from '@tabler/icons-react';
import type { FieldDefinition, Preset } from '~/api/fields';
import { t } from '~/i18n';
import type { Clip } from './clip';
import { takesAny } from './fit';
import { KindMenu } from './KindMenu';
import type { RowKind } from './rows';
import classes from './rows.module.css';
import { useKeptClip } from './usePaste';

interface Additions {
  kinds: readonly RowKind[];
  presets: readonly Preset[];
  onAdd: (kind: RowKind) => void;
  onPreset: (preset: Preset) => void;
}

interface AddRowProps extends Additions {
  /** True if one more may be added. */
  room: boolean;
  field: string;
  empty: boolean;
  definition: FieldDefinition;
  onPaste: (clip: Clip) => void;
}

/** Adds a row at the end; where there are several kinds, lets one choose. */
export function AddRow({ room, field, empty, definition, onPaste, ...additions }: AddRowProps) {
  const { kinds, presets, onAdd } = additions;
  const [only] = kinds;
  const look = {
    size: 'xs',
    variant: 'default',
    disabled: !room || !only,
    leftSection: <IconPlus size={15} aria-hidden />,
    'aria-label': t('fields.rows.addNamed', { field }),
    'data-add': true,
  } as const;
  return (
    <div className={classes.add} data-empty={empty || undefined}>
      {kinds.length === 1 && presets.length === 0 && only ? (
        <Button {...look} onClick={() => onAdd(only)}>
          {only.name ? t('fields.rows.addKind', { kind: only.label }) : t('fields.rows.add')}
        </Button>
      ) : (
        <KindMenu target={<Button {...look}>{t('fields.rows.add')}</Button>} {...additions} />
      )}
      {room && <PasteButton definition={definition} field={field} onPaste={onPaste} />}
      {!room && only && <span className={classes.full}>{t('fields.rows.full')}</span>}
    </div>
  );
}

/** Pastes the rows that were copied last; there only where some of them fit. */
function PasteButton({ definition, field, onPaste }: Pick<AddRowProps, 'definition' | 'field' | 'onPaste'>) {
  const clip = useKeptClip();
  if (!clip || !takesAny(definition, clip.rows)) return null;
  const label = t('fields.rows.paste', { count: clip.rows.length });
  return (
    <Button size="xs" variant="subtle" leftSection={<IconClipboard size={15} aria-hidden />} onClick={() => onPaste(clip)} aria-label={`${label}: ${field}`}>
      {label}
    </Button>
  );
}

interface AddBetweenProps extends Additions {
  /** The place of the new row: 1 is the first. */
  position: number;
}

/** Adds a row between two others; shows itself where the mouse or the focus is. */
export function AddBetween({ position, ...additions }: AddBetweenProps) {
  const { kinds, presets, onAdd } = additions;
  const [only] = kinds;
  const label = t('fields.rows.insert', { position });
  const look = {
    className: classes.between,
    'aria-label': label,
    title: label,
    'data-between': true,
    children: (
      <span className={classes.plus}>
        <IconPlus size={13} aria-hidden />
      </span>
    ),
  };
  if (kinds.length === 1 && presets.length === 0 && only) return <UnstyledButton {...look} onClick={() => onAdd(only)} />;
  return <KindMenu target={<UnstyledButton {...look} />} {...additions} />;
}
