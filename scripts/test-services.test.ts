import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresql, redis } from './find-servers.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'portcullis-services-test-'));
// PostgreSQL runs as another user there.
chmodSync(temporary, 0o755);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Starts the servers by hand, as `node scripts/test-services.mjs` does. */
function startServices(environment: Record<string, string>, identity: { uid?: number } = {}) {
  const { TEST_DATABASE_URL: _database, TEST_REDIS_URL: _redis, ...inherited } = process.env;
  const child = spawn(process.execPath, ['scripts/test-services.mjs'], {
    env: { ...inherited, TMPDIR: temporary, ...environment },
    ...identity,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  const running = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      if (output.includes('TEST_REDIS_URL')) resolve(output);
    });
  });
  return { child, running, ended };
}

/** Whether something listens on a port of this machine. */
const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

// Those who test over servers elsewhere may have none here.
const testWithServers = [postgresql, redis].every((server) => server.find() !== undefined) ? test : test.skip;

describe('the servers of the tests', () => {
  testWithServers('start on ports of their own, and leave nothing behind after a Ctrl-C', async () => {
    const services = startServices({});
    const output = await Promise.race([services.running, services.ended.then(JSON.stringify)]);
    const ports = [...output.matchAll(/127\.0\.0\.1:(\d+)/g)].map((match) => Number(match[1]));
    expect(ports).toHaveLength(2);
    expect(await Promise.all(ports.map(listens))).toEqual([true, true]);

    services.child.kill('SIGINT');
    expect(await services.ended).toMatchObject({ code: 0 });
    expect(await Promise.all(ports.map(listens))).toEqual([false, false]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('are those of the environment when it names them', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const given = {
      TEST_DATABASE_URL: `postgres://someone@127.0.0.1:${port}/x`,
      TEST_REDIS_URL: `redis://127.0.0.1:${port}`,
    };
    const services = startServices(given);
    const output = await services.running;
    expect(output).toContain(given.TEST_DATABASE_URL);
    expect(output).toContain(given.TEST_REDIS_URL);
    services.child.kill('SIGTERM');
    expect(await services.ended).toMatchObject({ code: 0 });
    server.close();
  });

  test('are not silently missing when the environment names one that is not there', async () => {
    const { code, output } = await startServices({ TEST_DATABASE_URL: 'postgres://127.0.0.1:1/x' }).ended;
    expect(code).toBe(1);
    expect(output).toContain('TEST_DATABASE_URL is set, but nothing listens on 127.0.0.1:1');
  });

  test('are asked for in one sentence when they can neither be found nor installed', async () => {
    const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const { code, output } = await startServices({ PATH: '/nonexistent' }, nobody).ended;
    expect(code).toBe(1);
    expect(output).toMatch(
      /The tests need real servers, and .*Redis is not on this machine\. Install .*apt-get install/,
    );
  });
});
