import { Button, Group, List } from '@mantine/core';
import { IconDatabaseImport, IconFilterOff, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ApiError } from '~/api/error';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { TYPE_ICONS } from '~/ui/TypeIcon';
import { useList } from './list-context';

/** There are no entries yet: says what would be here, and how to make the first one. */
export function NothingYet() {
  const { workspace, type, may } = useList();
  const can = useCan();
  return (
    <EmptyState
      icon={TYPE_ICONS[type.icon] ?? IconPlus}
      title={t('content.empty', { type: type.label })}
      action={
        may.create && (
          <Group gap="xs" justify="center">
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              renderRoot={(props) => (
                <Link {...props} to="/w/$workspace/content/$type/$id" params={{ workspace, type: type.name, id: '~new' }} />
              )}
            >
              {tSingular('content.createFirst', type)}
            </Button>
            {can('content.publish', 'content:*') && (
              <Button
                variant="default"
                leftSection={<IconDatabaseImport size={16} aria-hidden />}
                renderRoot={(props) => <Link {...props} to="/w/$workspace/import" params={{ workspace }} search={{ type: type.name }} />}
              >
                {t('shell.import')}
              </Button>
            )}
          </Group>
        )
      }
    >
      {t('content.emptyHint')}
    </EmptyState>
  );
}

/** There are entries, but none that the search and the filters find. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return <NoMatch onClear={onClear} />;
}

interface FailedProps {
  error: unknown;
  onRetry: () => void;
  onClear: () => void;
}

/** The list could not be fetched. What is wrong with the filters of an address is said one by one. */
export function Failed({ error, onRetry, onClear }: FailedProps) {
  if (!(error instanceof ApiError) || error.status !== 422) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      icon={IconFilterOff}
      title={t('content.invalidQuery')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('general.clearFilters')}
        </Button>
      }
    >
      <List size="sm" listStyleType="none" spacing={4}>
        {Object.entries(error.fields).map(([param, message]) => (
          <List.Item key={param}>{message}</List.Item>
        ))}
      </List>
    </EmptyState>
  );
}
