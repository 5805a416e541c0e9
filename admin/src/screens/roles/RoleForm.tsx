import { Alert, Badge, Button, Card, Checkbox, Grid, Group, Text, TextInput, Title } from '@mantine/core';
import { IconCopy, IconLock } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Grant, Role } from '~/api/schema';
import { useCan } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { GrantsEditor } from '~/grants/GrantsEditor';
import { RightsMatrix } from '~/grants/RightsMatrix';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { PageHead } from '~/ui/PageHead';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { roleKind, saveRequirement, saveRole } from './role';

interface Draft {
  label: string;
  permissions: Grant[];
  requires_second_factor: boolean;
}

interface RoleFormProps {
  /** Nothing for one that is being made. */
  role: Role | undefined;
  begin: Draft;
}

/** The form of a role. Built-in ones are to be looked at until somebody means to change them. */
export function RoleForm({ role, begin }: RoleFormProps) {
  const can = useCan();
  const navigate = useNavigate();
  const [valid, setValid] = useState(true);
  const [unlocked, setUnlocked] = useState(!role?.system);
  const mayUpdate = role ? can('roles.update', `roles:${role.id}`) : true;
  const mayChange = mayUpdate && !role?.locked;
  const readOnly = !mayChange || !unlocked;
  // Whether it requires a second factor is all that can be changed of the administrators' role.
  const mayRequire = role?.locked ? mayUpdate : !readOnly;
  const [stored] = useState(begin);
  const form = useRecordForm({
    stored,
    allowUnchanged: !role,
    isValid: () => valid,
    readOnly: !mayRequire,
    save: (values) => (role?.locked ? saveRequirement(role.id, values.requires_second_factor) : saveRole(role?.id, values)),
    onSaved: (saved) => {
      showDone(t(role ? 'roles.saved' : 'roles.created', { name: saved.label }));
      if (!role) void navigate({ to: '/system/roles/$id', params: { id: saved.id }, replace: true, ignoreBlocker: true });
    },
  });
  return (
    <>
      <RecordForm
        form={form}
        withGuard
        gap="lg"
        shown={['label', 'permissions[']}
        head={
          <PageHead
            sticky
            back={{ label: t('roles.back'), to: { to: '/system/roles' } }}
            title={role ? role.label : t('roles.newTitle')}
            aside={role?.system ? <Badge>{t(`roles.kind.${roleKind(role)}`)}</Badge> : undefined}
            description={form.isDirty ? t('roles.unsaved') : role ? usersText(role) : undefined}
            actions={
              <>
                {role && can('roles.create', 'roles:*') && (
                  <Button
                    renderRoot={(props) => <Link to="/system/roles/$id" params={{ id: '~new' }} search={{ from: role.id }} {...props} />}
                    variant="default"
                    leftSection={<IconCopy size={16} aria-hidden />}
                  >
                    {t('roles.duplicate')}
                  </Button>
                )}
                {mayRequire && <SubmitButton form={form}>{role ? undefined : t('general.create')}</SubmitButton>}
              </>
            }
          />
        }
      >
        <Notice role={role} mayChange={mayChange} unlocked={unlocked} onUnlock={() => setUnlocked(true)} />
        <TextInput
          label={t('roles.label')}
          description={t('roles.labelHint')}
          {...form.getInputProps('label')}
          readOnly={readOnly}
          required
          maw={420}
          data-autofocus={!role || undefined}
        />
        <Checkbox
          label={t('roles.requiresFactor')}
          description={t('roles.requiresFactorHint')}
          {...form.getInputProps('requires_second_factor', { type: 'checkbox' })}
          disabled={!mayRequire}
        />
        <section aria-labelledby="grants">
          <Title order={2} size="h3" id="grants">
            {t('roles.grantsTitle')}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t('roles.grantsHint')} {t('roles.tooMuch')}
          </Text>
          <GrantsEditor
            key={String(readOnly)}
            grants={form.values.permissions}
            onChange={(permissions) => form.setValues({ permissions })}
            onValid={setValid}
            errors={form.errors}
            readOnly={readOnly}
          />
        </section>
      </RecordForm>
      <Results role={role} permissions={form.values.permissions} />
    </>
  );
}

function usersText(role: Role): string {
  return role.users > 0 ? t('roles.usersHave', { count: role.users }) : t('roles.usersNone');
}

interface NoticeProps {
  role: Role | undefined;
  mayChange: boolean;
  unlocked: boolean;
  onUnlock: () => void;
}

/** The reason for which a role cannot be changed, or not yet. */
function Notice({ role, mayChange, unlocked, onUnlock }: NoticeProps) {
  if (!role || (mayChange && unlocked)) return null;
  const text = role.locked ? t('roles.lockedNotice') : mayChange ? t('roles.builtInNotice') : t('roles.readOnly');
  return (
    <Alert role="note" icon={<IconLock aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 16rem">
          {text}
        </Text>
        {mayChange && (
          <Button variant="default" size="xs" onClick={onUnlock}>
            {t('roles.changeAnyway')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** The effect of the grants: as a table, and asked of the server. */
function Results({ role, permissions }: { role: Role | undefined; permissions: readonly Grant[] }) {
  return (
    <Grid mt="xl" gap="lg">
      <Grid.Col span={{ base: 12, md: role ? 7 : 12 }}>
        <Title order={2} size="h3" mb={4}>
          {t('roles.matrix.title')}
        </Title>
        <RightsMatrix grants={permissions} />
      </Grid.Col>
      {role && (
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card>
            <Title order={2} size="h3">
              {t('roles.check.title')}
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              {t('roles.check.saved')}
            </Text>
            <AccessCheck subject={{ kind: 'role', id: role.id }} />
          </Card>
        </Grid.Col>
      )}
    </Grid>
  );
}
