import { ActionIcon, Alert, Button, Group, Modal, Select, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { refreshChanges } from '~/api/changes/queries';
import { createPreviewLink, revokePreviewLink } from '~/api/changes/requests';
import type { Change, NewPreview, PreviewLink } from '~/api/schema';
import { useApp, useContentTypes } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { confirm } from '~/ui/feedback';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { Time } from '~/ui/Time';
import { useRecordForm } from '~/ui/useRecordForm';
import { useWorkspace } from '~/workspace';
import { placeOf } from '../change';
import classes from '../changes.module.css';
import { previewAddresses } from './preview-addresses';
import type { ChangeActions } from './useChangeActions';

interface PreviewsProps {
  id: string;
  change: Change;
  actions: ChangeActions;
}

/** The links with which somebody without an account sees the change. */
export function Previews({ id, change, actions }: PreviewsProps) {
  const [making, setMaking] = useState(false);
  const { previews, may } = change;
  if (previews.length === 0 && !may.manage) return null;
  return (
    <section className={classes.panel} aria-labelledby="change-previews">
      <Title order={2} size="h4" id="change-previews" mb={6}>
        {t('changes.previews')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('changes.previewsHint')}
      </Text>
      {previews.length > 0 && (
        <ul className={classes.rows}>
          {previews.map((it) => (
            <Link key={it.id} link={it} id={id} change={change} actions={actions} />
          ))}
        </ul>
      )}
      {may.manage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setMaking(true)}
          disabled={change.entries.length === 0}
        >
          {t('changes.newPreview')}
        </Button>
      )}
      <PreviewDialog id={id} change={change} opened={making} onClose={() => setMaking(false)} />
    </section>
  );
}

interface LinkProps extends PreviewsProps {
  link: PreviewLink;
}

function Link({ link, id, change, actions }: LinkProps) {
  const about = change.entries.find((it) => placeOf(it) === link.entry);
  const name = link.entry ? (about?.title ?? link.entry) : t('changes.wholeChange');
  const revoke = async () => {
    const sure = await confirm({ title: t('changes.revokeTitle'), body: t('changes.revokeBody'), action: t('changes.revoke'), danger: true });
    if (sure) await actions.attempt(`revoke ${link.id}`, () => revokePreviewLink(id, link.id), t('changes.done.revoke'));
  };
  return (
    <li>
      <Text size="sm">
        {name}
        <Text span size="xs" c="dimmed" display="block">
          {t('changes.ends')} <Time value={link.expires_at} />
        </Text>
      </Text>
      {change.may.manage && (
        <Tooltip label={t('changes.revoke')}>
          <ActionIcon onClick={() => void revoke()} loading={actions.pending === `revoke ${link.id}`} aria-label={t('changes.revokeNamed', { name })}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** In days. */
const LIFETIMES = ['1', '7', '30', '90'] as const;
const WHOLE = 'whole';
const BEGIN: { entry: string; days: (typeof LIFETIMES)[number] } = { entry: WHOLE, days: '7' };

interface PreviewDialogProps {
  id: string;
  change: Change;
  opened: boolean;
  onClose: () => void;
}

/** Makes a link, and shows it once. */
function PreviewDialog({ id, change, opened, onClose }: PreviewDialogProps) {
  const [made, setMade] = useState<NewPreview>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={t(made ? 'changes.previewMade' : 'changes.newPreview')}
      closeOnClickOutside={!made}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {made ? <Made made={made} change={change} onClose={close} /> : <NewLink id={id} change={change} onMade={setMade} onClose={close} />}
    </Modal>
  );
}

interface NewLinkProps {
  id: string;
  change: Change;
  onMade: (made: NewPreview) => void;
  onClose: () => void;
}

function NewLink({ id, change, onMade, onClose }: NewLinkProps) {
  const workspace = useWorkspace();
  const entries = change.entries.filter((it) => it.action !== 'delete');
  const form = useRecordForm({
    stored: BEGIN,
    allowUnchanged: true,
    save: ({ entry, days }) => createPreviewLink(id, { ...(entry !== WHOLE && { entry }), days: Number(days) }),
    onSaved: (made) => {
      onMade(made);
      return refreshChanges(workspace);
    },
  });
  return (
    <RecordForm form={form}>
      <Select
        label={t('changes.previewOf')}
        data={[
          { value: WHOLE, label: t('changes.wholeChange') },
          ...entries.map((it) => ({ value: placeOf(it), label: it.title || t('general.untitled') })),
        ]}
        searchable={entries.length > 10}
        {...form.getInputProps('entry')}
        data-autofocus
      />
      <Select
        label={t('changes.previewDays')}
        data={LIFETIMES.map((it) => ({ value: it, label: t('changes.days', { count: Number(it) }) }))}
        {...form.getInputProps('days')}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('general.cancel')}
        </Button>
        <SubmitButton form={form}>{t('general.create')}</SubmitButton>
      </Group>
    </RecordForm>
  );
}

/** The only time that the secret of a link is to be seen. */
function Made({ made, change, onClose }: { made: NewPreview; change: Change; onClose: () => void }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const base = useApp()?.base_url ?? `${location.origin}${withBase('')}`;
  const entries = change.entries.filter((it) => it.action !== 'delete' && (!made.link.entry || placeOf(it) === made.link.entry));
  const addresses = previewAddresses({ base, workspace, token: made.token, types, entries });
  return (
    <Stack gap="md">
      <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {t('changes.previewOnce')}
      </Alert>
      {addresses.map(({ label, url }) => (
        <div key={url}>
          <Group justify="space-between" mb={4} wrap="nowrap">
            <Text size="sm" fw={600}>
              {label}
            </Text>
            <CopyButton value={url} label={t('changes.copyNamed', { name: label })} />
          </Group>
          <div className={classes.code}>{url}</div>
        </div>
      ))}
      <div>
        <Group justify="space-between" mb={4} wrap="nowrap">
          <Text size="sm" fw={600}>
            {t('changes.previewToken')}
          </Text>
          <CopyButton value={made.token} label={t('changes.copyNamed', { name: t('changes.previewToken') })} />
        </Group>
        <div className={classes.code} data-testid="preview-token">
          {made.token}
        </div>
        <Text size="xs" c="dimmed" mt={4}>
          {t('changes.previewTokenHint')}
        </Text>
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('changes.previewDone')}</Button>
      </Group>
    </Stack>
  );
}
