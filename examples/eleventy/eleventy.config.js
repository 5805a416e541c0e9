import { image } from '@recto/client';
import markdownIt from 'markdown-it';

const markdown = markdownIt();
const escape = (text) => markdown.utils.escapeHtml(String(text));

export default function (config) {
  config.addPassthroughCopy({ public: '/' });

  config.addFilter('markdown', (text) => markdown.render(text ?? ''));
  config.addFilter('day', (time, locale) =>
    new Date(time).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  );
  config.addFilter('newest', (posts) => posts.toSorted((a, b) => b.published_at.localeCompare(a.published_at)));

  // {% picture item, sizes, { class, alt, loading } %}
  config.addShortcode('picture', (item, sizes, more = {}) => {
    const { __keywords, ...rest } = more;
    const style = item.color ? { style: `background: ${item.color}` } : {};
    const attributes = { ...image(item, sizes), ...style, ...rest };
    return `<img ${Object.entries(attributes).map(([name, value]) => `${name}="${escape(value)}"`).join(' ')}>`;
  });

  return { dir: { input: 'src' }, markdownTemplateEngine: 'njk', htmlTemplateEngine: 'njk' };
}
