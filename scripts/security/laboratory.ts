import { randomUUID } from 'node:crypto';
import { findFreePort } from '../../packages/testkit/src/free-port.ts';
import { startLlmPeer } from '../../packages/testkit/src/llm-peer.ts';
import { createManagementClient, type ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { ask, chatWith } from './ask.ts';
import type { GatewayPlace } from './gateway-place.ts';
import { plantedPolicy } from './planted.ts';

export interface ProxyWish {
  /** Origin of the target. */
  readonly target: string;
  readonly type?: 'llm' | 'mcp';
  readonly transport?: 'http' | 'sse' | 'websocket';
  /** Enforces the policy against the planted word; true unless given. */
  readonly guarded?: boolean;
  readonly settings?: object;
  /** What the gateway signs in with at the target. */
  readonly targetKey?: string;
}

/** A running proxy and a key that opens it. */
export interface AttackedProxy {
  readonly id: number;
  readonly groupId: number;
  readonly port: number;
  /** Origin. */
  readonly url: string;
  readonly key: string;
}

/** A gateway with what an attack needs of it. */
export interface Laboratory extends AsyncDisposable {
  /** Origin of the public edge. */
  readonly url: string;
  readonly admin: ManagementClient;
  readonly viewer: ManagementClient;
  readonly operator: ManagementClient;
  openProxy(wish: ProxyWish): Promise<AttackedProxy>;
  /** Empty stores for a gateway of its own, of the same kind, where an attack needs other options. */
  readonly openPlace: () => Promise<GatewayPlace>;
  /** Runs `attack` and answers how long a caller of another proxy, and of the API, waited at most meanwhile. */
  measureWaits(attack: () => Promise<unknown>): Promise<number>;
}

/** How often it is looked how long others wait. */
const lookEveryMs = 25;
/** Someone who waits longer than this is not waited for. */
const maxWaitMs = 60_000;

/** Prepares a gateway for attacks. Disposing deletes what was made in it. */
export async function openLaboratory({
  url,
  admin,
  openPlace,
}: Pick<Laboratory, 'url' | 'admin' | 'openPlace'>): Promise<Laboratory> {
  await using opened = new AsyncDisposableStack();
  // Goes on growing after `opened` has moved.
  const made = opened.use(new AsyncDisposableStack());
  const mark = `security-${randomUUID().slice(0, 8)}`;
  const remove = (path: string): void => made.defer(async () => void (await admin.call('DELETE', path)));
  const signIn = async (role: 'viewer' | 'operator'): Promise<ManagementClient> => {
    const credentials = { username: `${mark}-${role}`, password: randomUUID() };
    const { user } = await admin.expect<{ user: { id: number } }>('POST', '/auth/users', {
      ...credentials,
      role,
      must_change_password: false,
    });
    remove(`/auth/users/${user.id}`);
    return createManagementClient(url, credentials);
  };
  const [viewer, operator] = [await signIn('viewer'), await signIn('operator')];
  const policy = { ...plantedPolicy, name: mark };
  const stored = await admin.expect<{ id: number }>('POST', '/policies', { document: policy });
  remove(`/policies/${stored.id}`);

  let count = 0;
  const openProxy = async ({ guarded = true, targetKey, type = 'llm', ...wish }: ProxyWish): Promise<AttackedProxy> => {
    const name = `${mark}-${(count += 1)}`;
    const port = await findFreePort();
    const group = await admin.expect<{ id: number }>('POST', '/user-groups', { name });
    remove(`/user-groups/${group.id}`);
    const proxy = await admin.expect<{ id: number }>('POST', '/proxies', {
      ...wish,
      name,
      type,
      port,
      policy_names: guarded ? [policy.name] : [],
      ...(targetKey !== undefined && { target_auth: { value: targetKey } }),
    });
    remove(`/proxies/${proxy.id}`);
    const issued = await admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
      name,
      user_group_id: group.id,
    });
    remove(`/api-keys/${issued.api_key.id}`);
    await admin.expect('POST', `/user-groups/${group.id}/proxy-access`, { proxy_config_id: proxy.id, rate_limit: 0 });
    await admin.expect('POST', `/proxies/${proxy.id}/start`);
    made.defer(async () => void (await admin.call('POST', `/proxies/${proxy.id}/stop`)));
    return { id: proxy.id, groupId: group.id, port, url: `http://127.0.0.1:${port}`, key: issued.key };
  };

  const bystanderTarget = made.use(await startLlmPeer());
  const bystander = await openProxy({ target: bystanderTarget.url });
  const lookAround = async (): Promise<number> => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(maxWaitMs);
    const calls = [
      ask(bystander, { ...chatWith('hello'), signal }),
      fetch(`${url}/api/v1/health`, { signal }).then((response) => response.arrayBuffer()),
    ];
    await Promise.allSettled(calls);
    bystanderTarget.forget();
    return performance.now() - startedAt;
  };

  const resources = opened.move();
  return {
    url,
    admin,
    viewer,
    operator,
    openProxy,
    openPlace,
    async measureWaits(attack) {
      const end = new AbortController();
      let longestMs = 0;
      const attacked = attack().finally(() => end.abort());
      const watched = (async () => {
        while (!end.signal.aborted) {
          longestMs = Math.max(longestMs, await lookAround());
          await new Promise((resolve) => void setTimeout(resolve, lookEveryMs));
        }
      })();
      await Promise.all([attacked, watched]);
      return longestMs;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
