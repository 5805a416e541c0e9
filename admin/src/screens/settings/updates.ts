import type { UpdateStatus } from '~/api/schema';

/** The steps on the way to a newer version. */
export type UpdateState =
  | { step: 'noChannel' | 'notAsked' | 'restartUnknown' }
  | { step: 'current' | 'available' | 'staged' | 'restart'; version: string }
  /** Something that only the server has words for: a release without a program for this platform. */
  | { step: 'other'; message: string };

export function updateState(status: UpdateStatus): UpdateState {
  const { latest, staged, current_version } = status;
  if (status.restart_needed) return latest ? { step: 'restart', version: latest.version } : { step: 'restartUnknown' };
  if (staged) return { step: 'staged', version: staged.version };
  if (!status.channel_url) return { step: 'noChannel' };
  if (!latest) return { step: 'notAsked' };
  if (status.update_available) return { step: 'available', version: latest.version };
  if (latest.version === current_version) return { step: 'current', version: current_version };
  return { step: 'other', message: status.message };
}
