import { Alert, Button, Collapse, MultiSelect, SegmentedControl, Stack, TagsInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Grant } from '~/api/schema';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { type Area, SYSTEM_AREAS, WORKSPACE_AREAS } from './actions';
import { AreaRow } from './AreaRow';
import { Conditions } from './Conditions';
import { type GrantShape, readGrant, writeGrant } from './shape';
import type { Names } from './summary';

interface GrantFormProps {
  grant: Grant;
  names: Names;
  onChange: (grant: Grant) => void;
  readOnly: boolean;
}

/** The parts of a grant; of one that the boxes cannot show, its patterns. */
export function GrantForm({ grant, names, onChange, readOnly }: GrantFormProps) {
  // Kept beside the grant: what has no action yet is in no pattern, and should not be forgotten.
  const [shape, setShape] = useState(() => readGrant(grant, names.actions));
  const [advanced, { toggle }] = useDisclosure(shape === undefined);
  const change = (next: GrantShape) => {
    setShape(next);
    onChange(writeGrant(next, names.actions));
  };
  const byHand = (next: Grant) => {
    setShape(readGrant(next, names.actions));
    onChange(next);
  };
  return (
    <Stack gap="md">
      <div>
        <SegmentedControl
          size="sm"
          aria-label={t('roles.grants.effect')}
          value={grant.effect}
          disabled={readOnly}
          data={[
            { value: 'allow', label: t('roles.grants.allow') },
            { value: 'deny', label: t('roles.grants.deny') },
          ]}
          onChange={(value) => {
            const effect = value === 'deny' ? 'deny' : 'allow';
            if (shape) change({ ...shape, effect });
            else byHand({ ...grant, effect });
          }}
        />
        {grant.effect === 'deny' && (
          <Text size="sm" c="dimmed" mt={4}>
            {t('roles.grants.denyHint')}
          </Text>
        )}
      </div>
      {shape ? (
        <Matrix shape={shape} onChange={change} names={names} readOnly={readOnly} />
      ) : (
        <Alert role="note" color="amber">{t('roles.grants.byHand')}</Alert>
      )}
      {shape && <Conditions shape={shape} onChange={change} readOnly={readOnly} />}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={toggle}
          aria-expanded={advanced}
          rightSection={advanced ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        >
          {t('roles.grants.advanced')}
        </Button>
        <Collapse expanded={advanced}>
          <Patterns grant={grant} onChange={byHand} names={names} readOnly={readOnly} />
        </Collapse>
      </div>
    </Stack>
  );
}

interface MatrixProps {
  shape: GrantShape;
  onChange: (shape: GrantShape) => void;
  names: Names;
  readOnly: boolean;
}

/** The permitted actions, area by area; the installation's own things fold away. */
function Matrix({ shape, onChange, names, readOnly }: MatrixProps) {
  const me = useMe();
  const used = SYSTEM_AREAS.some((area) => shape.areas[area]);
  const [system, { toggle }] = useDisclosure(used);
  const workspaces = me.workspaces.filter((it) => !it.archived || shape.scope.includes(it.slug));
  const slugs = [...new Set([...workspaces.map((it) => it.slug), ...shape.scope])];
  const row = (area: Area) => (
    <AreaRow
      key={area}
      area={area}
      rule={shape.areas[area]}
      onChange={(rule) => onChange({ ...shape, areas: { ...shape.areas, [area]: rule } })}
      scope={shape.scope}
      names={names}
      readOnly={readOnly}
    />
  );
  return (
    <div>
      {slugs.length > 1 && (
        <MultiSelect
          mb="sm"
          maw={420}
          label={t('roles.grants.scope')}
          placeholder={shape.scope.length === 0 ? t('roles.grants.allWorkspaces') : undefined}
          data={slugs.map((slug) => ({ value: slug, label: names.workspace(slug) }))}
          value={[...shape.scope]}
          onChange={(scope) => onChange({ ...shape, scope })}
          disabled={readOnly}
          clearable
          clearButtonProps={{ 'aria-label': t('roles.grants.allWorkspaces') }}
        />
      )}
      {WORKSPACE_AREAS.map(row)}
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        onClick={toggle}
        aria-expanded={system}
        rightSection={system ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
      >
        {t('roles.grants.system')}
      </Button>
      <Collapse expanded={system}>{system && SYSTEM_AREAS.map(row)}</Collapse>
    </div>
  );
}

function Patterns({ grant, onChange, names, readOnly }: GrantFormProps) {
  return (
    <Stack gap="sm" mt="xs">
      <Text size="sm" c="dimmed">
        {t('roles.grants.advancedHint')}
      </Text>
      <TagsInput
        label={t('roles.grants.actions')}
        description={t('roles.grants.actionsHint')}
        data={['*', 'content.*', 'media.*', ...names.actions]}
        value={grant.actions}
        onChange={(actions) => onChange({ ...grant, actions })}
        disabled={readOnly}
        maxDropdownHeight={220}
      />
      <TagsInput
        label={t('roles.grants.resources')}
        description={t('roles.grants.resourcesHint')}
        value={grant.resources}
        // A category may hold a comma.
        splitChars={[]}
        onChange={(resources) => onChange({ ...grant, resources })}
        disabled={readOnly}
      />
    </Stack>
  );
}
