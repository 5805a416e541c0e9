import { Card, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { t } from '~/i18n';
import { later, useCalm } from '~/ui/later';
import { Waiting } from '~/ui/Waiting';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { Address } from './Address';
import { Facts } from './Facts';
import { useFormState } from '../form/store';
import { Publishing } from './Publishing';

const Problems = later(() => import('./Problems').then((it) => it.Problems));
// The form comes first.
const Usages = later(() => import('./Usages').then((it) => it.Usages));

/** Beside the content: who sees it, where it is, and what is known of it. */
export function Panel() {
  const { type, id, form, liveIsGone } = useEditing();
  const hasProblems = useFormState(form, ({ entry }) => (entry?.problems.length ?? 0) > 0);
  const calm = useCalm();
  return (
    <aside className={classes.panel} aria-label={t('entry.panel')}>
      {hasProblems && <Problems />}
      <Section title={t('entry.publishing')}>
        <Publishing />
      </Section>
      {!type.singleton && (
        <Section title={t('entry.address')}>
          <Address />
        </Section>
      )}
      {id && (
        <Section title={t('entry.facts')}>
          <Facts id={id} />
        </Section>
      )}
      {id && liveIsGone === false && (
        <Section title={t('entry.usages')}>
          {calm ? <Usages id={id} /> : <Waiting quiet heights={[20]} />}
        </Section>
      )}
    </aside>
  );
}

/** A part of the panel. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card component="section" padding="md" aria-labelledby={id}>
      <Title order={2} size="h4" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </Card>
  );
}
