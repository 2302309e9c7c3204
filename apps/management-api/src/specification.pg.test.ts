import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { startSignInPeer, type SignInPeer } from '@portcullis/testkit/sign-in-peer';
import { followDesiredState, type RuntimeRows } from '../test/follow-desired-state.ts';
import { signInAtProvider, signInEnvironment } from '../test/sign-in-browser.ts';
import { specificationRows } from '../test/specification-rows.ts';
import { alertRecord, record, requestLogRecord, usageRecord } from '../test/records.ts';
import { startManagement, stores, type TestManagement } from '../test/start-management.ts';

interface Created {
  readonly id?: number;
  readonly token?: string;
}

const { objectContaining: has } = expect;

describe.each(stores)("the specification's rows (%s)", (store) => {
  let management: TestManagement;
  let peer: McpPeer;
  let provider: SignInPeer;
  /** What a browser brings back from the provider. */
  let cookie: string;
  let runtime: RuntimeRows;
  let token: string;
  const known = new Map<string, string>();
  beforeAll(async () => {
    provider = await startSignInPeer();
    provider.behave({ email: 'admin@localhost' });
    management = await startManagement(store, signInEnvironment(provider));
    const returned = await signInAtProvider(management.origin, 'oidc');
    cookie = returned.cookie;
    token = management.adminToken;
    runtime = await followDesiredState(management.infrastructure.database);
    peer = await startMcpPeer();
    const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' }, call: () => '' });
    peer.behave({ tools: ['a', 'b'].map(tool) });
    known.set('peer', peer.endpoint).set('returned', returned.path.split('?')[1] ?? '');
  });
  afterAll(async () => {
    await runtime[Symbol.asyncDispose]();
    await management.stop();
    await peer[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const fill = (template: string) =>
    template.replaceAll(/\{([a-z-]+)\}/g, (whole, name: string) => known.get(name) ?? whole);
  /** Ids are numbers in bodies. */
  const fillBody = (body: object) =>
    fill(
      JSON.stringify(body).replaceAll(
        /"\{(llm|mcp|group|team-prompt|alert)\}"/g,
        (_, name: string) => known.get(name) ?? '',
      ),
    );

  const call = async (request: string, body?: object) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${management.origin}/api/v1${fill(path)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: fillBody(body) }),
    });
    return { response, body: await response.text() };
  };

  /** What the data plane would have recorded of the proxy, once there is one. */
  const recordTraffic = async () => {
    const id = Number(known.get('llm'));
    await record(management.infrastructure, [
      requestLogRecord({ proxy_id: id }),
      usageRecord({ proxy_id: id, api_key_id: 1 }),
      alertRecord({ proxy_id: id }),
      alertRecord({ proxy_id: id }),
    ]);
    const { kysely } = management.infrastructure.database;
    const { id: alert } = await kysely.selectFrom('alerts').select('id').limit(1).executeTakeFirstOrThrow();
    const policy = await kysely.selectFrom('policies').select('name').limit(1).executeTakeFirstOrThrow();
    known.set('alert', String(alert)).set('policy', policy.name);
  };

  test.each(Object.keys(specificationRows))('%s', async (section) => {
    for (const [request, body, data, keep] of specificationRows[section] ?? []) {
      const { response, body: answer } = await call(request, body);
      expect([request, response.status, response.status < 300 || answer]).toEqual([request, response.status, true]);
      if (data === undefined) continue;
      const envelope = JSON.parse(answer) as { success: boolean; data: Created | Created[] };
      expect([request, envelope]).toEqual([request, has({ success: true, data })]);
      const first = [envelope.data].flat()[0];
      if (keep !== undefined) known.set(keep, String(first?.id));
      if (keep === 'mcp') await recordTraffic();
      // The one before has been exchanged.
      if (request === 'POST /auth/refresh') token = first?.token ?? '';
    }
  });

  test('the deprecated assignment is gone', async () => {
    const { response } = await call('POST /system-prompts/1/assign/user-group/1');
    expect(response.status).toBe(410);
  });
});
