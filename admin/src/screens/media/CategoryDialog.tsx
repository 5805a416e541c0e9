import { Button, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { ApiError } from '~/api/error';
import { t } from '~/i18n';
import { categoryName, destinations, isWithin, joinCategory, parentCategory, pathAfterMove } from '~/media/categories';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { createCategory, deleteCategory, moveCategory, pathWithin } from './actions';
import type { MediaScreen } from './useMediaScreen';

/** The task that a dialog about a category carries out. */
export type CategoryTask =
  | { kind: 'create'; parent: string }
  | { kind: 'rename' | 'move' | 'delete'; category: string };

interface CategoryDialogProps {
  task: CategoryTask | undefined;
  onClose: () => void;
  screen: MediaScreen;
  categories: readonly string[];
}

/** Asks for what a task about a category needs, and does it. */
export function CategoryDialog({ task, onClose, ...rest }: CategoryDialogProps) {
  return (
    <Modal
      opened={task !== undefined}
      onClose={onClose}
      title={task && titleOf(task)}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {task && <TaskForm task={task} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function titleOf(task: CategoryTask): string {
  if (task.kind === 'create') {
    return task.parent ? t('media.category.newWithin', { name: categoryName(task.parent) }) : t('media.category.new');
  }
  return t(`media.category.${task.kind}Title`, { name: categoryName(task.category) });
}

function TaskForm({ task, onClose, screen, categories }: CategoryDialogProps & { task: CategoryTask }) {
  const { workspace, filter } = screen;
  const form = useRecordForm({
    stored: { name: task.kind === 'rename' ? categoryName(task.category) : '' },
    allowUnchanged: true,
    withSaveShortcut: false,
    save: ({ name }) => carryOut(name),
    onSaved: onClose,
    errorsOf: errorsOfName,
  });

  /** Stays in the category that was open, under its new path. */
  function follow(from: string, to: string): void {
    if (filter.category && isWithin(filter.category, from)) void screen.setCategory(pathAfterMove(filter.category, from, to));
  }

  async function carryOut(name: string): Promise<void> {
    if (task.kind === 'create') {
      await screen.setCategory(await createCategory(workspace, task.parent, name));
    } else if (task.kind === 'delete') {
      await deleteCategory(workspace, task.category);
      if (filter.category && isWithin(filter.category, task.category)) await screen.setCategory(undefined);
    } else {
      const to = task.kind === 'rename' ? joinCategory(parentCategory(task.category), name) : pathWithin(task.category, name);
      follow(task.category, await moveCategory(workspace, task.category, to));
    }
  }

  return (
    <RecordForm form={form} gap={0}>
      {task.kind === 'delete' && (
        <Text size="sm" c={form.errors.name ? 'red' : undefined}>
          {form.errors.name ?? t('media.category.deleteBody')}
        </Text>
      )}
      {task.kind === 'move' && (
        <Select
          label={t('media.category.into')}
          data={destinations(task.category, categories).map((path) => ({ value: path, label: path || t('media.category.top') }))}
          {...form.getInputProps('name')}
          onChange={(to) => form.setValues({ name: to ?? '' })}
          data-autofocus
        />
      )}
      {(task.kind === 'create' || task.kind === 'rename') && (
        <TextInput
          label={t('media.category.name')}
          description={t('media.category.nameHint')}
          {...form.getInputProps('name')}
          required
          maxLength={80}
          autoComplete="off"
          data-autofocus
        />
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('general.cancel')}
        </Button>
        <SubmitButton form={form} color={task.kind === 'delete' ? 'red' : undefined} data-autofocus={task.kind === 'delete' || undefined}>
          {t(ACTIONS[task.kind])}
        </SubmitButton>
      </Group>
    </RecordForm>
  );
}

/** Returns the reason of a failure as the message of a name's input. */
export function errorsOfName(error: unknown): Readonly<Record<string, string>> {
  if (!error) return {};
  return { name: error instanceof ApiError ? (error.fields.name ?? error.message) : t('general.failedHint') };
}

const ACTIONS = {
  create: 'general.create',
  rename: 'media.rename',
  move: 'media.move',
  delete: 'general.delete',
} as const;
