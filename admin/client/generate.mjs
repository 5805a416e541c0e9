// Makes src/api/schema.ts from the server's own description of the admin API.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const here = (path) => new URL(path, import.meta.url);
const document = JSON.parse(readFileSync(here('../openapi.json'), 'utf8'));

// The client sends these with every request; nobody has to name them at a call.
const OURS = ['X-CSRF-Token', 'X-Service-Workspace'];
const names = (parameter) =>
  OURS.includes(parameter.name ?? document.components.parameters[parameter.$ref.split('/').at(-1)].name);
for (const path of Object.values(document.paths)) {
  for (const operation of [path, ...Object.values(path)]) {
    operation.parameters = operation.parameters?.filter((parameter) => !names(parameter));
  }
}
// What is left undefined is no part of the document.
const types = await openapiTS(JSON.parse(JSON.stringify(document)), {
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
writeFileSync(here('../src/api/schema.ts'), `// Generated from openapi.json: npm run generate.\n\n${astToString(types)}`);
