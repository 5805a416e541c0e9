import { fieldLabel } from '~/api/fields';
import { Text } from '@mantine/core';
import classes from './diff.module.css';
import { ValueDiff, type ValueDiffProps } from './ValueDiff';
import { asRecord, innerFields, isNothing, sameValue } from './values';

/** The fields inside a value: those that changed; all of them where there was nothing to compare. */
export function PartsDiff({ definition, before, after, context }: ValueDiffProps) {
  const [old, fresh] = [asRecord(before), asRecord(after)];
  const fields = { ...innerFields(definition, before), ...innerFields(definition, after) };
  const names = [...new Set([...Object.keys(fields), ...Object.keys(old), ...Object.keys(fresh)])].filter((it) => !it.startsWith('_'));
  const shown = names.filter((name) => !(isNothing(old[name]) && isNothing(fresh[name])) && !sameValue(old[name], fresh[name]));
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
