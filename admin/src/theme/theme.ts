import {
  type ActionIconProps, type AutocompleteProps, type BadgeProps, type ButtonProps, type CardProps, createTheme, type CSSVariablesResolver, type DrawerProps,
  type MenuProps, type ModalProps, type PaperProps, type PillProps, type SelectProps, type TableProps, type TextareaProps, type TextInputProps, type TooltipProps,
} from '@mantine/core';
import { amber, dark, darkTints, gray, green, ink, red, violet } from './palette';

/** The title of a dialog: as heavy as the heading of a section. */
const TITLE = { fontSize: '1.0625rem', fontWeight: 650, lineHeight: '1.4' };

/** The head of a dialog is a `<header>`, and yet not that of the page. */
const NO_BANNER = { header: { role: 'none' } };

/** A text is written from the side that its first letter asks for. The input's own `dir` would be its frame's. */
const WRITTEN = { input: { dir: 'auto' } };

/** The properties that a component has unless it is given others. */
function preset<Props>(defaultProps: Partial<Props>): { defaultProps: Partial<Props> } {
  return { defaultProps };
}

/** The theme: calm, dense enough for work, one accent. */
export const theme = createTheme({
  colors: { ink, gray, dark, green, amber, red, violet },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  white: '#ffffff',
  black: gray[9],
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '11px', xl: '18px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  // By name and not with `Select.extend`, which would make every component a part of the first screen.
  components: {
    ActionIcon: preset<ActionIconProps>({ variant: 'subtle', color: 'gray', size: 'md' }),
    Badge: preset<BadgeProps>({ variant: 'light', radius: 'sm', tt: 'none', fw: 550 }),
    Button: preset<ButtonProps>({ fw: 550 }),
    Card: preset<CardProps>({ withBorder: true, radius: 'lg', padding: 'lg' }),
    Paper: preset<PaperProps>({ radius: 'lg' }),
    Modal: { ...preset<ModalProps>({ radius: 'lg', centered: true, attributes: NO_BANNER, transitionProps: { duration: 120 } }), styles: { title: TITLE } },
    Drawer: { ...preset<DrawerProps>({ position: 'right', attributes: NO_BANNER, transitionProps: { duration: 120 } }), styles: { title: TITLE } },
    // A long menu scrolls in the room that there is, and ends before the edge of the window.
    Menu: {
      ...preset<MenuProps>({ shadow: 'md', transitionProps: { duration: 80 }, middlewares: { flip: true, shift: true, size: { padding: 8 } } }),
      styles: { dropdown: { overflowY: 'auto' } },
    },
    Pill: preset<PillProps>({ radius: 'sm' }),
    Select: preset<SelectProps>({ allowDeselect: false, checkIconPosition: 'right' }),
    Table: preset<TableProps>({ verticalSpacing: 'xs' }),
    Autocomplete: preset<AutocompleteProps>({ attributes: WRITTEN }),
    TextInput: preset<TextInputProps>({ attributes: WRITTEN }),
    Textarea: preset<TextareaProps>({ attributes: WRITTEN }),
    Tooltip: preset<TooltipProps>({ openDelay: 350, withArrow: true }),
  },
});

const TINTED = { ink, green, amber, red, violet, gray };
type Tinted = keyof typeof TINTED;

/** The colours that replace the library's own choices where these have too little contrast. */
export const cssVariables: CSSVariablesResolver = () => {
  const tints = (shade: 'light' | 'dark') =>
    Object.fromEntries(
      Object.entries(TINTED).flatMap(([name, tuple]) => [
        [`--mantine-color-${name}-light-color`, shade === 'light' ? tuple[8] : tuple[2]],
        [`--mantine-color-${name}-text`, shade === 'light' ? tuple[7] : tuple[3]],
        [`--mantine-color-${name}-outline`, shade === 'light' ? tuple[7] : tuple[3]],
        [`--mantine-color-${name}-light`, shade === 'light' ? tuple[1] : darkTints[name as Tinted][0]],
        [`--mantine-color-${name}-light-hover`, shade === 'light' ? tuple[2] : darkTints[name as Tinted][1]],
      ]),
    );
  return {
    variables: {},
    light: {
      ...tints('light'),
      '--mantine-color-body': gray[0],
      '--mantine-color-dimmed': gray[6],
      '--mantine-color-placeholder': gray[6],
      '--mantine-color-anchor': ink[7],
      '--mantine-color-error': red[7],
      '--mantine-color-default-border': gray[3],
      '--recto-surface': '#ffffff',
      '--recto-sunken': gray[1],
      '--recto-line': gray[2],
      '--recto-input-line': gray[5],
    },
    dark: {
      ...tints('dark'),
      '--mantine-color-body': dark[7],
      '--mantine-color-dimmed': dark[2],
      '--mantine-color-placeholder': dark[2],
      '--mantine-color-anchor': ink[3],
      '--mantine-color-error': red[3],
      '--mantine-color-default-border': dark[4],
      '--mantine-color-disabled': dark[5],
      '--mantine-color-disabled-color': dark[2],
      '--recto-surface': dark[6],
      '--recto-sunken': dark[8],
      '--recto-line': dark[5],
      '--recto-input-line': dark[3],
    },
  };
};
