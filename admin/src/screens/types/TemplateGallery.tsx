import { SimpleGrid, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { TEMPLATES, type Template } from './draft/templates';
import classes from './types.module.css';

/** The templates for a new content type. */
export function TemplateGallery() {
  return (
    <>
      <Group title={t('types.collections')} templates={TEMPLATES.filter((it) => !it.singleton)}>
        <Card id="empty" icon={<IconPlus size={20} aria-hidden />} title={t('types.template.empty')} about={t('types.templateAbout.empty')} />
      </Group>
      <Group title={t('types.singletons')} templates={TEMPLATES.filter((it) => it.singleton)} />
    </>
  );
}

function Group({ title, templates, children }: { title: string; templates: readonly Template[]; children?: ReactNode }) {
  return (
    <section className={classes.group}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        {children}
        {templates.map(({ id, icon }) => (
          <Card key={id} id={id} icon={<TypeIcon name={icon} size={20} />} title={t(`types.template.${id}`)} about={t(`types.templateAbout.${id}`)} />
        ))}
      </SimpleGrid>
    </section>
  );
}

function Card({ id, icon, title, about }: { id: string; icon: ReactNode; title: string; about: string }) {
  const workspace = useWorkspace();
  return (
    <Link to="/w/$workspace/types/$type" params={{ workspace, type: '~new' }} search={{ template: id }} className={classes.card}>
      <span className={classes.kind}>{icon}</span>
      <span>
        <Text component="span" display="block" fw={600} size="sm">
          {title}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {about}
        </Text>
      </span>
    </Link>
  );
}
