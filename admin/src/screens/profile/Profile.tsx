import { SimpleGrid, Stack } from '@mantine/core';
import { useCan, useMe } from '~/api/session';
import { useRoles } from '~/grants/data';
import { t } from '~/i18n';
import { PageHead } from '~/ui/PageHead';
import { AboutYou } from './AboutYou';
import { Appearance } from './Appearance';
import { ChangePassword } from './ChangePassword';
import { SecondFactorCard } from './factor/SecondFactorCard';
import { Sessions } from './Sessions';

/** The profile of the user. */
export default function Profile() {
  const me = useMe();
  const can = useCan();
  const roles = useRoles();
  const mayChange = can('profile.update', 'profile:*');
  const role = roles?.find((it) => it.id === me.role)?.label ?? me.role;
  return (
    <>
      <PageHead title={t('profile.title')} description={t('profile.description', { username: me.username, role })} />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Stack gap="lg">
            <AboutYou mayChange={mayChange} />
            {mayChange && <ChangePassword />}
            <SecondFactorCard />
          </Stack>
          <Appearance mayChange={mayChange} />
        </SimpleGrid>
        <Sessions />
      </Stack>
    </>
  );
}
