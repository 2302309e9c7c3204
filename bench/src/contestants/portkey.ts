import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitUntilAnswering } from './send-chat.ts';
import { Absent, chatPath, type Contestant, type Rig } from './contestant.ts';

const run = promisify(execFile);
const version = '1.15.2';

/** Later versions of these two, which the package's ranges allow, break its streaming. */
const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.5' };

export const portkey: Contestant = {
  name: 'portkey',
  description: 'the Portkey AI gateway as it comes: routing by headers, no keys, limits or policies',
  open: async (rig) => {
    const folder = await install(rig);
    const port = await findFreePort();
    const script = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
    const child = await rig.start({
      name: 'portkey',
      command: process.execPath,
      parameters: [script, `--port=${port}`, '--headless'],
      env: { NODE_ENV: 'production' },
    });
    const headers = {
      Authorization: 'Bearer none',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${rig.upstreamPort}/v1`,
    };
    const target = { port, path: chatPath, callers: [headers] };
    await waitUntilAnswering(rig, child, target);
    return {
      target,
      pid: child.pid,
      facts: [`@portkey-ai/gateway ${version}, hono ${overrides.hono}, Node ${process.version}`],
    };
  },
};

/** Installs the package into the cache unless it is there; whole or not at all. Answers its folder. */
async function install(rig: Rig): Promise<string> {
  const folder = join(rig.cacheFolder, `portkey-${version}`);
  if (existsSync(folder)) return folder;
  rig.say(`portkey: installing @portkey-ai/gateway ${version} from the npm registry ...`);
  await mkdir(rig.cacheFolder, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    const manifest = { private: true, dependencies: { '@portkey-ai/gateway': version }, overrides };
    await writeFile(join(draft, 'package.json'), JSON.stringify(manifest));
    const parameters = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', parameters, { cwd: draft, signal: rig.signal, timeout: 120_000 });
    await rename(draft, folder);
  } catch (error) {
    rig.signal.throwIfAborted();
    await rm(draft, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Absent(`npm could not install it: ${reason.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  }
  return folder;
}
