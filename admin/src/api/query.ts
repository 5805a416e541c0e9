import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './error';

/** The cache of the server's answers. Keys of a workspace begin with its slug. */
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
 * Returns true if an error may pass: refusals stay refusals, failures to reach the server are worth another try. That
 * nobody has set it up is a 503, too, and waits for a person.
 */
export function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || (error.status >= 502 && error.code !== 'not_set_up');
}
