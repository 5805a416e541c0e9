import { rectoData } from '@recto/client/eleventy';
import { server } from './site.js';

/** @type {ReturnType<typeof rectoData<import('../recto-types').ContentTypes>>} */
export default rectoData({ url: server, types: ['posts', 'authors', 'topics', 'start'] });
