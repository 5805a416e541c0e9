// Draws a post in the browser while editors see it in Recto: what is not public has no page yet.
// The address of Recto is written in the page, never in its query, which anybody could change.
const main = document.querySelector('main');
const server = main.dataset.server;
const { live, previewed, token } = await import(`${server}/api/v1/preview.js`);

const locale = new URLSearchParams(location.search).get('locale') === 'de' ? 'de' : 'en';
const shape = `include=author,category&media=full&render=html&locale=${locale}`;

/** Makes an element; strings and elements become its content, nothing becomes markup. */
function element(name, properties, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...content.filter((it) => it !== null && it !== undefined));
  return made;
}

/** Makes an element that leads editors to the input of a field. */
const field = (post, path, name, properties, ...content) =>
  element(name, { ...properties, 'data-recto': `posts/${post.id}#${path}` }, ...content);

function picture({ url, srcset, width, height, alt = '', color }, sizes) {
  const img = element('img', { src: url, width, height, alt });
  if (srcset) Object.assign(img, { sizes, srcset });
  img.style.background = color ?? '';
  return img;
}

function draw(post) {
  const { author, category, hero, excerpt } = post.data;
  const text = field(post, 'body', 'div', { class: 'text' });
  text.innerHTML = post.data_html?.body ?? ''; // Recto has cleaned it.
  document.title = post.title;
  main.lang = locale;
  main.replaceChildren(
    element('p', { class: 'notice' }, 'This is a preview. Not all of it is public.'),
    element(
      'article',
      { class: 'post' },
      category && element('p', { class: 'topic', style: `--topic: ${category.data.color}` }, category.title),
      field(post, 'title', 'h1', {}, post.title),
      field(post, 'excerpt', 'p', { class: 'lead' }, excerpt ?? ''),
      author && element('p', { class: 'by' }, author.title),
      hero?.[0]?.width && field(post, 'hero', 'div', { class: 'hero' }, picture(hero[0], '(min-width: 60rem) 56rem, 100vw')),
      text,
    ),
  );
}

const id = encodeURIComponent(location.hash.slice(1));
const answer = await fetch(previewed(`${server}/api/v1/workspaces/default/content/posts/${id}?${shape}`));
const { data, error } = await answer.json();
if (data) draw(data);
else main.replaceChildren(element('h1', {}, 'Preview'), element('p', {}, error.message));
if (token) live(draw, shape);
