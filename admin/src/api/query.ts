import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './error';

/** What is known of the server. Keys of what belongs to a workspace begin with its slug. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (count, error) => count < 3 && isWorthAnotherTry(error),
      retryDelay: (count) => Math.min(1000 * 2 ** count, 8000),
    },
    mutations: { networkMode: 'always' },
  },
});

/**
 * What the server refused it refuses again; what it could not be asked is worth another try. That
 * nobody has set it up is a 503, too, and waits for a person.
 */
export function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || (error.status >= 502 && error.code !== 'not_set_up');
}
