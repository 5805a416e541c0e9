import { Button, Menu, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { fieldLabel } from '~/api/fields';
import { formatList, t } from '~/i18n';
import { LazyMenu } from './LazyMenu';
import type { RowKind } from './rows';
import classes from './rows.module.css';

interface AddRowProps {
  kinds: readonly RowKind[];
  /** True if one more may be added. */
  room: boolean;
  field: string;
  empty: boolean;
  onAdd: (kind: RowKind) => void;
}

/** Adds a row at the end; where there are several kinds, lets one choose. */
export function AddRow({ kinds, room, field, empty, onAdd }: AddRowProps) {
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
      {kinds.length === 1 && only ? (
        <Button {...look} onClick={() => onAdd(only)}>
          {only.name ? t('fields.rows.addKind', { kind: only.label }) : t('fields.rows.add')}
        </Button>
      ) : (
        <LazyMenu target={<Button {...look}>{t('fields.rows.add')}</Button>}>{() => <Kinds kinds={kinds} onAdd={onAdd} />}</LazyMenu>
      )}
      {!room && only && <span className={classes.full}>{t('fields.rows.full')}</span>}
    </div>
  );
}

interface AddBetweenProps {
  kinds: readonly RowKind[];
  /** The place of the new row: 1 is the first. */
  position: number;
  onAdd: (kind: RowKind) => void;
}

/** Adds a row between two others; shows itself where the mouse or the focus is. */
export function AddBetween({ kinds, position, onAdd }: AddBetweenProps) {
  const [only] = kinds;
  const label = t('fields.rows.insert', { position });
  const face = (
    <span className={classes.plus}>
      <IconPlus size={13} aria-hidden />
    </span>
  );
  if (kinds.length === 1 && only) {
    return (
      <UnstyledButton className={classes.between} aria-label={label} title={label} onClick={() => onAdd(only)}>
        {face}
      </UnstyledButton>
    );
  }
  return (
    <LazyMenu
      target={
        <UnstyledButton className={classes.between} aria-label={label} title={label}>
          {face}
        </UnstyledButton>
      }
    >
      {() => <Kinds kinds={kinds} onAdd={onAdd} />}
    </LazyMenu>
  );
}

/** The kinds of blocks to choose from, each with what it consists of. */
function Kinds({ kinds, onAdd }: { kinds: readonly RowKind[]; onAdd: (kind: RowKind) => void }) {
  return (
    <div className={classes.gallery}>
      {kinds.map((kind) => (
        <Menu.Item key={kind.name} onClick={() => onAdd(kind)}>
          <span className={classes.kindName}>{kind.label}</span>
          <span className={classes.kindParts}>
            {formatList(
              Object.entries(kind.fields)
                .slice(0, 4)
                .map(([name, it]) => fieldLabel(name, it)),
            )}
          </span>
        </Menu.Item>
      ))}
    </div>
  );
}
