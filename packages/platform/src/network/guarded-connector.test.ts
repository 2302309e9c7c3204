import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import { Agent, request } from 'undici';
import { AddressRefused, createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.ts';

/** A name server whose successive answers are given. */
function answering(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookup: LookupFunction = (host, options, callback) => {
    const addresses = (answers[asked.length] ?? answers.at(-1) ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    asked.push(host);
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
  return { asked, lookup };
}

async function get(url: string, options: Partial<GuardedConnectorOptions>) {
  await using agent = Object.assign(
    new Agent({ connect: createGuardedConnector({ allowPrivate: true, connectTimeoutMs: 60_000, ...options }) }),
    {
      [Symbol.asyncDispose]: async () => agent.destroy(),
    },
  );
  const answer = await request(url, { dispatcher: agent });
  return { status: answer.statusCode, body: await answer.body.text() };
}

const refusalOf = (url: string, options: Partial<GuardedConnectorOptions>) =>
  get(url, options).then(
    () => 'connected',
    (error: unknown) => (error instanceof AddressRefused ? error.message : `another failure: ${String(error)}`),
  );

describe('createGuardedConnector', () => {
  let server: Server;
  let port: number;
  const seen: IncomingMessage[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request);
      response.end('here');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('connects to the checked address under the name', async () => {
    const names = answering(['127.0.0.1']);
    expect(await get(`http://llm.example:${port}/`, { lookup: names.lookup })).toEqual({ status: 200, body: 'here' });
    expect(names.asked).toEqual(['llm.example']);
    expect(seen.at(-1)?.headers.host).toBe(`llm.example:${port}`);
  });

  test('asks once per connection, so that a second answer leads nowhere', async () => {
    const names = answering(['127.0.0.1'], ['169.254.169.254']);
    await get(`http://rebinding.example:${port}/`, { lookup: names.lookup });
    expect(names.asked).toHaveLength(1);
    expect(await refusalOf(`http://rebinding.example:${port}/`, { lookup: names.lookup })).toContain('metadata');
  });

  test('refuses a name when any of its addresses is refused', async () => {
    const { lookup } = answering(['1.1.1.1', '10.0.0.1']);
    expect(await refusalOf('http://mixed.example/', { lookup, allowPrivate: false })).toMatch(
      /^mixed.example must not point to a private/,
    );
  });

  test.each(['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '0.0.0.1'])(
    'refuses a name that resolves to %s for any setting',
    async (address) => {
      expect(await refusalOf('http://name.example/', answering([address]))).toMatch(/^name.example must not point/);
    },
  );

  test.each(['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/'])(
    'refuses %s without asking a name server',
    async (url) => {
      const names = answering(['1.1.1.1']);
      expect(await refusalOf(url, names)).toContain('metadata');
      expect(names.asked).toEqual([]);
    },
  );

  test('refuses loopback literals unless private targets are allowed', async () => {
    expect(await refusalOf(`http://127.0.0.1:${port}/`, { allowPrivate: false })).toMatch(/this machine/);
    expect(await refusalOf(`http://127.0.0.1:${port}/`, { allowPrivate: true })).toBe('connected');
  });

  test('connects to what is named, by host name or by network', async () => {
    const { lookup } = answering(['127.0.0.1']);
    const reach = (...named: string[]) =>
      refusalOf(`http://mcp.internal:${port}/`, {
        lookup,
        allowPrivate: false,
        allowed: parseAllowedTargetsOrThrow(named),
      });
    expect(await reach('other.internal', '10.0.0.0/8')).toMatch(/^mcp.internal must not point to this machine/);
    expect(await reach('mcp.internal')).toBe('connected');
    expect(await reach('127.0.0.0/8')).toBe('connected');
  });

  test('hands on what the name server says', async () => {
    const lookup: LookupFunction = (host, _options, callback) =>
      callback(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), '');
    await expect(get('http://absent.example/', { lookup })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('names the host in the TLS handshake', async () => {
    const offered: string[] = [];
    const tls = createTlsServer({
      SNICallback: (name, done) => {
        offered.push(name);
        done(new Error('no certificate'));
      },
    }).listen(0, '127.0.0.1');
    await once(tls, 'listening');
    const { lookup } = answering(['127.0.0.1']);
    await expect(get(`https://llm.example:${(tls.address() as AddressInfo).port}/`, { lookup })).rejects.toThrow(
      /socket|TLS|closed|reset/i,
    );
    expect(offered).toEqual(['llm.example']);
    tls.close();
  });
});
