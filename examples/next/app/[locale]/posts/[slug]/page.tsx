import { Article } from '../../../../components/Article';
import { Page } from '../../../../components/Page';
import { content, markdown } from '../../../../lib/recto';
import { locales, words, type Locale } from '../../../../lib/words';

interface Props {
  params: Promise<{ locale: Locale; slug: string }>;
}

export async function generateStaticParams({ params }: { params: { locale: string } }) {
  const { all } = await content();
  return all('posts', params.locale).map(({ slug }) => ({ slug }));
}

export async function generateMetadata({ params }: Props) {
  const { locale, slug } = await params;
  const post = (await content()).get('posts', slug, locale);
  return { title: `${post?.title} – Field Notes`, description: post?.data.excerpt };
}

export default async function PostPage({ params }: Props) {
  const { locale, slug } = await params;
  const { get } = await content();
  const post = get('posts', slug, locale)!;
  const next = (post.data.related ?? []).flatMap((id) => get('posts', id, locale) ?? []);
  return (
    <Page
      locale={locale}
      path={`posts/${slug}/`}
      translations={locales.filter((it) => get('posts', post.id, it))}
    >
      <Article
        post={post}
        html={markdown.render(post.data.body)}
        topic={get('topics', post.data.category, locale)}
        author={get('authors', post.data.author)}
      >
        {next.length > 0 && (
          <nav className="next" aria-labelledby="next">
            <h2 id="next">{words[locale].next}</h2>
            <ul>
              {next.map((it) => (
                <li key={it.id}>
                  <a href={`/${locale}/posts/${it.slug}/`}>{it.title}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </Article>
    </Page>
  );
}
