import { PageHead } from '~/ui/PageHead';

export default function RoleEditor() {
  return <PageHead title="RoleEditor" />;
}
