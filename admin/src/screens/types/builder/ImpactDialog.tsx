import { Alert, Button, Group, List, Modal, Radio, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange, IconEyeOff, IconInfoCircle, type TablerIcon } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldKind } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { ErrorState } from '~/ui/ErrorState';
import { useReturnFocus } from '~/ui/return-focus';
import { Waiting } from '~/ui/Waiting';
import { useSaveShortcut } from '~/ui/shortcuts';
import { useWorkspace } from '~/workspace';
import { type Rename, renamesOf, type TypeDraft, type TypeInput } from '../draft/draft';
import { impactPoints, type Point } from '../draft/impact';
import { bodyOf, effectsOf } from './useSaveType';

interface ImpactDialogProps {
  saved: TypeDraft;
  draft: TypeDraft;
  changes: Partial<TypeInput>;
  busy: boolean;
  onClose: () => void;
  onApply: (migrations: readonly Rename[]) => void;
}

/** Tells what a change means for the entries that are there, and asks how renamed fields are meant. */
export function ImpactDialog({ saved, draft, changes, busy, onClose, onApply }: ImpactDialogProps) {
  useReturnFocus();
  const workspace = useWorkspace();
  const [left, setLeft] = useState<readonly string[]>([]);
  const renames = renamesOf(draft);
  const migrations = renames.filter((it) => !left.includes(it.from));
  const body = bodyOf(changes, migrations);
  const effects = useQuery({
    queryKey: queryKeys.typeEffects(workspace, draft.name, body),
    queryFn: () => effectsOf(draft.name, body),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const ready = effects.data && !effects.isPlaceholderData && !effects.isError;
  const apply = () => ready && onApply(migrations);
  useSaveShortcut(apply);
  const points = effects.data ? impactPoints(saved, draft, effects.data).filter((it) => it.kind !== 'renamed' && it.kind !== 'notMigrated') : [];
  const choose = (from: string, along: boolean) => setLeft(along ? left.filter((it) => it !== from) : [...left, from]);
  return (
    <Modal opened onClose={onClose} size="lg" title={t('types.impact')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      {effects.isError && <ErrorState error={effects.error} onRetry={() => effects.refetch()} />}
      {effects.isPending && <Waiting heights={[120]} />}
      {effects.data && (
        <Stack gap="md">
          <Text size="sm">{t('types.impactIntro')}</Text>
          {renames.map((rename) => (
            <RenameChoice key={rename.from} rename={rename} along={!left.includes(rename.from)} onChange={choose} />
          ))}
          {points.length > 0 && (
            <List spacing="sm" center={false}>
              {points.map((point, index) => (
                <PointItem key={index} point={point} />
              ))}
            </List>
          )}
          {effects.data.unreadable > 0 && (
            <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />}>
              {t('types.impact.unreadable', { count: effects.data.unreadable })}
            </Alert>
          )}
          {effects.data.warnings.map((warning) => (
            <Alert key={warning} color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
              {warning}
            </Alert>
          ))}
        </Stack>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('types.keepEditing')}
        </Button>
        <Button onClick={apply} loading={busy} disabled={!ready} data-autofocus>
          {t('types.saveAnyway')}
        </Button>
      </Group>
    </Modal>
  );
}

interface RenameChoiceProps {
  rename: Rename;
  along: boolean;
  onChange: (from: string, along: boolean) => void;
}

function RenameChoice({ rename, along, onChange }: RenameChoiceProps) {
  return (
    <Radio.Group
      label={t('types.impact.renamed', { from: rename.from, to: rename.to })}
      value={along ? 'along' : 'leave'}
      onChange={(value) => onChange(rename.from, value === 'along')}
    >
      <Stack gap={8} mt={6}>
        <Radio value="along" label={t('types.impact.migrate')} description={t('types.impact.migrateHint')} />
        <Radio value="leave" label={t('types.impact.leave')} description={t('types.impact.leaveHint', { from: rename.from, to: rename.to })} />
      </Stack>
    </Radio.Group>
  );
}

const SIGNS: Readonly<Record<Point['kind'], readonly [TablerIcon, string]>> = {
  removed: [IconEyeOff, 'red'],
  notMigrated: [IconEyeOff, 'red'],
  renamed: [IconArrowsExchange, 'ink'],
  kind: [IconArrowsExchange, 'amber'],
  required: [IconAlertTriangle, 'amber'],
  invalid: [IconAlertTriangle, 'amber'],
  nested: [IconEyeOff, 'amber'],
  condition: [IconEyeOff, 'amber'],
  locale: [IconEyeOff, 'amber'],
  private: [IconEyeOff, 'amber'],
  public: [IconInfoCircle, 'amber'],
  singleton: [IconInfoCircle, 'gray'],
};

function PointItem({ point }: { point: Point }) {
  const [Icon, color] = SIGNS[point.kind];
  return (
    <List.Item
      icon={
        <ThemeIcon color={color} variant="light" size={26} radius="xl">
          <Icon size={15} aria-hidden />
        </ThemeIcon>
      }
    >
      <Text size="sm">{sentence(point)}</Text>
    </List.Item>
  );
}

/** A point in words. */
function sentence(point: Point): string {
  switch (point.kind) {
    case 'removed':
      return t('types.impact.removed', { field: point.label, count: point.entries });
    case 'notMigrated':
    case 'renamed':
      return t('types.impact.renamed', { from: point.from, to: point.label });
    case 'required':
      return t('types.impact.required', { field: point.label, count: point.entries });
    case 'invalid':
      return t('types.impact.invalid', { field: point.label, count: point.entries });
    case 'kind': {
      const kinds = { from: t(`types.kind.${point.from as FieldKind}`), to: t(`types.kind.${point.to as FieldKind}`) };
      const fits = point.invalid === 0 ? t('types.impact.kindFits') : t('types.impact.kindInvalid', { count: point.invalid });
      return `${t('types.impact.kind', { field: point.label, ...kinds })} ${fits}`;
    }
    case 'nested':
    case 'condition':
      return t(`types.impact.${point.kind}`, { field: point.label, names: point.names });
    case 'locale':
      return t('types.impact.locale', { locale: point.label });
    default:
      return t(`types.impact.${point.kind}`);
  }
}
