import { ActionIcon, Box, Button, Code, Input, Text, Title, UnstyledButton } from '@mantine/core';
import { IconBox, IconPlus, IconTrash } from '@tabler/icons-react';
import { t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import { rowId, useBuilder } from '../builder-context';
import { countDefects } from '../draft/defects';
import type { DraftBlock, DraftField } from '../draft/draft';
import { addBlock, moveBlock, nodeLabel, removeBlock } from '../draft/edit';
import { moveKeys, Sortable, useSortableItem } from '../Sortable';
import classes from '../types.module.css';
import { FieldList } from './FieldList';

/** The inside of a field: fields, or block types that hold some. */
export function FieldStructure({ field }: { field: DraftField }) {
  const { defects } = useBuilder();
  const blocks = field.definition.type === 'blocks';
  const [problem] = ['fields', 'subfields', 'blocks'].flatMap((it) => defects[field.uid]?.[it] ?? []);
  return (
    <Box mt="lg">
      <Title order={3} size="h4" mb="xs">
        {t(blocks ? 'types.blockTypes' : 'types.fieldsInside')}
      </Title>
      {problem && <Input.Error mb="xs">{problem}</Input.Error>}
      {blocks ? <BlockList field={field} /> : <FieldList container={field.uid} />}
    </Box>
  );
}

/** The block types that editors choose from. */
function BlockList({ field }: { field: DraftField }) {
  const { draft, change, open, readOnly } = useBuilder();
  const { blocks } = field;
  const label = (uid: string) => {
    const block = blocks.find((it) => it.uid === uid);
    return block ? nodeLabel(block) : '';
  };
  const move = (uid: string, to: number) => change((it) => moveBlock(it, field.uid, uid, to));
  const add = () => {
    const added = addBlock(draft, field.uid, t('types.newBlock'));
    change(() => added.draft);
    open(added.uid);
  };
  return (
    <>
      {blocks.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.none}>
          {t('types.noBlocks')}
        </Text>
      )}
      <Sortable ids={blocks.map((it) => it.uid)} labelOf={label} onMove={move}>
        <ol className={classes.list} aria-label={t('types.blockTypes')}>
          {blocks.map((block, index) => (
            <BlockRow key={block.uid} block={block} parent={field.uid} index={index} onMove={(to) => move(block.uid, to)} />
          ))}
        </ol>
      </Sortable>
      {!readOnly && (
        <Button variant="default" fullWidth leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t('types.addBlock')}
        </Button>
      )}
    </>
  );
}

interface BlockRowProps {
  block: DraftBlock;
  parent: string;
  index: number;
  onMove: (to: number) => void;
}

function BlockRow({ block, parent, index, onMove }: BlockRowProps) {
  const { draft, change, open, readOnly, defects } = useBuilder();
  const name = nodeLabel(block);
  const keys = readOnly ? undefined : moveKeys(index, onMove);
  const { item, handle } = useSortableItem(block.uid, name, readOnly, keys);
  const remove = () => {
    const before = draft;
    change((it) => removeBlock(it, parent, block.uid));
    showUndo(t('types.fieldRemoved', { field: name }), async () => change(() => before));
  };
  return (
    <li {...item} className={classes.row} data-wrong={countDefects(block, defects) > 0 || undefined}>
      {handle}
      <UnstyledButton id={rowId(block.uid)} className={classes.open} onClick={() => open(block.uid)} onKeyDown={keys}>
        <span className={classes.kind}>
          <IconBox size={18} stroke={1.7} aria-hidden />
        </span>
        <span className={classes.names}>
          <Text component="span" fw={550} size="sm" className={classes.label}>
            {name}
          </Text>
          <span className={classes.sub}>
            <Code className={classes.key}>{block.key}</Code>
            <Text component="span" size="xs" c="dimmed">
              {t('types.fieldCount', { count: block.fields.length })}
            </Text>
          </span>
        </span>
      </UnstyledButton>
      {!readOnly && (
        <ActionIcon onClick={remove} aria-label={t('types.removeNamed', { name })}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
