/** The first steps with a new workspace, and which of them are done. */
import type { ActivityRow, Dashboard } from '~/api/schema';

export const STEPS = ['type', 'entry', 'picture', 'publish', 'api', 'token', 'backup'] as const;
export type StepName = (typeof STEPS)[number];

/** The kinds of activity that show that a step was done. */
export const STEP_EVENTS = ['schema.created', 'content.created', 'content.published', 'media.uploaded', 'token.created', 'backup.created'];

export interface Step {
  name: StepName;
  done: boolean;
}

interface Facts {
  dashboard: Dashboard;
  /** The activity; nothing where the user may not read it. */
  activity: readonly ActivityRow[] | undefined;
  /** True if the page about the API was opened from here. */
  sawApi: boolean;
  may: (step: StepName) => boolean;
}

/** The steps that the user may take, in order. */
export function guideSteps({ dashboard, activity, sawApi, may }: Facts): Step[] {
  const happened = (type: string) => activity?.some((it) => it.type === type) ?? false;
  // What came with a new folder was changed by nobody: it does not count as somebody's own work.
  const own = dashboard.recent.filter((it) => it.updated_by !== null);
  const done: Record<StepName, boolean> = {
    type: happened('schema.created') || (activity === undefined && dashboard.content_types > 0),
    entry: happened('content.created') || own.length > 0,
    picture: happened('media.uploaded') || (activity === undefined && dashboard.media.count > 0),
    publish:
      happened('content.published') ||
      own.some((it) => it.status === 'published') ||
      (activity?.some((it) => it.type === 'content.created' && it.details?.status === 'published') ?? false),
    api: sawApi,
    token: happened('token.created'),
    backup: happened('backup.created'),
  };
  return STEPS.filter(may).map((name) => ({ name, done: done[name] }));
}
