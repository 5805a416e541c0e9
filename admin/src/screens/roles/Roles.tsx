import { PageHead } from '~/ui/PageHead';

export default function Roles() {
  return <PageHead title="Roles" />;
}
