import { Box, Button } from '@mantine/core';
import { IconMapSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '~/i18n';
import { Wordmark } from '~/shell/Wordmark';
import { EmptyState } from './EmptyState';
import { PageHead } from './PageHead';

/** There is nothing at this address. */
export function NotFound() {
  return (
    <>
      <PageHead title={t('general.notFound')} />
      <EmptyState
        icon={IconMapSearch}
        title={t('general.notFoundTitle')}
        action={
          <Button component={Link} to="/">
            {t('general.toDashboard')}
          </Button>
        }
      >
        {t('general.notFoundHint')}
      </EmptyState>
    </>
  );
}

/** The same where there is no frame around it, for addresses that no screen is below. */
export function Nowhere() {
  return (
    <Box component="main" maw={720} mx="auto" p={{ base: 'md', sm: 'xl' }}>
      <Box mb="xl">
        <Wordmark />
      </Box>
      <NotFound />
    </Box>
  );
}
