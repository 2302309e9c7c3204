import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitUntilAnswering } from './send-chat.ts';
import { chatPath, type Contestant } from './contestant.ts';

const undici: { version: string } = createRequire(import.meta.url)('undici/package.json');
const script = fileURLToPath(new URL('node-undici-proxy.ts', import.meta.url));

export const nodeUndici: Contestant = {
  name: 'node+undici',
  description: 'bare node:http and undici dispatch, the request buffered, nothing checked',
  open: async (rig) => {
    const port = await findFreePort();
    const child = await rig.start({
      name: 'node-undici',
      command: process.execPath,
      parameters: [script, '--port', String(port), '--upstream', String(rig.upstreamPort)],
    });
    const target = { port, path: chatPath, callers: [{}] };
    await waitUntilAnswering(rig, child, target);
    return {
      target,
      pid: child.pid,
      facts: [`Node ${process.version}, undici ${undici.version}`],
    };
  },
};
