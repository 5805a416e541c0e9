import { Alert, Button, Group, Input, List, MultiSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { Grant } from '~/api/schema';
import { useMe } from '~/api/session';
import { useNames } from '~/grants/data';
import { GrantsEditor } from '~/grants/GrantsEditor';
import { grantSummary } from '~/grants/summary';
import { t } from '~/i18n';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { Expiry } from './Expiry';
import type { Issued } from './IssuedToken';
import { expiry, type Lifetime, type Preset, PRESETS, presetGrants } from './presets';
import { tokensChanged } from './token';
import classes from './Tokens.module.css';

interface NewTokenProps {
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}

/** Makes a token: for one of the usual purposes, or of grants put together by hand. */
export function NewToken({ onIssued, onClose }: NewTokenProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [grants, setGrants] = useState<Grant[]>(() => presetGrants('build', []));
  const [valid, setValid] = useState(true);
  const [ends, setEnds] = useState<{ lifetime: Lifetime; date: string | null }>({ lifetime: '90', date: null });
  const create = useMutation({
    mutationFn: async () => {
      const expires_at = expiry(ends.lifetime, ends.date, Date.now());
      const body = { name, description, permissions: grants, ...(expires_at && { expires_at }) };
      return (await call(api.POST('/admin/api/tokens', { body }))).data;
    },
    onSuccess: async (issued) => {
      onIssued({ token: issued.token, name: issued.name, permissions: issued.permissions });
      await tokensChanged();
    },
  });
  const ready = valid && !create.isPending && (ends.lifetime !== 'date' || ends.date !== null);
  const submit = () => {
    if (ready) create.mutate();
  };
  useSaveKey(submit);
  const errors = refusedFields(create.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <FormError error={create.error} shown={['name', 'description', 'expires_at', 'permissions']} />
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          required
          autoComplete="off"
          data-autofocus
        />
        <Textarea
          label={t('tokens.note')}
          description={t('tokens.noteHint')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={errors.description}
          autosize
          minRows={1}
          maxRows={5}
        />
        <Purpose grants={grants} onChange={setGrants} onValid={setValid} errors={errors} />
        <Expiry {...ends} onChange={setEnds} error={errors.expires_at} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!ready}>
            {t('general.create')}
          </Button>
        </Group>
      </Stack>
    </form>
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
