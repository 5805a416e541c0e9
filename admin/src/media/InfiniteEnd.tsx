import { Button, Center, Loader } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';

interface InfiniteEndProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown };
}

/** The end of a list that fetches its next page when it comes into sight. */
export function InfiniteEnd({ query }: InfiniteEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const near = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (near && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [near, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return (
    <div ref={ref}>
      {hasNextPage && (
        <Center py="md">
          {isFetchNextPageError ? (
            <Button variant="default" onClick={() => fetchNextPage()}>
              {t('media.loadMore')}
            </Button>
          ) : (
            <Waiting>
              <Loader size="sm" />
            </Waiting>
          )}
        </Center>
      )}
    </div>
  );
}
