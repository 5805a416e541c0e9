import { PageHead } from '~/ui/PageHead';

export default function List() {
  return <PageHead title="List" />;
}
