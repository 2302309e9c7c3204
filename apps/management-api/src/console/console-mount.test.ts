import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConsoleMount, consolePathOf } from './console-mount.ts';

const config = {
  PUBLIC_URL: 'https://shared.example/gate/',
  OAUTH_REDIRECT_BASE_URL: undefined,
  CONSOLE: 'off',
} as const;

test('below a path that a reverse proxy takes off, the console leads to what is below it', async () => {
  expect(consolePathOf(config)).toBe('/gate/console/');
  const { http } = createConsoleMount({ config, version: '1.2.3', routes: (_request, response) => response.end() });
  const server = createServer(http).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const moved = await fetch(`${origin}/console`, { redirect: 'manual' });
    expect(moved.headers.get('location')).toBe('/gate/console/');
    const text = await (await fetch(`${origin}/console/alerts/5`)).text();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toHaveLength(4);
    for (const link of links) expect(link).toMatch(/^\/gate\/api\/v1\//);
  } finally {
    server.close();
  }
});
