/** Content types to begin with. Labels are made in the language of whoever chooses one. */
import type { FieldDefinition } from '~/api/fields';
import { type Key, t } from '~/i18n';
import { fieldOf, type TypeDraft } from './draft';
import { typeNameFor } from './names';

type TemplateId = 'blog' | 'pages' | 'products' | 'events' | 'team' | 'faq' | 'siteSettings' | 'home';

export interface Template {
  id: TemplateId;
  /** The name of the type unless it is taken. */
  name: string;
  icon: string;
  singleton: boolean;
  /** Fields beside title and address; made when they are needed, so in the language of that moment. */
  fields: () => Record<string, FieldDefinition>;
}

type FieldText = Extract<Key, `types.sample.${string}`> extends `types.sample.${infer Name}` ? Name : never;

/** A definition with its label. */
function field(type: FieldDefinition['type'], label: FieldText, more: Partial<FieldDefinition> = {}): FieldDefinition {
  return { type, label: t(`types.sample.${label}`), ...more };
}

const half = { layout: { width: '1/2' } } as const;
const picture = { accept: ['image/*'] };

/** Fields for search engines and link previews. */
function seo(): FieldDefinition {
  return field('object', 'seo', {
    fields: {
      title: field('text', 'seoTitle', { max_length: 70 }),
      description: field('textarea', 'seoDescription', { max_length: 160 }),
    },
  });
}

/** The blocks that most pages are made of. */
function pageBlocks(): FieldDefinition {
  const block = (label: FieldText, fields: Record<string, FieldDefinition>) => ({ label: t(`types.sample.${label}`), fields });
  return field('blocks', 'content', {
    blocks: {
      text: block('textBlock', { text: field('markdown', 'text', { required: true }) }),
      picture: block('picture', {
        picture: field('media', 'picture', { ...picture, required: true }),
        caption: field('text', 'caption'),
      }),
      quote: block('quote', { text: field('textarea', 'quote', { required: true }), source: field('text', 'quoteSource') }),
      call: block('callToAction', { text: field('text', 'text', { required: true }), link: field('url', 'link', { required: true }) }),
    },
  });
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'blog', name: 'posts', icon: 'news', singleton: false,
    fields: () => ({
      excerpt: field('textarea', 'excerpt', { max_length: 280 }),
      cover: field('media', 'cover', { ...picture, ...half }),
      tags: field('select', 'tags', {
        ...half, multiple: true,
        options: [
          { value: 'news', label: t('types.sample.tagNews') },
          { value: 'guide', label: t('types.sample.tagGuide') },
        ],
      }),
      body: field('markdown', 'text', { required: true }),
      featured: field('boolean', 'featured'),
      seo: seo(),
    }),
  },
  {
    id: 'pages', name: 'pages', icon: 'layout', singleton: false,
    fields: () => ({ lead: field('textarea', 'lead'), content: pageBlocks(), in_menu: field('boolean', 'inMenu', half), position: field('number', 'position', { ...half, integer: true }), seo: seo() }),
  },
  {
    id: 'products', name: 'products', icon: 'shopping-cart', singleton: false,
    fields: () => ({
      sku: field('text', 'sku', { unique: true, layout: { width: '1/3' } }),
      price: field('number', 'price', { min: 0, decimals: 2, layout: { width: '1/3' } }),
      available: field('boolean', 'available', { default: true, layout: { width: '1/3' } }),
      pictures: field('media', 'pictures', { ...picture, multiple: true, max_files: 12 }),
      description: field('markdown', 'description'),
      properties: field('repeater', 'properties', {
        subfields: [
          { key: 'name', ...field('text', 'propertyName', { required: true, ...half }) },
          { key: 'value', ...field('text', 'propertyValue', { required: true, ...half }) },
        ],
      }),
    }),
  },
  {
    id: 'events', name: 'events', icon: 'calendar', singleton: false,
    fields: () => ({
      starts_at: field('datetime', 'startsAt', { required: true, ...half }),
      ends_at: field('datetime', 'endsAt', half),
      online: field('boolean', 'online', half),
      place: field('text', 'place', { ...half, visible_if: { online: false } }),
      link: field('url', 'link', { ...half, visible_if: { online: true } }),
      picture: field('media', 'picture', picture),
      description: field('markdown', 'description'),
    }),
  },
  {
    id: 'team', name: 'team', icon: 'users', singleton: false,
    fields: () => ({
      role: field('text', 'role', half),
      email: field('email', 'email', half),
      portrait: field('media', 'portrait', picture),
      bio: field('markdown', 'bio'),
      links: field('repeater', 'links', {
        subfields: [
          { key: 'label', ...field('text', 'linkLabel', { required: true, ...half }) },
          { key: 'url', ...field('url', 'link', { required: true, ...half }) },
        ],
      }),
    }),
  },
  {
    id: 'faq', name: 'faq', icon: 'help', singleton: false,
    fields: () => ({ answer: field('markdown', 'answer', { required: true }), topic: field('text', 'topic', half), position: field('number', 'position', { ...half, integer: true }) }),
  },
  {
    id: 'siteSettings', name: 'site-settings', icon: 'settings', singleton: true,
    fields: () => ({
      claim: field('text', 'claim'),
      logo: field('media', 'logo', { ...picture, ...half }),
      accent: field('color', 'accent', half),
      email: field('email', 'email', half),
      navigation: field('repeater', 'navigation', {
        subfields: [
          { key: 'label', ...field('text', 'linkLabel', { required: true, ...half }) },
          { key: 'url', ...field('url', 'link', { required: true, ...half }) },
        ],
      }),
      footer: field('markdown', 'footer'),
    }),
  },
  {
    id: 'home', name: 'home', icon: 'home', singleton: true,
    fields: () => ({ intro: field('textarea', 'lead'), hero: field('media', 'cover', picture), content: pageBlocks(), seo: seo() }),
  },
];

export function findTemplate(id: string): Template | undefined {
  return TEMPLATES.find((it) => it.id === id);
}

/** The fields of every type. */
function basics(titleLabel: string): Record<string, FieldDefinition> {
  return {
    title: { type: 'text', label: titleLabel, required: true },
    slug: { type: 'slug', label: t('types.sample.slug'), source: 'title' },
  };
}

function draftWith(fields: Record<string, FieldDefinition>, more: Partial<TypeDraft>): TypeDraft {
  return {
    name: '', nameTouched: false, label: '', label_singular: '', singularTouched: false, icon: 'file-text', singleton: false, visibility: 'public',
    drafts: true, locales: [], default_locale: '', slug_field: 'slug', slug_source: 'title', preview: [], cache: {}, feed: null, views: {}, rest: {},
    fields: Object.entries(fields).map(([key, it]) => fieldOf(key, it, false)),
    ...more,
  };
}

/** A type with nothing but title and address. */
export function emptyDraft(): TypeDraft {
  return draftWith(basics(t('types.sample.title')), {});
}

const TITLES: Partial<Record<TemplateId, FieldText>> = { team: 'personName', faq: 'question', products: 'productName', siteSettings: 'siteName' };

const SINGULARS: Partial<Record<TemplateId, Key>> = {
  blog: 'types.one.blog', pages: 'types.one.pages', products: 'types.one.products', events: 'types.one.events', team: 'types.one.team', faq: 'types.one.faq',
};

/** A type as a template has it, under a name that is free. */
export function templateDraft({ id, name, icon, singleton, fields }: Template, taken: readonly string[]): TypeDraft {
  const title = t(`types.sample.${TITLES[id] ?? 'title'}`);
  const singular = SINGULARS[id];
  return draftWith({ ...basics(title), ...fields() }, {
    name: typeNameFor(name, taken), nameTouched: true, label: t(`types.template.${id}`), label_singular: singular ? t(singular) : '', icon, singleton,
  });
}
