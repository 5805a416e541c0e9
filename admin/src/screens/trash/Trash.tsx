import { PageHead } from '~/ui/PageHead';

export default function Trash() {
  return <PageHead title="Trash" />;
}
