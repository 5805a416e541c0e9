import { PageHead } from '~/ui/PageHead';

export default function Backups() {
  return <PageHead title="Backups" />;
}
