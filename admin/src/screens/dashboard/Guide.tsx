import { Anchor, Card, CloseButton, Group, Progress, Text, Title } from '@mantine/core';
import { IconChevronRight, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ContentTypeShape } from '~/api/fields';
import type { Dashboard } from '~/api/schema';
import { savePreferences, useCan, useContentTypes, usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { showError, showUndo } from '~/ui/feedback';
import classes from './Guide.module.css';
import { guideSteps, type StepName } from './guide';
import { firstStepsQuery } from './queries';

const SEEN = 'guideSawApi';

/** The first steps, as long as some are left and nobody has put them away. */
export function Guide({ workspace, dashboard }: { workspace: string; dashboard: Dashboard }) {
  const preferences = usePreferences();
  const can = useCan();
  const reads = can('activity.read', 'activity:*');
  const hidden = preferences.guideDone?.[workspace] ?? false;
  const activity = useQuery({ ...firstStepsQuery(workspace), enabled: reads && !hidden });
  const first = useFirstType(workspace);
  const links = stepLinks(workspace, first);
  if (hidden || (reads && activity.isPending)) return null;
  const steps = guideSteps({
    dashboard,
    activity: activity.data,
    sawApi: preferences[SEEN] === true,
    may: (step) => RIGHTS[step].some(([action, resource]) => can(action, resource)),
  });
  const left = steps.filter((it) => !it.done);
  const finished = steps.filter((it) => it.done);
  const done = finished.length;
  if (done === steps.length) return null;
  const keep = (value: boolean) => savePreferences({ guideDone: { ...preferences.guideDone, [workspace]: value } });
  const dismiss = () => {
    keep(true).catch(showError);
    showUndo(t('dashboard.guide.dismissed'), () => keep(false));
    document.getElementById('content')?.focus();
  };
  return (
    <Card component="section" aria-labelledby="guide" className={classes.guide}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h3" id="guide">
            {t('dashboard.guide')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('dashboard.guideProgress', { done, total: steps.length })}
          </Text>
        </div>
        <CloseButton aria-label={t('dashboard.guide.dismiss')} title={t('dashboard.guide.dismiss')} onClick={dismiss} />
      </Group>
      <Progress value={(done / steps.length) * 100} size="sm" my="sm" aria-label={t('dashboard.guideProgress', { done, total: steps.length })} />
      <ol className={classes.steps}>
        {left.map(({ name }) => (
          <li key={name} data-next={name === left[0]?.name || undefined}>
            <OpenStep name={name} first={first} link={links[name]} />
          </li>
        ))}
      </ol>
      {done > 0 && (
        <ul className={classes.finished}>
          {finished.map(({ name }) => (
            <li key={name}>
              <IconCircleCheckFilled size={18} aria-label={t('dashboard.guide.done')} role="img" />
              <Anchor component={Link} {...(links[name] as object)} inherit c="inherit">
                {stepName(name, first)}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface OpenStepProps {
  name: StepName;
  first: ContentTypeShape | undefined;
  link: LinkProps;
}

/** A step that is still to do, and the way to where it is done. */
function OpenStep({ name, first, link }: OpenStepProps) {
  const remember = () => {
    if (name === 'api') savePreferences({ [SEEN]: true }).catch(showError);
  };
  return (
    <Anchor component={Link} {...(link as object)} underline="never" className={classes.step} onClick={remember}>
      <IconCircle size={20} stroke={1.6} aria-label={t('dashboard.guide.open')} role="img" />
      <span className={classes.text}>
        <span className={classes.title}>{stepName(name, first)}</span>
        <Text span size="xs" c="dimmed" className={classes.hint}>
          {t(`dashboard.guide.${name}Hint`)}
        </Text>
      </span>
      <IconChevronRight size={16} aria-hidden className={classes.arrow} />
    </Anchor>
  );
}

function stepName(name: StepName, first: ContentTypeShape | undefined): string {
  return name === 'entry' ? tSingular('dashboard.guide.entry', first) : t(`dashboard.guide.${name}`);
}

/** The permissions of which one is enough for the step. */
const RIGHTS: Readonly<Record<StepName, readonly (readonly [string, string])[]>> = {
  type: [['schema.create', 'schema:*']],
  entry: [['content.create', 'content:*']],
  picture: [['media.upload', 'media:*']],
  publish: [['content.publish', 'content:*']],
  api: [['content.read', 'content:*']],
  token: [['tokens.create', 'tokens:*']],
  backup: [['backups.create', 'backups:*']],
};

/** The type of which the first entry is written. */
function useFirstType(workspace: string): ContentTypeShape | undefined {
  return useContentTypes(workspace).find((it) => !it.singleton);
}

function stepLinks(workspace: string, first: ContentTypeShape | undefined): Readonly<Record<StepName, LinkProps>> {
  const params = { workspace };
  const types: LinkProps = { to: '/w/$workspace/types', params };
  return {
    type: types,
    entry: first ? { to: '/w/$workspace/content/$type/$id', params: { workspace, type: first.name, id: '~new' } } : types,
    picture: { to: '/w/$workspace/media', params },
    publish: first
      ? { to: '/w/$workspace/content/$type', params: { workspace, type: first.name }, search: { 'filter[status]': 'draft' } }
      : types,
    api: { to: '/w/$workspace/api', params },
    token: { to: '/system/tokens' },
    backup: { to: '/system/backups' },
  };
}
