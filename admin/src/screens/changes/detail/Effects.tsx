import { Alert, Anchor, Text } from '@mantine/core';
import {
  IconAlertTriangle, IconArrowsExchange, IconEye, IconEyeOff, IconLink, IconList, IconPencil, IconUnlink, type TablerIcon,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Change } from '~/api/schema';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { entryLink } from '~/links';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { placeOf } from '../change';
import classes from '../changes.module.css';
import { describeImpact, type Effect, nameSome } from './impact';
import { draftsQuery, impactQuery } from './queries';

const ICONS: Record<Effect['kind'], TablerIcon> = {
  appears: IconEye, changes: IconPencil, vanishes: IconEyeOff, lists: IconList, slugs: IconLink, dangling: IconUnlink,
};

/** The number of entries that are listed below a sentence. */
const ABOUT_MAX = 50;

/** The effect of a publication on readers; `at` is when the change was read. */
export function Effects({ id, at }: { id: string; at: number }) {
  const workspace = useWorkspace();
  const answer = useQuery({ ...impactQuery(workspace, id, at), placeholderData: keepPreviousData });
  const types = useContentTypes(workspace);
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return <Waiting what={t('changes.tab.effect')} heights={[160]} />;
  const effects = describeImpact(answer.data, types);
  if (effects.length === 0) {
    return (
      <EmptyState icon={IconArrowsExchange} title={t('changes.impact.none')}>
        {t('changes.impact.noneHint')}
      </EmptyState>
    );
  }
  return (
    <section className={classes.panel} aria-label={t('changes.tab.effect')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('changes.impact.about')}
      </Text>
      <ul className={classes.effects}>
        {effects.map((it) => (
          <EffectItem key={it.kind + it.sentence} effect={it} id={id} />
        ))}
      </ul>
      {answer.data.truncated && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('changes.impact.truncated')}
        </Text>
      )}
    </section>
  );
}

function EffectItem({ effect, id }: { effect: Effect; id: string }) {
  const workspace = useWorkspace();
  const Icon = ICONS[effect.kind];
  const { about } = effect;
  return (
    <li>
      <Icon size={18} aria-hidden className={classes.effectIcon} data-kind={effect.kind} />
      <div>
        <Text size="sm">{effect.sentence}</Text>
        {about.length > 0 && (
          <ul className={classes.about}>
            {about.slice(0, ABOUT_MAX).map((it, index) => (
              <li key={`${placeOf(it)} ${index}`}>
                <Anchor renderRoot={(props) => <Link {...props} {...entryLink(workspace, it, id)} />} size="sm" underline="always">
                  {it.title || t('general.untitled')}
                </Anchor>
                {it.detail && (
                  <Text span size="sm" c="dimmed">
                    {' '}
                    – {it.detail}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

interface ImpactSummaryProps {
  id: string;
  /** The time at which the change was read. */
  at: number;
  workspace: string;
  entries: Change['entries'];
}

/** The same in a few sentences, for the question before it is published. The workspace is given, because a dialog has no address. */
export function ImpactSummary({ id, at, workspace, entries }: ImpactSummaryProps) {
  const drafts = useQuery(draftsQuery(workspace, id, entries)).data ?? [];
  const answer = useQuery(impactQuery(workspace, id, at));
  const types = useContentTypes(workspace);
  const warning = drafts.length > 0 && (
    <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} mb="sm">
      {t('changes.stayDrafts', { count: drafts.length, names: nameSome(drafts.map((it) => it.title)) })}
    </Alert>
  );
  // That it cannot be told is no reason not to publish.
  if (answer.isError) return <>{warning}{t('changes.publishBody')}</>;
  if (!answer.data) return <>{warning}<Waiting quiet heights={[60]} /></>;
  const effects = describeImpact(answer.data, types);
  return (
    <>
      {warning}
      {effects.length === 0 && <Text size="sm">{t('changes.impact.none')}</Text>}
      {effects.map((it) => (
        <Text key={it.kind + it.sentence} size="sm" mb={6}>
          {it.sentence}
        </Text>
      ))}
      <Text size="sm" c="dimmed" mt="sm">
        {t('changes.publishBody')}
      </Text>
    </>
  );
}
