import { ActionIcon, Alert, Badge, Menu, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight, IconCopy, IconDots, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Grant } from '~/api/schema';
import { t } from '~/i18n';
import { GrantForm } from './GrantForm';
import classes from './Grants.module.css';
import { grantSummary, type Names } from './summary';

interface GrantCardProps {
  grant: Grant;
  /** Its place in the list, from one. */
  number: number;
  names: Names;
  onChange: (grant: Grant) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  /** The server's messages about it, by the path within it. */
  errors: Readonly<Record<string, string>>;
  startsOpen: boolean;
  readOnly: boolean;
}

/** A grant: its sentence, and what it is made of below. */
export function GrantCard(props: GrantCardProps) {
  const { grant, number, names, errors, readOnly } = props;
  const invalid = Object.keys(errors).length > 0;
  const [opened, { toggle }] = useDisclosure(props.startsOpen);
  const body = useId();
  const deny = grant.effect === 'deny';
  const shown = opened || invalid;
  return (
    <section className={classes.card} data-invalid={invalid || undefined} aria-label={t('roles.grants.name', { number })}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.toggle}
          onClick={toggle}
          aria-expanded={shown}
          aria-controls={body}
          data-grant={number}
        >
          <IconChevronRight size={18} className={classes.chevron} data-open={shown || undefined} aria-hidden />
          <Badge color={deny ? 'red' : 'green'} mt={2} flex="0 0 auto">
            {t(deny ? 'roles.grants.deny' : 'roles.grants.allow')}
          </Badge>
          <Text component="span" className={classes.sentence}>
            {grantSummary(grant, names)}
          </Text>
        </UnstyledButton>
        {!readOnly && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={t('roles.grants.more', { number })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={props.onDuplicate}>
                {t('roles.grants.duplicate')}
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={props.onRemove}>
                {t('roles.grants.remove')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <div id={body} hidden={!shown}>
        {shown && (
          <div className={classes.body}>
            {invalid && (
              <Alert color="red" mb="md" role="alert">
                {Object.values(errors).map((message) => (
                  <div key={message}>{message}</div>
                ))}
              </Alert>
            )}
            <GrantForm grant={grant} names={names} onChange={props.onChange} readOnly={readOnly} />
          </div>
        )}
      </div>
    </section>
  );
}
