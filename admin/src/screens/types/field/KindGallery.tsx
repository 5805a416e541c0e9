import { Modal, SimpleGrid, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldKind } from '~/api/fields';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { FIELD_KINDS, KIND_GROUPS, KINDS } from '../draft/kinds';
import classes from '../types.module.css';

interface KindGalleryProps {
  opened: boolean;
  /** True if the field will be inside of another one: an address is not. */
  nested: boolean;
  onClose: () => void;
  onPick: (kind: FieldKind) => void;
}

/** All kinds of fields, each with a sentence about what it is for. */
export function KindGallery({ opened, onClose, ...rest }: KindGalleryProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('types.gallery')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <Gallery {...rest} />
    </Modal>
  );
}

function Gallery({ nested, onPick }: Pick<KindGalleryProps, 'nested' | 'onPick'>) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const fits = (kind: FieldKind) =>
    !(nested && kind === 'slug') &&
    [kind, t(`types.kind.${kind}`), t(`types.kindAbout.${kind}`)].some((it) => it.toLowerCase().includes(wanted));
  const groups = KIND_GROUPS.map((key) => ({
    key,
    kinds: FIELD_KINDS.filter((it) => KINDS[it].group === key && fits(it)),
  })).filter((it) => it.kinds.length > 0);
  const found = groups.flatMap((it) => it.kinds);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted && found[0]) onPick(found[0]);
        }}
      >
        <TextInput
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('types.gallerySearch')}
          aria-label={t('types.gallerySearch')}
          leftSection={<IconSearch size={16} aria-hidden />}
          data-autofocus
          mb="md"
        />
      </form>
      <Announce text={wanted ? t('types.galleryFound', { count: found.length }) : ''} />
      {found.length === 0 && (
        <Text c="dimmed" ta="center" py="lg">
          {t('general.noMatch')}
        </Text>
      )}
      {groups.map(({ key, kinds }) => (
        <section key={key} className={classes.group}>
          <Title order={3} size="h4" mb={6}>
            {t(`types.group.${key}`)}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {kinds.map((kind) => (
              <KindCard key={kind} kind={kind} onPick={onPick} />
            ))}
          </SimpleGrid>
        </section>
      ))}
    </>
  );
}

function KindCard({ kind, onPick }: { kind: FieldKind; onPick: (kind: FieldKind) => void }) {
  const Icon = KINDS[kind].icon;
  return (
    <UnstyledButton className={classes.card} onClick={() => onPick(kind)}>
      <span className={classes.kind}>
        <Icon size={20} stroke={1.7} aria-hidden />
      </span>
      <span>
        <Text component="span" display="block" fw={600} size="sm">
          {t(`types.kind.${kind}`)}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {t(`types.kindAbout.${kind}`)}
        </Text>
      </span>
    </UnstyledButton>
  );
}
