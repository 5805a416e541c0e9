import { PageHead } from '~/ui/PageHead';

export default function Users() {
  return <PageHead title="Users" />;
}
