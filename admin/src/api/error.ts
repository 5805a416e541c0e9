import { t } from '~/i18n';
import type { Templates } from '~/i18n/server';
import type { AdminEntry, Usage } from './schema';

/** The server's answer to a request that it refuses, see docs/API.md "Errors". */
export interface Refusal {
  code: string;
  message: string;
  fields?: Record<string, string>;
  /** The templates of messages with parameters: by the path in `fields`, and that of `message` under the empty one. */
  templates?: Templates;
  request_id?: string;
  retry_after?: number;
  current?: AdminEntry;
  usages?: Usage[];
}

const NO_FIELDS: Record<string, string> = Object.freeze({});

/** A request that came to nothing: refused by the server, or never answered (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.message);
    this.name = 'ApiError';
  }

  get code(): string {
    return this.refusal.code;
  }

  /** The messages about refused values, by their path. */
  get fields(): Record<string, string> {
    return this.refusal.fields ?? NO_FIELDS;
  }

  /** The message, and those about single values. */
  get reasons(): string {
    return [this.message, ...Object.entries(this.fields).map(([path, message]) => `${path}: ${message}`)].join(' ');
  }

  /** True if the server could not be reached, so that trying again later makes sense. */
  get offline(): boolean {
    return this.status === 0;
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The refusal of a request whose session is over. */
export function sessionExpired(): Refusal {
  return { code: 'unauthenticated', message: t('auth.expired') };
}

/** The error of a request that nobody answered. */
export function unreachable(): ApiError {
  return new ApiError(0, { code: 'offline', message: t('general.offline') });
}
