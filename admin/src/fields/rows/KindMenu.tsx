import { Combobox, Menu, useCombobox } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { fieldLabel, type Preset } from '~/api/fields';
import { formatList, t } from '~/i18n';
import { blockType } from '../shape';
import { KindIcon, PresetIcon } from './KindIcon';
import { LazyMenu, type TargetProps } from './LazyMenu';
import type { RowKind } from './rows';
import classes from './rows.module.css';

/** Beyond so many, kinds are searched for by their names. */
const SEARCHED = 9;

interface KindMenuProps {
  /** The button that opens it. */
  target: ReactElement<TargetProps>;
  kinds: readonly RowKind[];
  presets: readonly Preset[];
  onAdd: (kind: RowKind) => void;
  onPreset: (preset: Preset) => void;
}

interface Choice {
  id: string;
  label: string;
  about: string;
  icon: ReactNode;
  pick: () => void;
}

interface Group {
  label: string;
  choices: readonly Choice[];
}

/** The kinds of rows and the presets to choose from, each with what it is for. */
export function KindMenu({ target, ...rest }: KindMenuProps) {
  const count = rest.kinds.length + rest.presets.length;
  if (count > SEARCHED) return <SearchedKinds target={target} groups={groupsOf(rest)} />;
  return (
    <LazyMenu target={target} position="bottom-start">
      {() => <ListedKinds groups={groupsOf(rest)} />}
    </LazyMenu>
  );
}

/** Kinds under the headings that the schema gives them, and presets below. */
function groupsOf({ kinds, presets, onAdd, onPreset }: Omit<KindMenuProps, 'target'>): Group[] {
  const groups = new Map<string, Choice[]>();
  for (const kind of kinds) {
    const heading = kind.group ?? '';
    groups.set(heading, [...(groups.get(heading) ?? []), choiceOfKind(kind, onAdd)]);
  }
  const listed = [...groups].map(([label, choices]) => ({ label: label || t('fields.rows.kinds'), choices }));
  const made = presets.map((preset, index) => choiceOfPreset(preset, `preset ${index}`, kinds, onPreset));
  return made.length > 0 ? [...listed, { label: t('fields.rows.presets'), choices: made }] : listed;
}

function choiceOfKind(kind: RowKind, onAdd: (kind: RowKind) => void): Choice {
  const parts = Object.entries(kind.fields).slice(0, 4).map(([name, it]) => fieldLabel(name, it));
  return { id: `kind ${kind.name}`, label: kind.label, about: kind.description || formatList(parts), icon: <KindIcon kind={kind} />, pick: () => onAdd(kind) };
}

function choiceOfPreset(preset: Preset, id: string, kinds: readonly RowKind[], onPreset: (preset: Preset) => void): Choice {
  const names = preset.rows.slice(0, 5).map((row) => kinds.find((it) => it.name === blockType(row))?.label ?? fieldLabel(blockType(row) ?? '?', undefined));
  return { id, label: preset.label, about: formatList(names), icon: <PresetIcon />, pick: () => onPreset(preset) };
}

function ListedKinds({ groups }: { groups: readonly Group[] }) {
  return (
    <div className={classes.gallery}>
      {groups.map(({ label, choices }) => (
        <div key={label} role="group" aria-label={label}>
          {groups.length > 1 && (
            <div aria-hidden className={classes.heading}>
              {label}
            </div>
          )}
          {choices.map((choice) => (
            <Menu.Item key={choice.id} onClick={choice.pick} leftSection={choice.icon}>
              <Face {...choice} />
            </Menu.Item>
          ))}
        </div>
      ))}
    </div>
  );
}

function Face({ label, about }: Choice) {
  return (
    <>
      <span className={classes.kindName}>{label}</span>
      {about && <span className={classes.kindParts}>{about}</span>}
    </>
  );
}

/** Costs no more than its button until it is opened first. */
function SearchedKinds({ target, groups }: { target: ReactElement<TargetProps>; groups: readonly Group[] }) {
  const [used, setUsed] = useState(false);
  if (used) return <OpenKinds target={target} groups={groups} />;
  return cloneElement(target, { 'aria-haspopup': 'listbox', 'aria-expanded': false, onClick: () => setUsed(true) });
}

function OpenKinds({ target, groups }: { target: ReactElement<TargetProps>; groups: readonly Group[] }) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
  });
  const { openDropdown } = combobox;
  useEffect(() => openDropdown(), [openDropdown]);
  const words = search.trim().toLowerCase();
  const matches = (it: Choice) => `${it.label} ${it.about}`.toLowerCase().includes(words);
  const found = groups.map((it) => ({ ...it, choices: it.choices.filter(matches) })).filter((it) => it.choices.length > 0);
  const pick = (id: string) => {
    combobox.closeDropdown();
    groups.flatMap((it) => it.choices).find((it) => it.id === id)?.pick();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={pick} width={340} position="bottom-start" shadow="md">
      <Combobox.Target targetType="button">
        {cloneElement(target, {
          'aria-haspopup': 'listbox',
          'aria-expanded': combobox.dropdownOpened,
          onClick: () => combobox.toggleDropdown(),
        })}
      </Combobox.Target>
      <Combobox.Dropdown className={classes.searched}>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.selectFirstOption();
          }}
          onKeyDown={(event) => event.key === 'Escape' && combobox.focusTarget()}
          placeholder={t('fields.rows.search')}
          aria-label={t('fields.rows.search')}
        />
        <Combobox.Options className={classes.gallery} aria-label={t('fields.rows.kinds')}>
          {found.length === 0 && <Combobox.Empty>{t('general.noMatch')}</Combobox.Empty>}
          {found.map(({ label, choices }) => (
            <Combobox.Group key={label} label={label}>
              {choices.map((choice) => (
                <Combobox.Option key={choice.id} value={choice.id}>
                  <span className={classes.choice}>
                    {choice.icon}
                    <span>
                      <Face {...choice} />
                    </span>
                  </span>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
