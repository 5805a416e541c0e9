import { Alert, Button, Input, List, MultiSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { Grant } from '~/api/schema';
import { useMe } from '~/api/session';
import { useNames } from '~/grants/data';
import { GrantsEditor } from '~/grants/GrantsEditor';
import { grantSummary } from '~/grants/summary';
import { t } from '~/i18n';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { Expiry } from './Expiry';
import type { Issued } from './IssuedToken';
import { expiryTime, type Lifetime, type Preset, presetGrants, PRESETS } from './presets';
import { refreshTokens } from './token';
import classes from './Tokens.module.css';

const NINETY_DAYS: { lifetime: Lifetime; date: string | null } = { lifetime: '90', date: null };

interface NewTokenProps {
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}

/** Makes a token: for one of the usual purposes, or of grants put together by hand. */
export function NewToken({ onIssued, onClose }: NewTokenProps) {
  const [begin] = useState(() => ({ name: '', description: '', permissions: presetGrants('build', []) }));
  const [valid, setValid] = useState(true);
  const [ends, setEnds] = useState(NINETY_DAYS);
  const [wrongDay, setWrongDay] = useState(false);
  const form = useRecordForm({
    stored: begin,
    allowUnchanged: true,
    isValid: () => valid && (ends.lifetime !== 'date' || (ends.date !== null && !wrongDay)),
    save: async (values) => {
      const expires_at = expiryTime(ends.lifetime, ends.date, Date.now());
      return (await call(api.POST('/admin/api/tokens', { body: { ...values, ...(expires_at && { expires_at }) } }))).data;
    },
    onSaved: (issued) => {
      onIssued({ token: issued.token, name: issued.name, permissions: issued.permissions });
      return refreshTokens();
    },
  });
  return (
    <RecordForm form={form} shown={['name', 'description', 'expires_at', 'permissions']}>
      <TextInput
        label={t('tokens.name')}
        description={t('tokens.nameHint')}
        {...form.getInputProps('name')}
        required
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        label={t('tokens.note')}
        description={t('tokens.noteHint')}
        {...form.getInputProps('description')}
        autosize
        minRows={1}
        maxRows={5}
      />
      <Purpose
        grants={form.values.permissions}
        onChange={(permissions) => form.setValues({ permissions })}
        onValid={setValid}
        errors={form.errors}
      />
      <Expiry {...ends} onChange={setEnds} onTyping={setWrongDay} error={form.errors.expires_at} />
      <FormFooter form={form} submitLabel={t('general.create')} onClose={onClose} />
    </RecordForm>
  );
}

interface PurposeProps {
  grants: Grant[];
  onChange: (grants: Grant[]) => void;
  onValid: (valid: boolean) => void;
  errors: Readonly<Record<string, string>>;
}

function Purpose({ grants, onChange, onValid, errors }: PurposeProps) {
  const me = useMe();
  const names = useNames(grants);
  const [preset, setPreset] = useState<Preset>('build');
  const [scope, setScope] = useState<string[]>([]);
  const workspaces = me.workspaces.filter((it) => !it.archived);
  const choose = (next: Preset, inside: string[]) => {
    setPreset(next);
    setScope(inside);
    onValid(true);
    if (next !== 'custom') onChange(presetGrants(next, inside));
  };
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t('tokens.may')}
        description={t('tokens.tooMuch')}
        value={preset}
        onChange={(value) => choose(PRESETS.find((it) => it === value) ?? 'custom', scope)}
      >
        <Stack gap="xs" mt="xs">
          {PRESETS.map((it) => (
            <div key={it} className={classes.preset} data-checked={preset === it || undefined}>
              <Radio value={it} label={t(`tokens.preset.${it}`)} description={t(`tokens.preset.${it}.hint`)} />
            </div>
          ))}
        </Stack>
      </Radio.Group>
      {preset === 'custom' ? (
        <GrantsEditor grants={grants} onChange={onChange} onValid={onValid} errors={errors} />
      ) : (
        <>
          {workspaces.length > 1 && (
            <MultiSelect
              label={t('tokens.scope')}
              placeholder={scope.length === 0 ? t('tokens.scopeAll') : undefined}
              data={workspaces.map((it) => ({ value: it.slug, label: it.label }))}
              value={scope}
              onChange={(inside) => choose(preset, inside)}
            />
          )}
          <Alert role="note" title={t('tokens.preset.inWords')} color="gray">
            <List size="sm" spacing={2}>
              {grants.map((grant) => (
                <List.Item key={grant.actions.join()}>{grantSummary(grant, names)}</List.Item>
              ))}
            </List>
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => choose('custom', scope)}>
              {t('tokens.customise')}
            </Button>
          </Alert>
        </>
      )}
      {errors.permissions && (
        <Input.Error role="alert">
          <Text size="sm" span>
            {errors.permissions}
          </Text>
        </Input.Error>
      )}
    </Stack>
  );
}
