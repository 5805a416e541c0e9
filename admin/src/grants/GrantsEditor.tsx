import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus, IconShieldLock } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Grant } from '~/api/schema';
import { t } from '~/i18n';
import { EmptyState } from '~/ui/EmptyState';
import { restoreLostFocus } from '~/ui/lost-focus';
import { useNames } from './data';
import { GrantCard } from './GrantCard';
import { errorsOfGrant } from './errors';
import { GrantsJson } from './GrantsJson';
import { NEW_GRANT } from './shape';

interface GrantsEditorProps {
  /** The grants to begin with; give it another `key` to begin anew. */
  grants: readonly Grant[];
  onChange: (grants: Grant[]) => void;
  /** Told when what is typed as JSON can be read again, or not. */
  onValid?: (valid: boolean) => void;
  /** The server's messages, by path: `permissions[0].actions`. */
  errors?: Readonly<Record<string, string>>;
  readOnly?: boolean;
}

interface Item {
  key: number;
  grant: Grant;
  isNew?: boolean;
}

/** A list of grants: as cards that speak, or as JSON. */
export function GrantsEditor({ grants, onChange, onValid, errors = {}, readOnly = false }: GrantsEditorProps) {
  const next = useRef(grants.length);
  const frame = useRef<HTMLDivElement>(null);
  const [items, setItems] = useState<readonly Item[]>(() => grants.map((grant, key) => ({ key, grant })));
  const [view, setView] = useState('cards');
  const names = useNames(items.map((it) => it.grant));
  const change = (list: readonly Item[]) => {
    setItems(list);
    onChange(list.map((it) => it.grant));
  };
  const insert = (grant: Grant, at: number) => {
    change([...items.slice(0, at), { key: next.current++, grant, isNew: true }, ...items.slice(at)]);
    requestAnimationFrame(() => grantTarget(frame.current, at + 1)?.focus());
  };
  const remove = (at: number) => {
    change(items.filter((_, index) => index !== at));
    restoreLostFocus(() => grantTarget(frame.current, Math.max(1, at)));
  };
  return (
    <div ref={frame}>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('roles.grants.view')}
          value={view}
          onChange={(to) => {
            setView(to);
            onValid?.(true);
          }}
          data={[
            { value: 'cards', label: t('roles.grants.cards') },
            { value: 'json', label: t('roles.grants.asJson') },
          ]}
        />
        {!readOnly && view === 'cards' && items.length > 0 && (
          <AddButton onClick={() => insert(NEW_GRANT, items.length)} />
        )}
      </Group>
      {view === 'json' ? (
        <GrantsJson
          grants={items.map((it) => it.grant)}
          readOnly={readOnly}
          onChange={(list) => change(list.map((grant) => ({ key: next.current++, grant })))}
          onValid={onValid}
        />
      ) : (
        <Stack gap="sm">
          {items.map(({ key, grant, isNew }, index) => (
            <GrantCard
              key={key}
              grant={grant}
              number={index + 1}
              names={names}
              errors={errorsOfGrant(errors, index)}
              onChange={(changed) => change(items.map((it) => (it.key === key ? { ...it, grant: changed } : it)))}
              onDuplicate={() => insert(grant, index + 1)}
              onRemove={() => remove(index)}
              startsOpen={isNew ?? false}
              readOnly={readOnly}
            />
          ))}
          {items.length === 0 && (
            <EmptyState
              compact
              icon={IconShieldLock}
              title={t('roles.grants.empty')}
              action={!readOnly && <AddButton onClick={() => insert(NEW_GRANT, 0)} />}
            >
              {t('roles.grants.emptyHint')}
            </EmptyState>
          )}
        </Stack>
      )}
    </div>
  );
}

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick} data-add-grant>
      {t('roles.grants.add')}
    </Button>
  );
}

/** Returns the button of a grant for the focus, or the one that adds a grant if there is none. */
function grantTarget(frame: HTMLElement | null, number: number): HTMLElement | null {
  const card = frame?.querySelector<HTMLElement>(`[data-grant="${number}"]`);
  return card ?? frame?.querySelector<HTMLElement>('[data-add-grant]') ?? null;
}
