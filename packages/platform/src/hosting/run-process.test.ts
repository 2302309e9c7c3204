import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../../test/test-database.ts';
import { killScripts, startScript, type Script } from '../../test/hosting/start-script.ts';

const scripts: Script[] = [];
const directories = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'portcullis-process-'));
afterEach(() => killScripts(scripts));
afterAll(async () => {
  await directories.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

/** A data directory with an initialised database, which saves each first start some seconds. */
const createDataDirectory = async () => directories.use(await createTestDatabase('embedded')).dataDirectory;

function start(dataDirectory: string, environment: Record<string, string> = {}, behaviour = ''): Script {
  const script = startScript('tiny-gateway.ts', [behaviour], {
    DATA_DIR: dataDirectory,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_FORMAT: 'json',
    ...environment,
  });
  scripts.push(script);
  return script;
}

const startFresh = async (environment: Record<string, string> = {}, behaviour = '') =>
  start(await createDataDirectory(), environment, behaviour);

const urlOf = async (script: Script) => {
  const [, port] = await script.said(/listening on (\d+)/);
  return `http://127.0.0.1:${port}`;
};

const bodyOf = async (url: string) => (await fetch(url)).text();

describe('a process', () => {
  test('finishes what it began when it is stopped, ends with 0, and finds everything at the next start', async () => {
    const directory = await createDataDirectory();
    const first = start(directory);
    const url = await urlOf(first);
    const secret = await bodyOf(url);
    const held = bodyOf(`${url}/hold`);
    await first.said(/holding/);

    first.child.kill('SIGTERM');
    expect(await held).toBe('late but whole');
    expect(await first.ended).toMatchObject({
      code: 0,
      signal: null,
      stdout: expect.stringContaining('tiny disposed'),
    });

    const second = start(directory);
    expect(await bodyOf(await urlOf(second))).toBe(secret);
    second.child.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  test('refuses a data directory that another one uses, with one line and no harm to the other', async () => {
    const directory = await createDataDirectory();
    const first = start(directory);
    const url = await urlOf(first);
    const before = await bodyOf(url);

    const { code, stdout, stderr } = await start(directory).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `Another Portcullis process (gateway) already uses the data directory ${directory}. Stop it, or set DATA_DIR to another folder.\n`,
    );
    expect(await bodyOf(url)).toBe(before);
  });

  test('says in one line that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await (await startFresh({ PORT: String(port), LOG_LEVEL: 'error' })).ended;
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop what listens there, or set PORT to another one.\n`,
    );
  });

  test('looks at its port before it makes anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const directory = join(folder, 'not-made');
    const { code, stderr } = await start(directory, { PORT: String(port), LOG_LEVEL: 'error' }, 'edge').ended;
    other.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use`)]);
    expect(readdirSync(directory).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  test('warns of variables that read like an option with a typing error', async () => {
    const script = await startFresh({ LOG_LEVL: 'debug' });
    await expect(script.said(/LOG_LEVL is no option; did you mean LOG_LEVEL\?/)).resolves.toBeDefined();
  });

  test('stops at a key that its database was not sealed with', async () => {
    const directory = await createDataDirectory();
    const first = start(directory, { ENCRYPTION_KEY: 'a'.repeat(32) });
    await urlOf(first);
    first.child.kill('SIGTERM');
    await first.ended;
    const { code, stderr } = await start(directory, { ENCRYPTION_KEY: 'b'.repeat(32), LOG_LEVEL: 'error' }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^ENCRYPTION_KEY is [0-9a-f]{8} by its fingerprint, but .*\n$/),
    ]);
  });

  test('says in one line that its database is not there', async () => {
    const { code, stderr } = await start(join(folder, 'away'), {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      LOG_LEVEL: 'error',
    }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database is not available: .*ECONNREFUSED.* Check DATABASE_URL\.\n$/);
  });

  test('starts without its database when it can serve without one', async () => {
    const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const script = start(join(folder, 'without'), environment, 'without database');
    expect(await bodyOf(await urlOf(script))).toMatch(/^[0-9a-f]{64}$/);
    script.child.kill('SIGTERM');
    expect(await script.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Starting without the database'),
    });
  });

  test('tells every problem of the environment at once, before it touches anything', async () => {
    const directory = join(folder, 'untouched');
    const { code, stderr } = await start(directory, { PORT: 'x', LOG_LEVEL: 'loud', ENVIRONMENT: 'production' }).ended;
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      'The environment is not valid:',
      '  - PORT must be an integer from 0 to 65535, got "x"',
      '  - LOG_LEVEL must be one of error, warn, info, debug, got "loud"',
      '  - JWT_SECRET is required when ENVIRONMENT is production',
      '  - ENCRYPTION_KEY is required when ENVIRONMENT is production',
      '',
    ]);
    expect(existsSync(directory)).toBe(false);
  });

  test('asks for shared stores when it is not the whole gateway', async () => {
    const { code, stderr } = await start(join(folder, 'alone'), {}, 'services').ended;
    expect(code).toBe(1);
    expect(stderr).toContain('  - DATABASE_URL is required when the services run as processes of their own\n');
    expect(stderr).toContain('  - REDIS_URL is required when the services run as processes of their own\n');
  });

  test('stops what it has started when a service fails to start', async () => {
    const { code, stdout, stderr } = await (await startFresh({}, 'failing')).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('failing disposed\ntiny disposed\n');
    expect(stderr).toContain('it will not start');
  });

  test('logs a fault that was not caught, disposes and ends with 1', async () => {
    // The request that failed is never answered, so draining takes all of its time.
    const script = await startFresh({ SHUTDOWN_TIMEOUT: '1s' });
    const url = await urlOf(script);
    await fetch(`${url}/throw`).catch(() => undefined);
    const { code, stdout, stderr } = await script.ended;
    expect(code).toBe(1);
    expect(stdout).toContain('tiny disposed');
    expect(stderr).toContain('a fault of the test');
  });
});
