import { PageHead } from '~/ui/PageHead';

export default function Login() {
  return <PageHead title="Login" />;
}
