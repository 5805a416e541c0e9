import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { EntryBrief } from '~/api/briefs';
import { t } from '~/i18n';
import { StatusChip } from '~/ui/StatusChip';
import { Waiting } from '~/ui/Waiting';
import { Handle, useSortableItem } from '../sort/SortableList';
import classes from './relation.module.css';

interface PickedEntryProps {
  id: string;
  /** Not known yet; `null` when there is none, or none for this user. */
  brief: EntryBrief | null | undefined;
  workspace: string;
  type: string;
  sortable: boolean;
  onRemove?: ((id: string) => void) | undefined;
  /** The id of the element that takes the focus for the field, when this entry does. */
  focusId: string | undefined;
}

/** An entry that is picked. */
export function PickedEntry({ id, brief, workspace, type, sortable, onRemove, focusId }: PickedEntryProps) {
  const { ref, style, dragging, handle } = useSortableItem(id, !sortable);
  const name = brief ? brief.title || t('general.untitled') : id;
  return (
    <li ref={ref} style={style} className={classes.picked} data-dragging={dragging || undefined} data-missing={brief === null || undefined} id={focusId} tabIndex={focusId ? -1 : undefined}>
      {sortable && <Handle handle={handle} name={name} />}
      <div className={classes.title}>
        {brief === undefined && <Waiting quiet what={id} heights={[14]} />}
        {brief === null && (
          <Text size="sm" className={classes.missing}>
            <IconAlertTriangle size={15} aria-hidden /> {t('fields.relation.gone')} <code>{id}</code>
          </Text>
        )}
        {brief && (
          <Text size="sm" truncate>
            {name}
          </Text>
        )}
      </div>
      {brief && <StatusChip entry={brief} />}
      {brief && (
        <Tooltip label={t('fields.relation.open')}>
          <ActionIcon
            renderRoot={(root) => <Link to="/w/$workspace/content/$type/$id" params={{ workspace, type, id }} target="_blank" rel="noopener noreferrer" {...root} />}
            aria-label={t('fields.relation.openNamed', { name })}
          >
            <IconExternalLink size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {onRemove && (
        <Tooltip label={t('fields.remove')}>
          <ActionIcon onClick={() => onRemove(id)} aria-label={t('fields.removeNamed', { name })}>
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}
