import { Box, Stack, TextInput, Title } from '@mantine/core';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftBlock } from '../draft/draft';
import { setBlockKey, setBlockLabel } from '../draft/edit';
import { FieldList } from '../field/FieldList';
import { Inputs } from '../field/Inputs';
import classes from '../types.module.css';

/** A block type: what it is called, and its fields. */
export function BlockSettings({ block, parent }: { block: DraftBlock; parent: string }) {
  const { change, defects } = useBuilder();
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
