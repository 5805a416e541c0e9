import { Button, Group, Modal, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';

interface ViewDialogProps {
  opened: boolean;
  title: string;
  name: string | undefined;
  mayShare: boolean;
  onClose: () => void;
  onSave: (name: string, shared: boolean) => Promise<void>;
}

/** Asks for the name of a view, and whether it is for everybody. */
export function ViewDialog({ opened, title, onClose, ...form }: ViewDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Form {...form} onClose={onClose} />
    </Modal>
  );
}

function Form({ name, mayShare, onClose, onSave }: Omit<ViewDialogProps, 'opened' | 'title'>) {
  const [typed, setTyped] = useState(name ?? '');
  const [shared, setShared] = useState(false);
  const [saving, setSaving] = useState(false);
  const ready = typed.trim() !== '';
  async function save() {
    setSaving(true);
    try {
      await onSave(typed.trim(), shared);
      onClose();
    } catch (error) {
      setSaving(false);
      showError(error);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void save();
      }}
    >
      <TextInput
        label={t('content.viewName')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={80}
        autoComplete="off"
        data-autofocus
      />
      {mayShare && (
        <Switch
          mt="md"
          label={t('content.shareView')}
          description={t('content.shareViewHint')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('general.cancel')}
        </Button>
        <Button type="submit" disabled={!ready} loading={saving}>
          {t('general.save')}
        </Button>
      </Group>
    </form>
  );
}
