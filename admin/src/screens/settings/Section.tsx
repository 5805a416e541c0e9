import { Card, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './Settings.module.css';

/** A group of settings: its name at the side, its inputs beside it. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <Stack gap="md" maw={520}>
        {children}
      </Stack>
    </Card>
  );
}
