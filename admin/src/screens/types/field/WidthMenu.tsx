import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Width } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import type { DraftField } from '../draft/draft';
import { nodeLabel, setDefinition } from '../draft/edit';
import classes from '../types.module.css';

/** The shares of a line that an input can take. */
export const WIDTHS: readonly Width[] = ['1/3', '1/2', '2/3', 'full'];

/** The width that a field has in the form. */
export function widthOf(field: DraftField): Width {
  return field.definition.layout?.width ?? 'full';
}

/** The settings of a layout with another width; the whole line is what holds without saying. */
export function layoutWith(field: DraftField, width: Width) {
  const layout = { ...field.definition.layout, width };
  if (width === 'full') delete (layout as { width?: Width }).width;
  return { layout: Object.keys(layout).length > 0 ? layout : undefined };
}

/** The width of a field in a form, to be seen and chosen. */
export function WidthMenu({ field }: { field: DraftField }) {
  const { change, readOnly } = useBuilder();
  const width = widthOf(field);
  const label = t('types.widthOf', { name: nodeLabel(field), width: t(`types.width.${width}`) });
  const picture = (value: Width) => <span className={classes.width} data-width={value} aria-hidden />;
  if (readOnly) return <span className={classes.widthStill}>{picture(width)}</span>;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.widthTarget}>
          <span className="visually-hidden">{label}</span>
          {picture(width)}
          <Text component="span" size="xs" c="dimmed" aria-hidden>
            {width === 'full' ? '1' : width}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {WIDTHS.map((value) => (
          <Menu.Item
            key={value}
            leftSection={picture(value)}
            rightSection={value === width && <IconCheck size={14} aria-hidden />}
            onClick={() => change((it) => setDefinition(it, field.uid, layoutWith(field, value)))}
          >
            {t(`types.width.${value}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
