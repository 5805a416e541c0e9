import './style.css';
import { Page } from '../components/Page';

export const metadata = { title: 'Not found – Field Notes', icons: 'data:,' };

export default function NotFound() {
  return (
    <html lang="en">
      <body>
        <Page locale="en">
          <h1>There is no such page</h1>
          <p className="lead">
            It may have moved. <a href="/en/">All posts</a> ·{' '}
            <a href="/de/" lang="de">
              Alle Beiträge
            </a>
          </p>
        </Page>
      </body>
    </html>
  );
}
