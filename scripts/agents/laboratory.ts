import { errorCatalogue } from '../../packages/contracts/src/errors.ts';
import { findFreePort } from '../../packages/testkit/src/free-port.ts';
import { startLlmPeer, type LlmPeer } from '../../packages/testkit/src/llm-peer.ts';
import { startTestGateway } from '../../packages/testkit/src/test-gateway.ts';
import { waitFor } from '../../packages/testkit/src/wait-for.ts';

/** A gateway with a model behind it. */
export interface Laboratory extends AsyncDisposable {
  readonly model: LlmPeer;
  /** Gateway key that every proxy takes. */
  readonly key: string;
  /** Login token of an admin, to have decisions explained. */
  readonly adminToken: string;
  /** Origin of a running proxy that enforces these policies and no others. */
  openProxy(policies: readonly string[]): Promise<string>;
}

/** Starts a whole gateway in a process of its own, with a model that agents talk to through its proxies. */
export async function openLaboratory(): Promise<Laboratory> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startLlmPeer());
  const { admin } = opened.use(await startTestGateway({ kind: 'one process' }));
  const group = await admin.expect<{ id: number }>('POST', '/user-groups', { name: 'agents' });
  const { key } = await admin.expect<{ key: string }>('POST', '/api-keys', {
    name: 'agents',
    user_group_id: group.id,
  });
  await admin.expect('POST', '/policies', { document: refusing });

  const proxies = new Map<string, Promise<string>>();
  const start = async (policies: readonly string[]): Promise<string> => {
    const port = await findFreePort();
    const proxy = await admin.expect<{ id: number }>('POST', '/proxies', {
      name: `agents ${proxies.size}`,
      type: 'llm',
      target: model.url,
      port,
      policy_names: policies,
      settings: { explain: true },
    });
    await admin.expect('POST', `/user-groups/${group.id}/proxy-access`, { proxy_config_id: proxy.id, rate_limit: 0 });
    await admin.expect('POST', `/proxies/${proxy.id}/start`);
    const url = `http://127.0.0.1:${port}`;
    await waitFor(() => knowsKey(url, key), { what: `the key to open the proxy of ${policies.join(', ')}` });
    return url;
  };
  const resources = opened.move();

  return {
    model,
    key,
    adminToken: admin.token,
    openProxy(policies) {
      const name = [...policies].sort().join(' ');
      const known = proxies.get(name) ?? start(policies);
      proxies.set(name, known);
      return known;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const knowsKey = async (url: string, key: string): Promise<boolean> => {
  const { status } = await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key } });
  return status === 200;
};

/** Blocks the one question, to see what an agent makes of being refused. */
const refusing = {
  name: 'refuse-the-question',
  rules: [{ id: 'CAPITAL', patterns: [{ literal: 'capital of France' }], action: 'block' }],
};
export const refusingPolicy = refusing.name;
export const refusalText = errorCatalogue.policy_violation.text;
