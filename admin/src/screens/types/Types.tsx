import { Button, Stack, Title } from '@mantine/core';
import { IconDatabaseImport, IconPlus, IconStack2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { contentTypesQuery, useCan, useContentTypes, usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { EmptyState } from '~/ui/EmptyState';
import { showError } from '~/ui/feedback';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { TemplateGallery } from './TemplateGallery';
import { TypeList } from './TypeList';

/** The content types of a workspace, in the order in which everybody sees them. */
export default function Types() {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const can = useCan();
  const navigate = useNavigate();
  const { letterShortcuts = true } = usePreferences();
  const reorder = useReorder(workspace);
  const mayCreate = can('schema.create', 'schema:*');
  useLetterShortcuts(
    { c: () => navigate({ to: '/w/$workspace/types/$type', params: { workspace, type: '~new' } }) },
    letterShortcuts && mayCreate,
  );
  const collections = types.filter((it) => !it.singleton);
  const pages = types.filter((it) => it.singleton);
  return (
    <>
      <PageHead
        title={t('shell.types')}
        description={t('types.about')}
        actions={
          mayCreate && types.length > 0 ? (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              component={Link}
              to="/w/$workspace/types/$type"
              params={{ workspace, type: '~new' } as never}
            >
              {t('types.new')}
            </Button>
          ) : undefined
        }
      />
      {types.length === 0 && <NoTypes mayCreate={mayCreate} />}
      <Stack gap="xl">
        <Section title={t('types.collections')} types={collections} onReorder={reorder} />
        <Section title={t('types.singletons')} types={pages} onReorder={reorder} />
      </Stack>
    </>
  );
}

function NoTypes({ mayCreate }: { mayCreate: boolean }) {
  const workspace = useWorkspace();
  const importButton = (
    <Button
      variant="default"
      leftSection={<IconDatabaseImport size={16} aria-hidden />}
      component={Link}
      to="/w/$workspace/import"
      params={{ workspace } as never}
    >
      {t('shell.import')}
    </Button>
  );
  return (
    <>
      <EmptyState icon={IconStack2} title={t('types.none')} action={mayCreate && importButton}>
        {t(mayCreate ? 'types.noneHint' : 'types.noneAsk')}
      </EmptyState>
      {mayCreate && <TemplateGallery />}
    </>
  );
}

interface SectionProps {
  title: string;
  types: readonly ContentTypeShape[];
  onReorder: (names: readonly string[]) => void;
}

function Section({ title, types, onReorder }: SectionProps) {
  if (types.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      <TypeList caption={title} types={types} onReorder={onReorder} />
    </section>
  );
}

/** Brings types into another order: at once on the page, then on the server. */
function useReorder(workspace: string) {
  const queries = useQueryClient();
  const { queryKey } = contentTypesQuery(workspace);
  return async (names: readonly string[]) => {
    const before = queries.getQueryData(queryKey);
    const rank = (it: ContentTypeShape) => (names.includes(it.name) ? names.indexOf(it.name) : -1);
    const mine = (before ?? []).filter((it) => rank(it) >= 0).sort((a, b) => rank(a) - rank(b));
    queries.setQueryData(queryKey, before?.map((it) => (rank(it) < 0 ? it : (mine.shift() ?? it))));
    try {
      await call(api.PATCH('/admin/api/content-types/order', { body: { names: [...names] } }));
    } catch (error) {
      queries.setQueryData(queryKey, before);
      showError(error);
    }
  };
}
