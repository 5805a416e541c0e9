import { Anchor, Button, Code, Group, List, Modal, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { t } from '~/i18n';
import type { Failure, Restored } from './actions';
import type { Outcome } from './useTrashActions';

interface OutcomeDialogProps {
  workspace: string;
  type: ContentTypeShape;
  outcome: Outcome | undefined;
  onClose: () => void;
}

/** Explains what went otherwise than expected: slugs that were taken, entries that stayed where they are. */
export function OutcomeDialog({ workspace, type, outcome, onClose }: OutcomeDialogProps) {
  const failed = outcome?.failed ?? [];
  return (
    <Modal
      opened={outcome !== undefined}
      onClose={onClose}
      title={t(failed.length > 0 ? 'trash.outcomeFailed' : 'trash.outcomeRenamed')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {outcome && outcome.renamed.length > 0 && <Renamed workspace={workspace} type={type} renamed={outcome.renamed} />}
      {failed.length > 0 && <Failed workspace={workspace} type={type} failed={failed} />}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose} data-autofocus>
          {t('general.close')}
        </Button>
      </Group>
    </Modal>
  );
}

interface PartProps {
  workspace: string;
  type: ContentTypeShape;
}

function EntryLink({ workspace, type, entry, children }: PartProps & { entry: Pick<AdminEntry, 'id'>; children: React.ReactNode }) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/w/$workspace/content/$type/$id" params={{ workspace, type: type.name, id: entry.id }} {...props} />
      )}
    >
      {children}
    </Anchor>
  );
}

function Renamed({ workspace, type, renamed }: PartProps & { renamed: readonly Restored[] }) {
  return (
    <>
      <Text size="sm" mb="xs">
        {t('trash.renamedBody', { count: renamed.length })}
      </Text>
      <List size="sm" spacing={6}>
        {renamed.map(({ trashed, entry }) => (
          <List.Item key={entry.id}>
            <EntryLink workspace={workspace} type={type} entry={entry}>
              {entry.title || entry.slug}
            </EntryLink>
            <div>
              <Code>{trashed.slug}</Code> → <Code>{entry.slug}</Code>
            </div>
          </List.Item>
        ))}
      </List>
    </>
  );
}

function Failed({ workspace, type, failed }: PartProps & { failed: readonly Failure[] }) {
  const taken = failed.some(({ error }) => error.status === 409);
  return (
    <>
      <List size="sm" spacing={6}>
        {failed.map(({ trashed, error }) => (
          <List.Item key={trashed.id}>
            <b>{trashed.title || trashed.slug}</b>
            <div>{error.reasons}</div>
          </List.Item>
        ))}
      </List>
      {taken && type.singleton && (
        <Text size="sm" mt="sm">
          {t('trash.takenBody')}{' '}
          <EntryLink workspace={workspace} type={type} entry={{ id: type.name }}>
            {t('trash.openCurrent', { type: type.label })}
          </EntryLink>
        </Text>
      )}
    </>
  );
}
