import { Button, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '~/api/error';
import { t } from '~/i18n';
import { afterMove, destinations, isWithin, joined, leafOf, parentOf } from '~/media/categories';
import { createCategory, deleteCategory, moveCategory, pathWithin } from './actions';
import type { MediaScreen } from './useMediaScreen';

/** What is about to be done to a category. */
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
    return task.parent ? t('media.category.newWithin', { name: leafOf(task.parent) }) : t('media.category.new');
  }
  return t(`media.category.${task.kind}Title`, { name: leafOf(task.category) });
}

function TaskForm({ task, onClose, screen, categories }: CategoryDialogProps & { task: CategoryTask }) {
  const { workspace, filter } = screen;
  const [value, setValue] = useState(task.kind === 'rename' ? leafOf(task.category) : '');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  /** Stays in the category that was open, under its new path. */
  function follow(from: string, to: string): void {
    if (filter.category && isWithin(filter.category, from)) void screen.setCategory(afterMove(filter.category, from, to));
  }

  async function carryOut(): Promise<void> {
    if (task.kind === 'create') {
      await screen.setCategory(await createCategory(workspace, task.parent, value));
    } else if (task.kind === 'delete') {
      await deleteCategory(workspace, task.category);
      if (filter.category && isWithin(filter.category, task.category)) await screen.setCategory(undefined);
    } else {
      const to = task.kind === 'rename' ? joined(parentOf(task.category), value) : pathWithin(task.category, value);
      follow(task.category, await moveCategory(workspace, task.category, to));
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await carryOut();
      onClose();
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields.name ?? failure.message) : t('general.failedHint'));
    }
    setBusy(false);
  }

  return (
    <form onSubmit={submit}>
      {task.kind === 'delete' && (
        <Text size="sm" c={error ? 'red' : undefined}>
          {error ?? t('media.category.deleteBody')}
        </Text>
      )}
      {task.kind === 'move' && (
        <Select
          label={t('media.category.into')}
          data={destinations(task.category, categories).map((path) => ({ value: path, label: path || t('media.category.top') }))}
          value={value}
          onChange={(to) => setValue(to ?? '')}
          error={error}
          data-autofocus
        />
      )}
      {(task.kind === 'create' || task.kind === 'rename') && (
        <TextInput
          label={t('media.category.name')}
          description={t('media.category.nameHint')}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={error}
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
        <Button type="submit" loading={busy} color={task.kind === 'delete' ? 'red' : undefined} data-autofocus={task.kind === 'delete' || undefined}>
          {t(ACTIONS[task.kind])}
        </Button>
      </Group>
    </form>
  );
}

const ACTIONS = {
  create: 'general.create',
  rename: 'media.rename',
  move: 'media.move',
  delete: 'general.delete',
} as const;
