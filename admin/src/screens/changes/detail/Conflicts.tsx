import { Alert, Button, Group, Radio, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { discardProposal, proposeDeletion, proposeValues } from '~/api/changes/requests';
import type { FieldDiff, Proposal } from '~/api/schema';
import { useContentType } from '~/api/session';
import { isSameValue } from '~/diff/values';
import { FieldInput } from '~/fields/FieldInput';
import { labelled, t } from '~/i18n';
import { useWorkspace } from '~/workspace';
import classes from '../changes.module.css';
import { fieldAt } from './fields';
import { Difference } from './FieldDifference';
import { bodyOfPaths, type ConflictValues, decidedValues, type Decision } from './solve';
import type { ChangeActions } from './useChangeActions';

interface ConflictProps {
  id: string;
  entry: Proposal;
  actions: ChangeActions;
  /** False for whoever may only look. */
  mayEdit: boolean;
}

interface ConflictsProps extends ConflictProps {
  fields: readonly FieldDiff[];
}

/** The values that others changed meanwhile, too: somebody has to choose. */
export function Conflicts({ id, entry, fields, actions, mayEdit }: ConflictsProps) {
  const type = useContentType(useWorkspace(), entry.collection);
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision | undefined>>>({});
  const open = fields.filter((it) => it.conflict);
  const values = decidedValues(fields, decisions);
  const what = `solve ${entry.collection}/${entry.id}`;
  const solve = () => {
    if (values) actions.solve(entry, () => solveConflicts(id, entry, values, type?.root_locale));
  };
  const undecided = open.filter((it) => !decisions[it.path]).length;
  return (
    <>
      <Explained>{t('changes.conflictBody', { count: open.length })}</Explained>
      {open.map((it) => (
        <ConflictChoice
          key={it.path}
          entry={entry}
          field={it}
          decision={decisions[it.path]}
          onDecide={(decision) => setDecisions({ ...decisions, [it.path]: decision })}
          readOnly={!mayEdit}
        />
      ))}
      {mayEdit && (
        <Group justify="flex-end" mb="sm">
          <Button size="sm" onClick={solve} disabled={undecided > 0} loading={actions.pending === what}>
            {undecided > 0 ? t('changes.undecided', { count: undecided }) : t('changes.solve')}
          </Button>
        </Group>
      )}
    </>
  );
}

/**
 * Saves by which values the conflicts of an entry are solved. The first save finds out whether they are
 * accepted. A proposal is in conflict until it has the live values once, so it gets those, and then the
 * chosen ones: the last save builds on what is live.
 */
async function solveConflicts(
  change: string,
  entry: Pick<Proposal, 'collection' | 'id'>,
  { chosen, live }: ConflictValues,
  rootLocale: string | undefined,
): Promise<void> {
  const save = (values: ConflictValues['chosen']) => proposeValues(change, entry, bodyOfPaths(values, rootLocale));
  await save(chosen);
  if (isSameValue(chosen, live)) return;
  await save(live);
  await save(chosen);
}

interface ConflictChoiceProps {
  entry: Proposal;
  field: FieldDiff;
  decision: Decision | undefined;
  onDecide: (decision: Decision) => void;
  readOnly: boolean;
}

/** One value, as it is live now and as the change has it. */
function ConflictChoice({ entry, field, decision, onDecide, readOnly }: ConflictChoiceProps) {
  const workspace = useWorkspace();
  const type = useContentType(workspace, entry.collection);
  const shown = fieldAt(type, field.path);
  const sides = { mine: field.proposed, live: field.live } as const;
  const editable = shown.path !== 'status';
  return (
    <Radio.Group
      className={classes.field}
      label={shown.label}
      labelProps={{ className: classes.fieldLabel }}
      value={decision?.take ?? null}
      onChange={(take) => onDecide(take === 'other' ? { take, value: field.proposed } : { take: take === 'mine' ? 'mine' : 'live' })}
    >
      <div className={classes.sides}>
        {(['mine', 'live'] as const).map((side) => (
          <div key={side} className={classes.choice} data-chosen={decision?.take === side || undefined}>
            <Radio value={side} label={t(`changes.side.${side}`)} aria-label={labelled(shown.label, t(`changes.side.${side}`))} disabled={readOnly} />
            <div className={classes.value}>
              <Difference entry={entry} field={shown} before={field.base} after={sides[side]} />
            </div>
          </div>
        ))}
      </div>
      {editable && !readOnly && (
        <Radio mt="sm" value="other" label={t('changes.side.other')} aria-label={labelled(shown.label, t('changes.side.other'))} />
      )}
      {decision?.take === 'other' && (
        <div className={classes.value}>
          <FieldInput
            path={field.path}
            name={shown.name}
            definition={shown.definition}
            value={decision.value}
            onChange={(value) => onDecide({ take: 'other', value })}
            context={{ workspace, type: entry.collection, id: entry.id, locale: shown.locale || (type?.root_locale ?? '') }}
            errors={{}}
          />
        </div>
      )}
    </Radio.Group>
  );
}

/** An entry that is to be deleted was changed since. */
export function DeletionConflict({ id, entry, actions, mayEdit }: ConflictProps) {
  const what = `solve ${entry.collection}/${entry.id}`;
  // The deletion is proposed anew, of the entry as it is now.
  const deleteAnyway = async () => {
    await discardProposal(id, entry);
    await proposeDeletion(id, entry);
  };
  return (
    <Explained
      actions={
        mayEdit && (
          <>
            <Button size="xs" variant="default" onClick={() => actions.discard(entry, 'asked')}>
              {t('changes.keepEntry')}
            </Button>
            <Button size="xs" color="red" loading={actions.pending === what} onClick={() => actions.solve(entry, deleteAnyway)}>
              {t('changes.deleteAnyway')}
            </Button>
          </>
        )
      }
    >
      {t('changes.deletionConflict')}
    </Explained>
  );
}

/** An entry that the change changes was deleted meanwhile. */
export function GoneConflict({ entry, actions, mayEdit }: Omit<ConflictProps, 'id'>) {
  const workspace = useWorkspace();
  return (
    <Explained
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            component={Link}
            {...({ to: '/w/$workspace/trash', params: { workspace }, search: { type: entry.collection } } as object)}
          >
            {t('changes.toTrash')}
          </Button>
          {mayEdit && (
            <Button size="xs" onClick={() => actions.discard(entry, 'asked')}>
              {t('changes.discard')}
            </Button>
          )}
        </>
      }
    >
      {t('changes.goneConflict')}
    </Explained>
  );
}

function Explained({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <Alert color="amber" icon={<IconArrowsSplit2 aria-hidden />} mb="xs">
      <Text size="sm">{children}</Text>
      {actions && (
        <Group gap="xs" mt="xs">
          {actions}
        </Group>
      )}
    </Alert>
  );
}
