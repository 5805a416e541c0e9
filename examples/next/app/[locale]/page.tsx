import { Page } from '../../components/Page';
import { Picture } from '../../components/Picture';
import { Topic } from '../../components/Topic';
import { content, markdown } from '../../lib/recto';
import { locales, type Locale } from '../../lib/words';

interface Props {
  params: Promise<{ locale: Locale }>;
}

export async function generateMetadata({ params }: Props) {
  const { locale } = await params;
  const start = (await content()).get('start', 'start', locale);
  return { title: start?.title, description: start?.data.claim };
}

export default async function Start({ params }: Props) {
  const { locale } = await params;
  const { all, get } = await content();
  const start = get('start', 'start', locale);
  const posts = all('posts', locale).sort((a, b) => b.published_at!.localeCompare(a.published_at!));
  return (
    <Page locale={locale} translations={locales}>
      <h1>{start?.data.claim}</h1>
      <div className="lead" dangerouslySetInnerHTML={{ __html: markdown.render(start?.data.intro ?? '') }} />
      <ul className="posts">
        {posts.map(({ id, slug, title, data: { excerpt, category, hero } }, at) => (
          <li key={id}>
            {hero?.[0]?.width && (
              <div className="picture">
                <Picture picture={hero[0]} sizes="(min-width: 44rem) 20rem, 100vw" first={at < 3} />
              </div>
            )}
            <Topic topic={get('topics', category, locale)} />
            <h2>
              <a href={`/${locale}/posts/${slug}/`}>{title}</a>
            </h2>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
