import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { t } from '~/i18n';
import { INSERTIONS } from './catalogue';
import type { Insertions } from './useInsertions';

/** The menu of the toolbar with all that can be inserted. */
export function InsertMenu({ insertions }: { insertions: Insertions }) {
  const [opened, setOpened] = useState(false);
  return (
    <Menu position="bottom-start" returnFocus={false} shadow="md" opened={opened} onChange={setOpened} middlewares={{ flip: true, shift: true, size: true }}>
      <Menu.Target>
        <Tooltip label={t('fields.insert.menu')} disabled={opened}>
          <ActionIcon tabIndex={-1} aria-label={t('fields.insert.title')} onMouseDown={(event) => event.preventDefault()}>
            <IconPlus size={17} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {INSERTIONS.map((insertion, at) => (
          <Fragment key={insertion.id}>
            {at > 0 && INSERTIONS[at - 1]?.group !== insertion.group && <Menu.Divider />}
            <Menu.Item leftSection={<insertion.icon size={17} stroke={1.7} aria-hidden />} onClick={() => insertions.run(insertion)}>
              {t(insertion.label)}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
