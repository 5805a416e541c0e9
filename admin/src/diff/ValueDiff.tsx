import { Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type FieldDefinition, fieldLabel } from '~/api/fields';
import { FieldValue } from '~/fields/FieldValue';
import { blockType, innerFields } from '~/fields/shape';
import { t } from '~/i18n';
import { ChangeBadge, ChoicesDiff, MediaDiff } from './ItemsDiff';
import { LineDiff } from './LineDiff';
import { diffList, type ListChange } from './lists';
import { TextDiff } from './TextDiff';
import type { ValueDiffProps } from './types';
import classes from './diff.module.css';
import { asList, asRecord, blockId, comparisonOf, isEmptyValue, isSameValue, toText } from './values';

/** The change of one field: words of a text, lines of markdown, items of a list, pictures. */
export function ValueDiff(props: ValueDiffProps) {
  const { definition, before, after, context } = props;
  if (isEmptyValue(before) && isEmptyValue(after)) return <Nothing />;
  switch (comparisonOf(definition)) {
    case 'words':
      // What a hand wrote into a file may be of another kind than the field.
      return <TextDiff before={toText(before)} after={toText(after)} />;
    case 'lines':
      return <LineDiff before={toText(before)} after={toText(after)} code={definition.type !== 'markdown'} />;
    case 'media':
      return <MediaDiff workspace={context.workspace} before={asList(before)} after={asList(after)} />;
    case 'choices':
      return <ChoicesDiff {...props} before={asList(before)} after={asList(after)} />;
    case 'groups':
      return <GroupsDiff {...props} before={asList(before)} after={asList(after)} />;
    case 'parts':
      return <PartsDiff {...props} />;
    case 'plain':
      return <PlainDiff {...props} />;
  }
}

/** One value and then the other: numbers, dates, a colour. */
function PlainDiff({ definition, before, after, context }: ValueDiffProps) {
  const shown = (value: unknown) => (isEmptyValue(value) ? <Nothing /> : <FieldValue definition={definition} value={value} context={context} />);
  if (isSameValue(before, after)) return <div>{shown(after)}</div>;
  return (
    <div className={classes.plain}>
      <del className={classes.removed}>
        <span className="visually-hidden">{t('revisions.diff.removed')} </span>
        {shown(before)}
      </del>
      <IconArrowRight size={16} aria-hidden className={classes.arrow} />
      <ins className={classes.added}>
        <span className="visually-hidden">{t('revisions.diff.added')} </span>
        {shown(after)}
      </ins>
    </div>
  );
}

/** The fields inside a value: those that changed; all of them where there was nothing to compare. */
function PartsDiff({ definition, before, after, context }: ValueDiffProps) {
  const [old, fresh] = [asRecord(before), asRecord(after)];
  const fields = { ...innerFields(definition, before), ...innerFields(definition, after) };
  const names = [...new Set([...Object.keys(fields), ...Object.keys(old), ...Object.keys(fresh)])].filter((it) => !it.startsWith('_'));
  const shown = names.filter((name) => !(isEmptyValue(old[name]) && isEmptyValue(fresh[name])) && !isSameValue(old[name], fresh[name]));
  return (
    <dl className={classes.parts}>
      {shown.map((name) => (
        <div key={name}>
          <Text component="dt" size="xs" fw={600} c="dimmed">
            {fieldLabel(name, fields[name])}
          </Text>
          <dd>
            <ValueDiff definition={fields[name] ?? { type: 'json' }} before={old[name]} after={fresh[name]} context={context} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Items of a repeater, blocks: those that came, went, moved or changed. */
function GroupsDiff({ definition, before, after, context }: ValueDiffProps & { before: readonly unknown[]; after: readonly unknown[] }) {
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

/** There is no value. */
function Nothing() {
  return (
    <Text span c="dimmed" fs="italic" size="sm">
      {t('revisions.diff.nothing')}
    </Text>
  );
}
