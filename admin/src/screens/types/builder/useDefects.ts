import { useMemo, useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import { type Defects, emptyDefects, nameDefects, NO_DEFECTS, serverDefects } from '../draft/defects';
import type { TypeDraft } from '../draft/draft';
import type { NameDefect } from '../draft/names';

/** Returns the defects of a draft: its names and what is empty, judged here, and the server's refusals. */
export function useDefects(draft: TypeDraft, types: readonly ContentTypeShape[], isNew: boolean) {
  const [refused, setRefused] = useState<Defects>(NO_DEFECTS);
  const [tried, setTried] = useState(false);
  const named = useMemo(() => nameDefects(draft, isNew ? types.map((it) => it.name) : [], sayDefect), [draft, types, isNew]);
  const empty = useMemo(() => emptyDefects(draft, (kind) => t(`types.defect.empty.${kind}`)), [draft]);
  const defects = useMemo(() => merged(named, empty, refused, tried), [named, empty, refused, tried]);
  return {
    defects,
    /** Before a save: shows everything there is to say. Gives whether the server may be asked. */
    judge: () => {
      setTried(true);
      setRefused(NO_DEFECTS);
      return Object.keys(named).length === 0 && Object.keys(empty).length === 0;
    },
    refuse: (fields: Readonly<Record<string, string>>) => setRefused(serverDefects(draft, fields)),
  };
}

function sayDefect(defect: NameDefect, of: 'type' | 'field' | 'block'): string {
  return of !== 'field' && defect === 'invalid' ? t('types.defect.typeName') : t(`types.defect.${defect}`);
}

/** All defects; what is still missing only once somebody tried to save. */
function merged(named: Defects, empty: Defects, refused: Defects, tried: boolean): Defects {
  const missing = t('types.defect.missing');
  const shown = Object.entries(named).filter(([, it]) => tried || !Object.values(it).includes(missing));
  const all: Record<string, Readonly<Record<string, string>>> = { ...refused };
  for (const [uid, found] of [...shown, ...(tried ? Object.entries(empty) : [])]) all[uid] = { ...all[uid], ...found };
  return all;
}
