import { type ReactNode, useMemo, useState } from 'react';
import type { Preset } from '~/api/fields';
import { useCan, useContentType } from '~/api/session';
import { later } from '~/ui/later';
import type { InputProps } from '../types';
import { findDefinition } from './presets';

const PresetDialog = later(() => import('./PresetDialog').then((it) => it.PresetDialog));

/**
 * Keeps blocks as a preset of their field, for those who may change its content type. `ask` is there
 * only then.
 */
export function usePresetDialog({ definition, context, readOnly }: InputProps, presets: readonly Preset[]): { ask: ((rows: readonly unknown[]) => void) | undefined; dialog: ReactNode } {
  const [rows, setRows] = useState<readonly unknown[]>();
  const can = useCan();
  const type = useContentType(context.workspace, context.type);
  const { blocks } = definition;
  const path = useMemo(() => findDefinition(type?.fields, blocks), [type, blocks]);
  if (!path || readOnly || !can('schema.update', `schema:${context.type}`)) return { ask: undefined, dialog: null };
  const dialog = rows && (
    <PresetDialog rows={rows} taken={presets.map((it) => it.label)} path={path} context={context} onClose={() => setRows(undefined)} />
  );
  return { ask: setRows, dialog };
}
