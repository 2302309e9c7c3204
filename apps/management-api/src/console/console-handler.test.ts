import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createConsoleHandler } from './console-handler.ts';

let folder: string;
let server: Server;
let origin: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-console-'));
  server = createServer(createConsoleHandler(folder)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

async function build(script: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets/index-1.js'), script);
  await writeFile(join(folder, 'assets/index-1.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, '.stamp'), 'hash of the sources');
  await writeFile(join(folder, 'index.html'), '<script src="./assets/index-1.js"></script>');
}

const ask = (path: string, encoding = 'identity') =>
  fetch(`${origin}${path}`, { redirect: 'manual', headers: { 'accept-encoding': encoding } });

test('while there is no build a page says so and asks again; then it is there without a restart', async () => {
  const early = await ask('/console/');
  expect([early.status, early.headers.get('refresh')]).toEqual([503, '2']);
  expect(await early.text()).toContain('is being built');
  await build('one');
  await waitFor(async () => (await ask('/console/')).status === 200, { what: 'the build to be seen' });
});

test.each([
  ['/console/', './assets/index-1.js'],
  ['/console/alerts', './assets/index-1.js'],
  ['/console/alerts/5?status=new', '../assets/index-1.js'],
  ['/console/a/b/c', '../../assets/index-1.js'],
])('%s is the page, whose files lie at %s below any prefix', async (path, script) => {
  await build('one');
  const answer = await ask(path);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(await answer.text()).toBe(`<script src="${script}"></script>`);
});

test('files are kept for good by browsers, compressed for those that can', async () => {
  await build('one');
  const plain = await ask('/console/assets/index-1.js', 'gzip, br;q=0');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const brotli = await ask('/console/assets/index-1.js', 'gzip, br');
  expect([brotli.headers.get('content-encoding'), await brotli.text()]).toEqual(['br', 'one']);
});

test.each(['/console/assets/index-2.js', '/console/assets/..%2f.stamp', '/console/assets/index-1.js.br'])(
  'what is not served is not found: %s',
  async (path) => {
    await build('one');
    expect((await ask(path)).status).toBe(404);
  },
);
