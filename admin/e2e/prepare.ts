/**
 * Makes, once a run, the folders that every test begins from: a copy of one is there in a fraction of
 * the time that a setup takes, and nobody's password has to be hashed for it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Admin, makeScratch, startServer } from './server';

export default async function prepare(): Promise<() => void> {
  const root = makeScratch();
  for (const content of ['sample', 'empty']) {
    const fresh = join(root, `${content}-fresh`);
    if (content === 'empty') {
      mkdirSync(join(fresh, 'workspaces/default'), { recursive: true });
      writeFileSync(join(fresh, 'workspaces/default/workspace.json'), '{"label":"Default"}\n');
    }
    const first = await startServer(fresh);
    await first.stop();
    const ready = join(root, content);
    cpSync(fresh, ready, { recursive: true });
    const server = await startServer(ready);
    const anna = await new Admin(server.url, 'anna').setUp(server.setupToken);
    await server.stop();
    writeFileSync(join(root, `${content}.session.json`), JSON.stringify(anna.session));
  }
  // Workers inherit it.
  process.env.RECTO_E2E_FOLDERS = root;
  return () => rmSync(root, { recursive: true, force: true });
}
