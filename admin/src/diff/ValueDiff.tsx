import { Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { FieldDefinition } from '~/api/fields';
import { type FieldContext, FieldValue } from '~/fields/FieldInput';
import { t } from '~/i18n';
import { GroupsDiff } from './GroupsDiff';
import { ChoicesDiff, MediaDiff } from './ItemsDiff';
import { LineDiff } from './LineDiff';
import { PartsDiff } from './PartsDiff';
import { TextDiff } from './TextDiff';
import classes from './diff.module.css';
import { asList, comparisonOf, isNothing, sameValue, written } from './values';

export interface ValueDiffProps {
  definition: FieldDefinition;
  before: unknown;
  after: unknown;
  context: FieldContext;
}

/** What changed in one field: words of a text, lines of markdown, items of a list, pictures. */
export function ValueDiff(props: ValueDiffProps) {
  const { definition, before, after, context } = props;
  if (isNothing(before) && isNothing(after)) return <Nothing />;
  switch (comparisonOf(definition)) {
    case 'words':
      // What a hand wrote into a file may be of another kind than the field.
      return <TextDiff before={written(before)} after={written(after)} />;
    case 'lines':
      return <LineDiff before={written(before)} after={written(after)} code={definition.type !== 'markdown'} />;
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
  const shown = (value: unknown) => (isNothing(value) ? <Nothing /> : <FieldValue definition={definition} value={value} context={context} />);
  if (sameValue(before, after)) return <div>{shown(after)}</div>;
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

/** There is no value. */
function Nothing() {
  return (
    <Text span c="dimmed" fs="italic" size="sm">
      {t('revisions.diff.nothing')}
    </Text>
  );
}
