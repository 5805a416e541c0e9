import { ActionIcon, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useApp } from '~/api/session';
import { BASE } from '~/base';
import { fieldId } from '~/fields/FieldInput';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useEditing } from './context';
import classes from './Editor.module.css';
import { slugify } from './slug';
import { useForm } from './store';

/** The slug. Until it is touched, the server makes it of the title, and it is shown as it will be. */
export function Address() {
  const { workspace, type, form, readOnly } = useEditing();
  const given = useForm(form, ({ values }) => (values.slug ?? '') as string);
  const made = useForm(form, ({ values }) => slugify(String(values[type.slug_source] ?? values.title ?? '')));
  const isNew = useForm(form, ({ entry }) => entry === undefined);
  const error = useForm(form, ({ errors }) => errors.slug);
  const origin = useOrigin();
  const auto = given === '';
  const slug = given || made;
  const path = `/api/v1/workspaces/${workspace}/content/${type.name}/${slug || '…'}`;
  return (
    <>
      <TextInput
        id={fieldId('slug')}
        label={t('entry.meta.slug')}
        description={auto ? t(isNew ? 'entry.slugAuto' : 'entry.slugEmpty') : undefined}
        value={given}
        placeholder={made}
        onChange={(event) => form.set('slug', event.currentTarget.value)}
        // As the server will write it.
        onBlur={() => given && form.set('slug', slugify(given) || given)}
        readOnly={readOnly || type.fields.slug?.readonly === true}
        error={error}
        spellCheck={false}
        autoComplete="off"
        rightSection={
          !readOnly &&
          made !== '' &&
          given !== made &&
          !(auto && isNew) && (
            <Tooltip label={t('entry.slugMake')}>
              <ActionIcon onClick={() => form.set('slug', isNew ? '' : made)} aria-label={t('entry.slugMake')}>
                <IconRefresh size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      <Group gap={4} wrap="nowrap" mt="xs" align="flex-start" justify="space-between">
        <Text component="code" c="dimmed" className={classes.address}>
          {path}
        </Text>
        {!isNew && <CopyButton value={`${origin}${path}`} label={t('entry.copyAddress')} />}
      </Group>
    </>
  );
}

/** Where the public API is for the outside: what is configured, else what this page came from. */
export function useOrigin(): string {
  return useApp()?.base_url.replace(/\/$/, '') || `${location.origin}${BASE}`;
}
