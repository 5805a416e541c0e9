/** All requests of a workspace as a collection that Bruno, Postman and Insomnia import (Postman format 2.1). */
import type { ContentTypeShape } from '~/api/fields';
import { COMMON, type Common, type Endpoint, endpointsOf, firstBody, needsToken, type Target } from './model';

interface Labels {
  common: (kind: Common) => string;
  operation: (endpoint: Endpoint) => string;
}

/** The collection, with the address and the token as variables. */
export function collectionOf(base: string, workspace: string, types: readonly ContentTypeShape[], labels: Labels) {
  const targets: [string, Target][] = [
    ...types.map((type): [string, Target] => [type.label, { kind: 'type', type }]),
    ...COMMON.map((kind): [string, Target] => [labels.common(kind), { kind }]),
  ];
  const root = `/api/v1/workspaces/${workspace}/`;
  // What is elsewhere, or never ends, is nothing for such a collection.
  const fits = ({ path, answer }: Endpoint) => path.startsWith(root) && answer !== 'events';
  return {
    info: {
      name: workspace,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'base', value: `${base}/api/v1/workspaces/${workspace}` },
      { key: 'token', value: '' },
    ],
    item: targets.filter(([, target]) => endpointsOf(target, workspace).some(fits)).map(([name, target]) => ({
      name,
      item: endpointsOf(target, workspace).filter(fits).map((endpoint) => ({
        name: labels.operation(endpoint),
        request: {
          method: endpoint.method,
          auth: needsToken(endpoint, target)
            ? { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] }
            : { type: 'noauth' },
          header: endpoint.method === 'POST' || endpoint.method === 'PATCH' ? [{ key: 'Content-Type', value: 'application/json' }] : [],
          ...(firstBody(target, endpoint) && {
            body: { mode: 'raw', raw: firstBody(target, endpoint), options: { raw: { language: 'json' } } },
          }),
          url: urlOf(endpoint.path.slice(root.length), endpoint.operation),
        },
      })),
    })),
  };
}

function urlOf(path: string, operation: Endpoint['operation']) {
  const segments = path.split('/').map((it) => (it === '{id}' ? ':id' : it));
  const query = operation === 'list' ? [{ key: 'limit', value: '10' }] : [];
  return {
    raw: `{{base}}/${segments.join('/')}${query.length > 0 ? '?limit=10' : ''}`,
    host: ['{{base}}'],
    path: segments,
    ...(query.length > 0 && { query }),
    ...(segments.includes(':id') && { variable: [{ key: 'id', value: '' }] }),
  };
}
