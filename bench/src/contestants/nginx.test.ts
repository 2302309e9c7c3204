import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startChild } from '../child.ts';
import { sendChat } from './send-chat.ts';
import type { Rig } from './contestant.ts';
import { nginx, nginxTls } from './nginx.ts';

/** Serves as the configuration says, as far as the two contestants differ: its port, and its certificate if it has one. */
const program = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const at = process.argv.indexOf('-c');
if (at < 0) process.exit(console.error('nginx version: nginx/0.0.0'));
const text = readFileSync(process.argv[at + 1], 'utf8');
const find = (pattern) => pattern.exec(text)?.[1];
const answer = (request, response) => response.end('chatcmpl-bench');
const cert = find(/ssl_certificate (.*);/);
const server = cert === undefined
  ? require('node:http').createServer(answer)
  : require('node:https').createServer({ cert: readFileSync(cert), key: readFileSync(find(/ssl_certificate_key (.*);/)) }, answer);
server.listen(Number(find(/listen 127.0.0.1:(\\d+)/)), '127.0.0.1');
`;

const path = process.env['PATH'];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/nginx'), program, { mode: 0o755 });
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
});
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

test('with TLS and without it takes part in one run', async () => {
  await using stack = new AsyncDisposableStack();
  const rig: Rig = {
    upstreamPort: 1,
    folder,
    cacheFolder: '/nonexistent',
    signal: AbortSignal.timeout(60_000),
    say: () => undefined,
    start: async (options) => stack.use(await startChild({ ...options, core: undefined, folder })),
    defer: (task) => stack.defer(task),
  };
  for (const contestant of [nginx, nginxTls]) {
    const { target, facts } = await contestant.open(rig);
    expect(facts).toEqual(['nginx/0.0.0']);
    expect(await sendChat(target)).toEqual({ status: 200, text: 'chatcmpl-bench' });
    expect(target.ca === undefined).toBe(contestant === nginx);
  }
});
