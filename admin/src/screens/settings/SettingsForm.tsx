import { Alert } from '@mantine/core';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Settings } from '~/api/schema';
import { useApp, useCan } from '~/api/session';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { PageHead } from '~/ui/PageHead';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { ChangeSettings } from './ChangeSettings';
import { ContentSettings, InstanceSettings } from './ContentSettings';
import { ApiSettings, MediaSettings } from './DeliverySettings';
import { PictureSettings } from './PictureSettings';
import type { GroupProps } from './types';
import { flawsOf, type Preset, sentValues, settingsValues } from './values';

/** The keys of all answers that show settings. */
const SHOWN_SETTINGS = [queryKeys.settings, queryKeys.app, queryKeys.me, queryKeys.workspaces];

interface SettingsFormProps {
  stored: Settings;
  /** The settings that something else decides, with its name. */
  pinned: Readonly<Record<string, string>>;
}

/** The form of all settings, which are saved at once. */
export function SettingsForm({ stored, pinned }: SettingsFormProps) {
  const can = useCan();
  const app = useApp();
  const frozen = app?.features.read_only ?? false;
  const mayChange = can('settings.update', 'settings:*') && !frozen;
  const [order, setOrder] = useState<readonly Preset[]>([]);
  const values = settingsValues(stored, order);
  const form = useRecordForm({
    stored: values,
    readOnly: !mayChange,
    save: async (_, changed) => (await call(api.PUT('/admin/api/settings', { body: sentValues(changed) }))).data,
    settle: (saved, sent) => {
      setOrder(sent.images.presets);
      return settingsValues(saved, sent.images.presets);
    },
    check: ({ images }) => flawsOf(images.presets),
    onSaved: async () => {
      await Promise.all(SHOWN_SETTINGS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      showDone(t('settings.saved'));
    },
  });
  const group: GroupProps = {
    form,
    field: (path, hint) => {
      const by = pinned[path];
      return {
        ...form.getInputProps(path),
        disabled: !mayChange || by !== undefined,
        description: by ? t('settings.pinned', { what: by }) : hint,
      };
    },
  };
  return (
    <RecordForm
      form={form}
      withGuard
      gap="lg"
      head={
        <PageHead
          sticky
          title={t('settings.title')}
          description={form.isDirty ? t('settings.unsaved') : t('settings.description')}
          actions={mayChange && <SubmitButton form={form} />}
        />
      }
    >
      {!mayChange && <Alert role="note">{t(frozen ? 'settings.readOnlyServer' : 'settings.readOnly')}</Alert>}
      <InstanceSettings {...group} />
      <ContentSettings {...group} />
      <ChangeSettings {...group} />
      <MediaSettings {...group} />
      <PictureSettings {...group} stored={values.images.presets} />
      <ApiSettings {...group} />
    </RecordForm>
  );
}
