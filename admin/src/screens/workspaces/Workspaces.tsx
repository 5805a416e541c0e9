import { PageHead } from '~/ui/PageHead';

export default function Workspaces() {
  return <PageHead title="Workspaces" />;
}
