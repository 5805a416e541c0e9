import { PageHead } from '~/ui/PageHead';

export default function Profile() {
  return <PageHead title="Profile" />;
}
