import { ActionIcon, Box, Collapse, Group, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconSearch, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import classes from './Navigation.module.css';
import { NavigationItem } from './NavigationItem';
import { openPalette } from './palette/open';
import { DASHBOARD, LIBRARY, type Place, STRUCTURE, SYSTEM } from './places';
import { PendingNotice } from './PendingNotice';
import { ProblemCount } from './ProblemCount';
import { UpdateNotice } from './UpdateNotice';
import { useFoldedPart } from './useFolded';
import { UserMenu } from './UserMenu';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';

/** The navigation: the content types of the workspace first, the administration after. */
export function Navigation({ onClose }: { onClose?: (() => void) | undefined }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const can = useCan();
  const collections = types.filter((it) => !it.singleton);
  const pages = types.filter((it) => it.singleton);
  const open = ({ needs }: Place) => !needs || can(...needs);
  const library = LIBRARY.filter(open);
  const system = SYSTEM.filter(open);
  const item = (place: Place) => (
    <NavigationItem
      key={place.label}
      icon={<place.icon size={18} stroke={1.7} aria-hidden />}
      label={t(place.label)}
      link={place.link(workspace)}
      aside={place.label === 'shell.problems' ? <ProblemCount /> : undefined}
    />
  );
  return (
    <div className={classes.column}>
      <Group gap={4} wrap="nowrap" p="sm" pb={6}>
        <Box flex={1} miw={0}>
          <WorkspaceSwitcher />
        </Box>
        {onClose && (
          <ActionIcon onClick={onClose} aria-label={t('general.close')} size="lg">
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Box px="sm" pb="xs">
        <UnstyledButton
          className={classes.search}
          onClick={() => {
            onClose?.();
            openPalette();
          }}
          aria-keyshortcuts={`${COMMAND === '⌘' ? 'Meta' : 'Control'}+K`}
        >
          <IconSearch size={16} aria-hidden />
          <span>{t('shell.search')}</span>
          <kbd>{COMMAND} K</kbd>
        </UnstyledButton>
      </Box>
      <div className={classes.scroll}>
        <nav aria-label={t('shell.navigation')}>
          {item(DASHBOARD)}
          {collections.length > 0 && <Heading>{t('shell.content')}</Heading>}
          {collections.map((type) => (
            <NavigationItem
              key={type.name}
              icon={<TypeIcon name={type.icon} />}
              label={type.label}
              link={{ to: '/w/$workspace/content/$type', params: { workspace, type: type.name } }}
            />
          ))}
          {pages.length > 0 && <Heading>{t('shell.pages')}</Heading>}
          {pages.map((type) => (
            <NavigationItem
              key={type.name}
              icon={<TypeIcon name={type.icon} />}
              label={type.label}
              link={{ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: type.name } }}
            />
          ))}
          {library.length > 0 && <Heading>{t('shell.library')}</Heading>}
          {library.map(item)}
          <Heading>{t('shell.structure')}</Heading>
          {STRUCTURE.filter(open).map(item)}
          {system.length > 0 && <Folding title={t('shell.system')}>{system.map(item)}</Folding>}
        </nav>
      </div>
      <Box p="sm" className={classes.foot}>
        <PendingNotice />
        <UpdateNotice />
        <UserMenu />
      </Box>
    </div>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className={classes.heading}>{children}</h2>;
}

/** A part that can be folded, which is remembered. */
function Folding({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId();
  const [folded, toggle] = useFoldedPart('system');
  return (
    <>
      <h2 className={classes.heading}>
        <UnstyledButton className={classes.fold} aria-expanded={!folded} aria-controls={id} onClick={toggle}>
          {title}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </h2>
      <Collapse expanded={!folded} id={id}>
        {children}
      </Collapse>
    </>
  );
}
