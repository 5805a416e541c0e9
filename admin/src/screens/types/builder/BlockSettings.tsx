import { Box, Group, Stack, TextInput, Title } from '@mantine/core';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftBlock } from '../draft/draft';
import { type BlockHint, setBlockHint, setBlockKey, setBlockLabel } from '../draft/edit';
import { FieldList } from '../field/FieldList';
import { Inputs } from '../field/Inputs';
import classes from '../types.module.css';
import { IconPicker } from './IconPicker';

/** A block type: what it is called, and its fields. */
export function BlockSettings({ block, parent }: { block: DraftBlock; parent: string }) {
  const { change, defects, readOnly } = useBuilder();
  const { icon = '', group = '', description = '' } = block.rest;
  const say = (hint: BlockHint, text: string) => change((it) => setBlockHint(it, parent, block.uid, hint, text));
  return (
    <Stack gap="md">
      <Inputs>
        <TextInput
          label={t('types.label')}
          value={block.rest.label ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            change((it) => setBlockLabel(it, parent, block.uid, value));
          }}
          onFocus={(event) => !block.keyTouched && event.currentTarget.select()}
          data-autofocus
        />
        <TextInput
          label={t('types.key')}
          description={t('types.blockKeyHint')}
          value={block.key}
          onChange={(event) => {
            const { value } = event.currentTarget;
            change((it) => setBlockKey(it, parent, block.uid, value));
          }}
          error={defectOf(defects, block.uid, 'key')}
          classNames={{ input: classes.mono }}
          spellCheck={false}
          autoComplete="off"
        />
        <TextInput
          label={t('types.description')}
          description={t('types.blockDescriptionHint')}
          value={description}
          onChange={(event) => say('description', event.currentTarget.value)}
          error={defectOf(defects, block.uid, 'description')}
          autoComplete="off"
        />
        <Group align="flex-start" wrap="nowrap">
          {/* Choosing the chosen icon again removes it; the menu then shows one that suits the fields. */}
          <IconPicker value={icon} onChange={(name) => say('icon', name === icon ? '' : name)} disabled={readOnly} />
          <TextInput
            flex={1}
            label={t('types.blockGroup')}
            description={t('types.blockGroupHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={group}
            onChange={(event) => say('group', event.currentTarget.value)}
            error={defectOf(defects, block.uid, 'group')}
            dir="auto"
            autoComplete="off"
          />
        </Group>
      </Inputs>
      <Box>
        <Title order={3} size="h4" mb="xs">
          {t('types.fieldsInside')}
        </Title>
        <FieldList container={block.uid} />
      </Box>
    </Stack>
  );
}
