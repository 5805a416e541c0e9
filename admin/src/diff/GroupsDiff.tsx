import { Text } from '@mantine/core';
import { type FieldDefinition, fieldLabel } from '~/api/fields';
import { t } from '~/i18n';
import classes from './diff.module.css';
import { ChangeBadge } from './ItemsDiff';
import { diffList, type ListChange } from './lists';
import { PartsDiff } from './PartsDiff';
import type { ValueDiffProps } from './ValueDiff';
import { blockId, blockType } from './values';

/** Items of a repeater, blocks: those that came, went, moved or changed. */
export function GroupsDiff({ definition, before, after, context }: ValueDiffProps & { before: readonly unknown[]; after: readonly unknown[] }) {
  const changes = diffList(before, after, blockId);
  const unchanged = changes.filter((it) => it.kind === 'same').length;
  return (
    <>
      <ol className={classes.groups}>
        {changes.map((change) =>
          change.kind === 'same' ? null : (
            <li key={`${change.kind}${'is' in change ? change.is : `-${change.was}`}`} data-kind={change.kind}>
              <div className={classes.groupHead}>
                <Text span size="sm" fw={600}>
                  {groupName(definition, change)}
                </Text>
                {change.kind !== 'changed' && <ChangeBadge kind={change.kind} />}
                {change.kind === 'changed' && change.moved && <ChangeBadge kind="moved" />}
                {(change.kind === 'moved' || (change.kind === 'changed' && change.moved)) && (
                  <Text span size="xs" c="dimmed">
                    {t('revisions.diff.fromTo', { from: change.was + 1, to: change.is + 1 })}
                  </Text>
                )}
              </div>
              <PartsDiff
                definition={definition}
                before={'before' in change ? change.before : undefined}
                after={'after' in change ? change.after : undefined}
                context={context}
              />
            </li>
          ),
        )}
      </ol>
      {unchanged > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('revisions.diff.unchangedItems', { count: unchanged })}
        </Text>
      )}
    </>
  );
}

function groupName(definition: FieldDefinition, change: ListChange): string {
  const item = change.kind === 'removed' ? change.before : change.after;
  const number = (change.kind === 'removed' ? change.was : change.is) + 1;
  const type = blockType(item);
  if (type === undefined) return t('revisions.diff.item', { number });
  const block = definition.blocks?.[type];
  return t('revisions.diff.block', { number, name: block?.label ?? fieldLabel(type, undefined) });
}
