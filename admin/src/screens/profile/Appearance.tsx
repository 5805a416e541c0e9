import { Button, Card, Group, Input, SegmentedControl, Select, Stack, Switch, Text, Title, useMantineColorScheme } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { api, call } from '~/api/client';
import { type Preferences, savePreferences, storeMe, usePreferences } from '~/api/session';
import { type Language, language, LANGUAGES, t } from '~/i18n';
import { openShortcuts } from '~/shell/ShortcutsHelp';
import { confirm, showDone, showError } from '~/ui/feedback';

// A new language mounts the page anew: the keyboard should come back to where it was.
let languageChanged = false;

/** The appearance of the interface and its behaviour. Every change takes effect at once. */
export function Appearance({ mayChange }: { mayChange: boolean }) {
  const { density = 'comfortable', letterShortcuts = true, clock } = usePreferences();
  const keep = (change: Partial<Preferences>) => savePreferences(change).catch(showError);
  return (
    <Card>
      <Title order={2} size="h3" mb="md">
        {t('profile.appearance')}
      </Title>
      <Stack gap="md">
        <Scheme />
        {mayChange && (
          <>
            <Input.Wrapper label={t('profile.density')} description={t('profile.densityHint')} labelElement="div">
              <div>
                <SegmentedControl
                  mt={6}
                  aria-label={t('profile.density')}
                  value={density}
                  onChange={(value) => keep({ density: value === 'compact' ? 'compact' : 'comfortable' })}
                  data={[
                    { value: 'comfortable', label: t('profile.density.comfortable') },
                    { value: 'compact', label: t('profile.density.compact') },
                  ]}
                />
              </div>
            </Input.Wrapper>
            <LanguageSelect />
            <Input.Wrapper label={t('profile.clock')} labelElement="div">
              <div>
                <SegmentedControl
                  mt={6}
                  aria-label={t('profile.clock')}
                  value={clock ?? 'auto'}
                  onChange={(value) => keep({ clock: value === '12' || value === '24' ? value : undefined })}
                  data={[
                    { value: 'auto', label: t('profile.clock.auto') },
                    { value: '24', label: t('profile.clock.24') },
                    { value: '12', label: t('profile.clock.12') },
                  ]}
                />
              </div>
            </Input.Wrapper>
            <Title order={3} size="h4" mt="xs">
              {t('profile.keys')}
            </Title>
            <Switch
              label={t('profile.letters')}
              description={t('profile.lettersHint')}
              checked={letterShortcuts}
              onChange={(event) => keep({ letterShortcuts: event.currentTarget.checked })}
            />
          </>
        )}
        <Group>
          <Button variant="default" leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openShortcuts}>
            {t('profile.showKeys')}
          </Button>
        </Group>
        {mayChange && <Reset />}
      </Stack>
    </Card>
  );
}

function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = ['light', 'dark', 'auto'] as const;
  return (
    <Input.Wrapper label={t('profile.theme')} labelElement="div">
      <div>
        <SegmentedControl
          mt={6}
          aria-label={t('profile.theme')}
          value={colorScheme}
          onChange={(value) => setColorScheme(schemes.find((it) => it === value) ?? 'auto')}
          data={schemes.map((it) => ({ value: it, label: t(`shell.theme.${it}`) }))}
        />
      </div>
    </Input.Wrapper>
  );
}

function LanguageSelect() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (languageChanged) input.current?.focus();
    languageChanged = false;
  }, []);
  const change = (code: Language) => {
    languageChanged = code !== language();
    // The shell speaks whatever language is kept.
    return savePreferences({ language: code });
  };
  return (
    <Select
      ref={input}
      label={t('profile.language')}
      maw={260}
      data={LANGUAGES.map((it) => ({ value: it.code, label: it.name }))}
      value={language()}
      onChange={(value) => {
        const chosen = LANGUAGES.find((it) => it.code === value);
        if (chosen) change(chosen.code).catch(showError);
      }}
    />
  );
}

function Reset() {
  const { setColorScheme } = useMantineColorScheme();
  const reset = async () => {
    const yes = await confirm({ title: t('profile.resetTitle'), body: t('profile.resetBody'), action: t('profile.reset') });
    if (!yes) return;
    storeMe((await call(api.PUT('/admin/api/profile', { body: { preferences: {} } }))).data);
    setColorScheme('auto');
    showDone(t('profile.resetDone'));
  };
  return (
    <div>
      <Button variant="default" onClick={() => reset().catch(showError)} mb={4}>
        {t('profile.reset')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('profile.resetHint')}
      </Text>
    </div>
  );
}
