import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { queryClient } from '~/api/query';
import { useApp, useCan } from '~/api/session';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { PageHead } from '~/ui/PageHead';
import { ContentSettings, InstanceSettings } from './ContentSettings';
import { ApiSettings, MediaSettings } from './DeliverySettings';
import { changeBody, changedKeys, type SettingKey, type Values } from './values';

/** What every group of the form works with. */
export interface GroupProps {
  values: Values;
  set: (change: Partial<Values>) => void;
  /** What an input of a setting needs: whether it can be changed and why not, and what is wrong. */
  field: (key: SettingKey, hint?: string) => { disabled: boolean; description: string | undefined; error: string | undefined };
}

interface SettingsFormProps {
  stored: Values;
  /** Which settings something else decides, and what. */
  pinned: Readonly<Record<string, string>>;
}

/** The form of all settings, which is saved at once. */
export function SettingsForm({ stored, pinned }: SettingsFormProps) {
  const can = useCan();
  const app = useApp();
  const frozen = app?.features.read_only ?? false;
  const mayChange = can('settings.update', 'settings:*') && !frozen;
  const [change, setChange] = useState<Partial<Values>>({});
  const values = { ...stored, ...change };
  const dirty = changedKeys(stored, values).length > 0;
  const save = useMutation({
    mutationFn: async () => (await call(api.PUT('/admin/api/settings', { body: changeBody(stored, values) }))).data,
    onSuccess: async () => {
      await Promise.all(['settings', 'app', 'me', 'workspaces'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
      setChange({});
      showDone(t('settings.saved'));
    },
  });
  const submit = () => {
    if (dirty && !save.isPending) save.mutate();
  };
  useSaveKey(submit, mayChange);
  const errors = refusedFields(save.error);
  const group: GroupProps = {
    values,
    set: (more) => setChange({ ...change, ...more }),
    field: (key, hint) => {
      const by = pinned[key];
      return { disabled: !mayChange || by !== undefined, description: by ? t('settings.pinned', { what: by }) : hint, error: errors[key] };
    },
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <LeaveGuard dirty={dirty && !save.isPending} />
      <PageHead
        sticky
        title={t('settings.title')}
        description={dirty ? t('settings.unsaved') : t('settings.description')}
        actions={
          mayChange && (
            <Button type="submit" disabled={!dirty} loading={save.isPending}>
              {t('general.save')}
            </Button>
          )
        }
      />
      <Stack gap="lg">
        {!mayChange && <Alert role="note">{t(frozen ? 'settings.readOnlyServer' : 'settings.readOnly')}</Alert>}
        <FormError error={save.error} shown={Object.keys(values)} />
        <InstanceSettings {...group} />
        <ContentSettings {...group} />
        <MediaSettings {...group} />
        <ApiSettings {...group} />
      </Stack>
    </form>
  );
}
