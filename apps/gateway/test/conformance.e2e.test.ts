import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startHttpRelay, type Relay } from '@portcullis/testkit/http-relay';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startReferenceServer, type ReferenceServer } from '@portcullis/testkit/mcp-reference/reference-server';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import {
  requirementSets,
  runClientSuite,
  runConformanceSuite,
  type Judgement,
  type Verdicts,
} from './run-conformance-suite.ts';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { connectUpstream, openUpstream } from './sign-in-upstream.ts';
import { startGateway } from './start-gateway.ts';

/** The policies that a careful admin gives to a proxy of MCP. */
const policies = ['mcp-critical-security', 'mcp-standard-security'];

/** No test enables this one, and the suite does not ask for it. */
const hiddenTool = 'test_never_enabled';

let server: ReferenceServer;
let gateway: TestGateway;
let proxy: ReadyProxy;
let relay: Relay;
let buffering: Relay;
/** What is said of a proxy that collects answers. The referee waits half a minute for it, so it begins early. */
let buffered: Promise<readonly Judgement[]>;

/** Scenarios in which the server says something before its answer is complete. */
const streamed = [
  ['2025-11-25', 'tools-call-sampling'],
  ['2025-11-25', 'tools-call-elicitation'],
  ['2026-07-28', 'server-stateless'],
] as const;

beforeAll(async () => {
  server = await startReferenceServer();
  buffering = await startHttpRelay({ target: server.endpoint, buffers: true });
  const judge = ([requirements, scenario]: (typeof streamed)[number]) =>
    runConformanceSuite(`http://localhost:${buffering.port}/mcp`, requirements, scenario);
  buffered = Promise.all(streamed.map(judge));
  const port = await findFreePort();
  gateway = await startGateway('one process', { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  proxy = await setUpProxy(gateway.admin, server.endpoint, { type: 'mcp', policies });
  const offered = await enableTools(gateway.admin, proxy.id, hiddenTool);
  await waitFor(async () => (await listTools()).length === offered.length, { what: 'the tools to be there' });
  // The referee cannot send a key.
  relay = await startHttpRelay({ target: proxy.url, headers: { 'x-api-key': proxy.key } });
});

afterAll(async () => {
  await buffering?.[Symbol.asyncDispose]();
  await relay?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const connect = async (mode: 'legacy' | 'auto' | { readonly pin: string }): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  const requestInit = { headers: { 'x-api-key': proxy.key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`), { requestInit }));
  return client;
};

const listTools = async (): Promise<readonly string[]> => {
  const client = await connect('legacy');
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
};

const differences = (direct: Verdicts, through: Verdicts): readonly string[] =>
  [...new Set([...Object.keys(direct), ...Object.keys(through)])]
    .filter((name) => direct[name] !== through[name])
    .map((name) => `${name}: ${direct[name]} became ${through[name]}`);

const passed = ({ verdicts }: Judgement) => Object.values(verdicts).filter((status) => status === 'SUCCESS').length;

/** What the gateway does better than the server: it knows itself which tasks it told a client of. */
const mended: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': ['server-tasks-dispatch-and-envelope sep-2663-tasks-get-invalid-task-id-32602: FAILURE became SUCCESS'],
};

describe.each(requirementSets)('the conformance suite of %s', (requirements) => {
  test('judges the server behind the gateway as it judges the server itself', async () => {
    const direct = await runConformanceSuite(server.endpoint, requirements);
    expect({ conforms: direct.conforms, output: direct.conforms || direct.output }).toEqual({
      conforms: true,
      output: true,
    });
    expect(passed(direct)).toBeGreaterThan(80);

    const through = await runConformanceSuite(`http://localhost:${relay.port}/mcp`, requirements);
    expect(differences(direct.verdicts, through.verdicts)).toEqual(mended[requirements] ?? []);
    expect(through.conforms).toBe(true);
  });
});

test('the conformance suite tells a proxy that collects answers from one that passes them on', async () => {
  for (const [index, { verdicts }] of (await buffered).entries()) {
    const failures = Object.values(verdicts).filter((status) => status === 'FAILURE');
    expect([streamed[index]?.[1], failures.length > 0]).toEqual([streamed[index]?.[1], true]);
  }
});

/**
 * What the test does in place of an admin who sets a provider up: it looks up the addresses and registers the gateway. What
 * the referee says of that is not counted.
 */
const byHand = new Set([
  'prm-pathbased-requested',
  'authorization-server-metadata',
  'client-registration',
  'sep-837-application-type-present',
]);

/** By scenario: how many checks the gateway passes as the client of an authorization server, and which it does not. */
const clientVerdicts: Readonly<Record<string, readonly [passed: number, ...failed: readonly string[]]>> = {
  'auth/token-endpoint-auth-post': [13],
  'auth/iss-supported': [8],
  'auth/iss-wrong-issuer': [4],
  'auth/iss-normalized': [4],
  // Of a provider that is given by its addresses the gateway reads no metadata: it knows neither that `iss` was promised, nor how
  // clients are to say who they are.
  'auth/iss-supported-missing': [7, 'sep-2468-client-reject-missing-iss'],
  'auth/token-endpoint-auth-basic': [12, 'token-endpoint-auth-method'],
};

/** In these the client asks the server of the scenario for its tools, with a token that it takes. */
const whole = new Set(['auth/token-endpoint-auth-post', 'auth/iss-supported']);

test('the conformance suite judges the official client and a proxy in upstream mode as one client', async () => {
  // The authorization server of a scenario tells of no user; each scenario has its own, who counts for its own group.
  await using users = await startLoopbackPeer(({ headers, path }, response) => {
    const isOfSuite = headers.authorization?.startsWith('Bearer test-token-') === true;
    const name = path.slice(1);
    answer(response, isOfSuite ? 200 : 401, { sub: name, email: `${name}@example.com`, email_verified: true });
  });
  const judge = async (scenario: string) => {
    const address = `${users.url}/${scenario.replace('/', '-')}`;
    const connectThrough = async (own: string) => connectUpstream(await openUpstream(gateway, own, address));
    const { verdicts, conforms, output } = await runClientSuite(scenario, connectThrough);
    if (whole.has(scenario) && !conforms) throw new Error(`${scenario}: ${output}`);
    const checks = Object.entries(verdicts)
      .map(([name, told]) => [name.replace(/^\S+ /, ''), new Set(told.split(' '))] as const)
      .filter(([id, told]) => !byHand.has(id) && !told.has('INFO'));
    const failed = checks.filter(([, told]) => told.size !== 1 || !told.has('SUCCESS')).map(([id]) => id);
    return [scenario, [checks.length - failed.length, ...failed]] as const;
  };
  expect(Object.fromEntries(await Promise.all(Object.keys(clientVerdicts).map(judge)))).toEqual(clientVerdicts);
});

describe.each(['legacy', { pin: '2026-07-28' }, 'auto'] as const)('the official client, era %j', (mode) => {
  test('lists, calls, asks and is asked', async () => {
    const client = await connect(mode);
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ada', response: 'yes' } };
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('test_simple_text');
    expect(JSON.stringify(tools)).not.toContain(hiddenTool);
    await expect(client.callTool({ name: hiddenTool })).rejects.toThrow(`Unknown tool: ${hiddenTool}`);
    const call = (name: string, input = {}) => client.callTool({ name, arguments: input });
    expect(await call('test_simple_text')).toMatchObject({
      content: [{ text: 'This is a simple text response for testing.' }],
    });
    // Mirrored in a header, where the era has such headers.
    expect(await call('test_mirrored_parameter', { region: 'Zürich' })).toMatchObject({
      content: [{ text: '{"region":"Zürich"}' }],
    });
    await (mode === 'legacy'
      ? call('test_elicitation', { message: 'Are you there?' })
      : call('test_input_required_result_elicitation'));
    expect(asked).toEqual([mode === 'legacy' ? 'Are you there?' : 'What is your name?']);
    expect((await client.readResource({ uri: 'test://static-text' })).contents).toHaveLength(1);
    await client.close();
  });
});

describe('the command line of the inspector', () => {
  const require = createRequire(import.meta.url);
  const inspector = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const inspect = async (headers: readonly string[], ...asked: readonly string[]) => {
    const where = ['--cli', `${proxy.url}/mcp`, '--transport', 'http', '--format', 'json'];
    const given = headers.flatMap((header) => ['--header', header]);
    return promisify(execFile)(process.execPath, [inspector, ...where, ...given, ...asked]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { readonly code: number; readonly stderr: string }) => ({ code: error.code, output: error.stderr }),
    );
  };
  const simple = ['--method', 'tools/call', '--tool-name', 'test_simple_text'];

  test.each(['legacy', 'modern', 'auto'])('calls a tool, era %s', async (era) => {
    const { code, output } = await inspect([`X-API-Key: ${proxy.key}`], ...simple, '--protocol-era', era);
    expect([code, output]).toEqual([0, expect.stringContaining('This is a simple text response')]);
  });

  test('says what is missing without a key', async () => {
    expect(await inspect([], ...simple)).toMatchObject({ code: 3 });
  });
});
