import { ActionIcon, Button, Group, Menu, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { IconColumns2, IconDots, IconLanguageOff } from '@tabler/icons-react';
import { localeName, t } from '~/i18n';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { completeness, isLocalized } from './form';
import { offerUndo } from './offer-undo';
import { useFormState } from './store';

/** More languages than these are chosen from a list. */
const TABS = 4;

/** The language that is edited, the completeness of each one, and the way to translate side by side. */
export function Locales() {
  const { type, form, locale, show } = useEditing();
  const counts = useFormState(form, ({ values }) =>
    type.locales.map((it) => `${completeness(type, values, it).done}/${completeness(type, values, it).of}`).join(' '),
  ).split(' ');
  if (!isLocalized(type)) return null;
  const options = type.locales.map((value, index) => ({ value, name: localeName(value), count: counts[index] ?? '' }));
  return (
    <Group gap="xs">
      {options.length <= TABS ? (
        <SegmentedControl
          aria-label={t('entry.locale')}
          data-many={options.length > 2 || undefined}
          value={locale}
          onChange={(value) => show({ locale: value })}
          data={options.map(({ value, name, count }) => ({
            value,
            label: (
              <>
                {name}
                <span className={classes.count}>{count}</span>
                <span className="visually-hidden">{t('entry.localeCount')}</span>
              </>
            ),
          }))}
        />
      ) : (
        <Select
          aria-label={t('entry.locale')}
          value={locale}
          onChange={(value) => value && show({ locale: value })}
          data={options.map(({ value, name, count }) => ({ value, label: `${name} ${count}` }))}
          w={200}
        />
      )}
      {options.length > 1 && <TranslateButton many={options.length > 2} />}
      <LocaleMenu />
    </Group>
  );
}

/** Begins a translation into the language that is edited, or from it if the others are translated from it. */
function TranslateButton({ many }: { many: boolean }) {
  const { type, locale, show } = useEditing();
  const origin = type.default_locale || type.root_locale;
  const start = () => {
    const [other = origin] = type.locales.filter((it) => it !== origin);
    show(locale === origin ? { locale: other, compare: locale } : { compare: origin });
  };
  return (
    <Tooltip label={t('entry.translate.start')}>
      <Button
        variant="default"
        className={classes.translate}
        leftSection={<IconColumns2 size={16} aria-hidden />}
        onClick={start}
        aria-label={t('entry.translate.start')}
        data-many={many || undefined}
        data-translate
      >
        {t('entry.translate.startShort')}
      </Button>
    </Tooltip>
  );
}

/** The actions on a whole translation. */
export function LocaleMenu() {
  const { type, form, locale, readOnly, show } = useEditing();
  const prefix = `translations.${locale}.`;
  const there = useFormState(form, ({ values }) => Object.keys(values).some((slot) => slot.startsWith(prefix) && values[slot] != null));
  if (readOnly || locale === type.root_locale || locale === type.default_locale || !there) return null;
  const remove = () => {
    const { values } = form.state();
    const slots = Object.keys(values).filter((slot) => slot.startsWith(prefix));
    form.replace({ ...values, ...Object.fromEntries(slots.map((slot) => [slot, null])) });
    show({ locale: type.root_locale, compare: undefined });
    offerUndo(form, t('entry.translationRemoved', { language: localeName(locale) }), () => show({ locale }));
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('entry.localeMore')}>
          <ActionIcon aria-label={t('entry.localeMore')} variant="default" size="lg">
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="red" leftSection={<IconLanguageOff size={16} aria-hidden />} onClick={remove}>
          {t('entry.removeTranslation', { language: localeName(locale) })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
