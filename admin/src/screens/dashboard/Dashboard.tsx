import { PageHead } from '~/ui/PageHead';

export default function Dashboard() {
  return <PageHead title="Dashboard" />;
}
