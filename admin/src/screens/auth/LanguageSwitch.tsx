import { Button, Menu } from '@mantine/core';
import { IconCheck, IconWorld } from '@tabler/icons-react';
import { LANGUAGES, language, t } from '~/i18n';
import { switchLanguage } from '~/i18n/switch';

/** The language of the interface, for whoever is not logged in yet. */
export function LanguageSwitch() {
  const current = LANGUAGES.find((it) => it.code === language());
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-md"
          leftSection={<IconWorld size={16} stroke={1.7} aria-hidden />}
          aria-label={t('auth.languageIs', { language: current?.name ?? '' })}
        >
          {current?.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map(({ code, name }) => (
          <Menu.Item
            key={code}
            lang={code}
            onClick={() => void switchLanguage(code)}
            aria-current={code === language() || undefined}
            rightSection={code === language() ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
