import { t } from '~/i18n';

/** The button that shows what was typed: by keyboard too, and with a name. */
export function passwordToggleProps() {
  return { 'aria-label': t('auth.showPassword'), tabIndex: 0, 'aria-hidden': false };
}
