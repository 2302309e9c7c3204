import { randomUUID } from 'node:crypto';
import { findFreePort } from '../../packages/testkit/src/free-port.ts';
import { startLlmPeer } from '../../packages/testkit/src/llm-peer.ts';
import { createManagementClient, type ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { ask, chatWith } from './send-question.ts';
import { openAttackedAgent, type AttackedAgent } from './attacked-agent.ts';
import { openHealthWatch } from './health-watch.ts';
import type { GatewayStores } from './gateway-stores.ts';
import { plantedPolicy } from './forbidden-word.ts';

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
  /** The same one for all attacks, made when the first asks for it. The policy against the planted word applies to it. */
  readonly openAgent: () => Promise<AttackedAgent>;
  /** Empty stores for a gateway of its own, of the same kind, where an attack needs other options. */
  readonly openPlace: () => Promise<GatewayStores>;
  /** Runs `attack` and answers how long a caller of another proxy, and of the API, waited at most meanwhile. */
  measureWaits(attack: () => Promise<unknown>): Promise<number>;
  /** Runs `attack` and answers how long each service kept somebody waiting at most who asked next to nothing of it. */
  measureHealth(attack: () => Promise<unknown>): Promise<number>;
}

/** How often it is looked how long others wait. */
const lookEveryMs = 25;
/** Someone who waits longer than this is not waited for. */
const maxWaitMs = 60_000;

/** Prepares a gateway for attacks. Disposing deletes what was made in it. */
export async function openLaboratory(place: LaboratoryPlace): Promise<Laboratory> {
  await using opened = new AsyncDisposableStack();
  const maker = opened.use(new ThingMaker(place.url, place.admin));
  const [viewer, operator] = [await maker.signIn('viewer'), await maker.signIn('operator')];
  const policyName = await maker.storePolicy();
  const openProxy = (wish: ProxyWish): Promise<AttackedProxy> => maker.openProxy(wish, policyName);
  const bystanderTarget = opened.use(await startLlmPeer());
  const bystander = await openProxy({ target: bystanderTarget.url });
  const look = async (): Promise<number> => {
    const waitedMs = await lookAround(place.url, bystander);
    bystanderTarget.forget();
    return waitedMs;
  };
  const watch = opened.use(openHealthWatch(addressesOfServices(place.url, bystander)));
  const resources = opened.move();
  return {
    ...place,
    viewer,
    operator,
    openProxy,
    openAgent: () => maker.openAgent(),
    measureWaits: (attack) => measureWaits(attack, look),
    measureHealth: (attack) => watch.longestWhile(attack),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

type LaboratoryPlace = Pick<Laboratory, 'url' | 'admin' | 'openPlace'>;

/** Makes things in a gateway under names of its own, and deletes them when it is disposed. */
class ThingMaker implements AsyncDisposable {
  readonly #url: string;
  readonly #admin: ManagementClient;
  readonly #mark = `security-${randomUUID().slice(0, 8)}`;
  readonly #made = new AsyncDisposableStack();
  #proxies = 0;
  #agent: Promise<AttackedAgent> | undefined;

  constructor(url: string, admin: ManagementClient) {
    this.#url = url;
    this.#admin = admin;
  }

  async signIn(role: 'viewer' | 'operator'): Promise<ManagementClient> {
    const credentials = { username: `${this.#mark}-${role}`, password: randomUUID() };
    const { user } = await this.#admin.expect<{ user: { id: number } }>('POST', '/auth/users', {
      ...credentials,
      role,
      must_change_password: false,
    });
    this.#remove(`/auth/users/${user.id}`);
    return createManagementClient(this.#url, credentials);
  }

  /** @returns its name */
  async storePolicy(): Promise<string> {
    const document = { ...plantedPolicy, name: this.#mark };
    const stored = await this.#admin.expect<{ id: number }>('POST', '/policies', { document });
    this.#remove(`/policies/${stored.id}`);
    return document.name;
  }

  async openProxy(
    { guarded = true, targetKey, type = 'llm', ...wish }: ProxyWish,
    policyName: string,
  ): Promise<AttackedProxy> {
    const name = `${this.#mark}-${(this.#proxies += 1)}`;
    const port = await findFreePort();
    const group = await this.#make('/user-groups', { name });
    const proxy = await this.#make('/proxies', {
      ...wish,
      name,
      type,
      port,
      policy_names: guarded ? [policyName] : [],
      ...(targetKey !== undefined && { target_auth: { value: targetKey } }),
    });
    const issued = await this.#admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
      name,
      user_group_id: group.id,
    });
    this.#remove(`/api-keys/${issued.api_key.id}`);
    await this.#start(proxy.id, group.id);
    return { id: proxy.id, groupId: group.id, port, url: `http://127.0.0.1:${port}`, key: issued.key };
  }

  openAgent(): Promise<AttackedAgent> {
    this.#agent ??= openAttackedAgent({ url: this.#url, admin: this.#admin, mark: this.#mark, made: this.#made });
    return this.#agent;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#made.disposeAsync();
  }

  /** Opens the proxy to the group and starts it. */
  async #start(proxyId: number, groupId: number): Promise<void> {
    const admin = this.#admin;
    await admin.expect('POST', `/user-groups/${groupId}/proxy-access`, { proxy_config_id: proxyId, rate_limit: 0 });
    await admin.expect('POST', `/proxies/${proxyId}/start`);
    this.#made.defer(async () => void (await admin.call('POST', `/proxies/${proxyId}/stop`)));
  }

  async #make(path: string, body: object): Promise<{ readonly id: number }> {
    const made = await this.#admin.expect<{ id: number }>('POST', path, body);
    this.#remove(`${path}/${made.id}`);
    return made;
  }

  #remove(path: string): void {
    this.#made.defer(async () => void (await this.#admin.call('DELETE', path)));
  }
}

/** One that each service answers at once, without a login or a key: in services each has a process of its own. */
const addressesOfServices = (url: string, bystander: AttackedProxy): readonly string[] => [
  `${url}/api/v1/health`,
  `${url}/api/v1/agents`,
  `${url}/api/v1/security/skills/registry`,
  bystander.url,
];

/** How long a caller of another proxy, and of the API, waits now. */
async function lookAround(url: string, bystander: AttackedProxy): Promise<number> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(maxWaitMs);
  await Promise.allSettled([
    ask(bystander, { ...chatWith('hello'), signal }),
    fetch(`${url}/api/v1/health`, { signal }).then((response) => response.arrayBuffer()),
  ]);
  return performance.now() - startedAt;
}

/** The longest of the looks taken while the attack goes on. */
async function measureWaits(attack: () => Promise<unknown>, look: () => Promise<number>): Promise<number> {
  const end = new AbortController();
  let longestMs = 0;
  const attacked = attack().finally(() => end.abort());
  const watched = (async () => {
    while (!end.signal.aborted) {
      longestMs = Math.max(longestMs, await look());
      await new Promise((resolve) => void setTimeout(resolve, lookEveryMs));
    }
  })();
  await Promise.all([attacked, watched]);
  return longestMs;
}
