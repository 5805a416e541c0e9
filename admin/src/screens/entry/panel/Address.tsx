import { Group, Text } from '@mantine/core';
import { Fragment, useDeferredValue, useMemo } from 'react';
import { useApp } from '~/api/session';
import { BASE } from '~/base';
import { FieldInput } from '~/fields/FieldInput';
import { slugify } from '~/fields/slug';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { errorsAt } from '../form/form';
import { useFormState } from '../form/store';

/** The slug. Until it is touched, the server makes it of the title, and it is shown as it will be. */
export function Address() {
  const { workspace, type, id, form, readOnly } = useEditing();
  const given = useFormState(form, ({ values }) => (values.slug ?? '') as string);
  const source = useDeferredValue(useFormState(form, ({ values }) => String(values[type.slug_source] || values.title || '')));
  const errors = useFormState(form, (state) => state.errors);
  const wrong = useMemo(() => errorsAt(errors, 'slug'), [errors]);
  const context = useMemo(() => ({ workspace, type: type.name, id, locale: '' }), [workspace, type.name, id]);
  const origin = useOrigin();
  const definition = useMemo(
    () => ({ type: 'slug' as const, label: t('entry.meta.slug'), ...(given === '' && { description: t(id ? 'entry.slugEmpty' : 'entry.slugAuto') }) }),
    [given, id],
  );
  const path = `/api/v1/workspaces/${workspace}/content/${type.name}/${given || slugify(source) || '…'}`;
  return (
    <>
      <FieldInput
        path="slug"
        name="slug"
        definition={definition}
        value={given}
        onChange={(next) => form.set('slug', next)}
        context={context}
        errors={wrong}
        readOnly={readOnly || type.fields.slug?.readonly === true}
        sourceValue={source}
      />
      <Group gap={4} wrap="nowrap" mt="xs" align="flex-start" justify="space-between">
        <Text component="code" c="dimmed" className={classes.address}>
          {path.split('/').map((part, index) => (
            // The parts of an address have no other names than their places.
            <Fragment key={index}>
              {index > 0 && '/'}
              <wbr />
              {part}
            </Fragment>
          ))}
        </Text>
        {id && <CopyButton value={`${origin}${path}`} label={t('entry.copyAddress')} />}
      </Group>
    </>
  );
}

/** Returns the address of the public API for the outside: the configured one, else that of this page. */
export function useOrigin(): string {
  return useApp()?.base_url.replace(/\/$/, '') || `${location.origin}${BASE}`;
}
