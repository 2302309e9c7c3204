import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

const rule = (id: string, regex: string) => ({
  id,
  name: id,
  severity: 'High',
  enabled: true,
  patterns: [{ regex }],
  action: 'block',
});

interface Told {
  readonly type: string;
  readonly data: { readonly id: number | string; readonly rule_id?: string; readonly count?: number };
}

/** More rules, and so more posts at once, than the notifier sends at a time to one destination. */
const animals = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];

const ruleOf = (body: string): string | undefined => (JSON.parse(body) as Told).data.rule_id;

describe.each(waysFor('one process'))('a flood of alerts, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let receiver: Peer;
  let proxy: ReadyProxy;
  let holdsAnswers = false;

  beforeAll(async () => {
    target = await startLlmPeer();
    receiver = await startLoopbackPeer((_request, response) => {
      if (!holdsAnswers) response.end();
    });
    gateway = await startGateway(way, { ALERT_DELIVERY_BACKOFF: '1s', ALERT_DIGEST_INTERVAL: '2s' });
    await gateway.admin.expect('POST', '/policies', {
      document: {
        name: 'doors',
        version: '1',
        description: 'Magic words',
        severity: 'High',
        policy_type: 'both',
        rules: [
          rule('DOOR', 'open sesame'),
          rule('GATE', 'close barley'),
          ...animals.map((animal) => rule(animal.toUpperCase(), `release the ${animal}`)),
        ],
      },
    });
    proxy = await setUpProxy(gateway.admin, target.url, { policies: ['doors'] });
    await gateway.admin.expect('PUT', '/system/settings', {
      webhook: {
        enabled: true,
        url: receiver.url,
        signing_secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
        minimum_severity: 'Low',
      },
    });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  const say = async (content: string): Promise<number> => {
    const response = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': proxy.key },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
    });
    await response.text();
    return response.status;
  };
  const flood = async (count: number): Promise<void> => {
    let left = count;
    const send = async (): Promise<void> => {
      for (; left > 0;) {
        left -= 1;
        expect(await say('open sesame')).toBe(403);
      }
    };
    await Promise.all(Array.from({ length: 10 }, send));
  };

  /** Each message once, however often it came. */
  const told = (): readonly Told[] => [
    ...new Map(
      receiver.requests.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body) as Told] as const),
    ).values(),
  ];
  const countTold = (ruleId: string): number =>
    told()
      .filter(({ data }) => (data.rule_id ?? 'DOOR') === ruleId)
      .reduce((sum, { data }) => sum + (data.count ?? 1), 0);

  test('is a few messages, in which each alert is counted once, though the notifier is killed in the middle', async () => {
    await flood(100);
    await gateway.processOf('notifier').stop('SIGKILL');
    await gateway.startAgain('notifier');
    await waitFor(async () => (await say('hello').catch(() => 0)) === 200, { what: 'the proxy' });
    await flood(100);
    const floodEndedAt = told().length;
    expect(await say('close barley')).toBe(403);
    await waitFor(() => countTold('GATE') === 1, { what: 'the alert of another rule' });

    await waitFor(() => countTold('DOOR') >= 200, { what: 'all alerts to be told of', timeoutMs: 60_000 });
    expect(countTold('DOOR')).toBe(200);
    const messages = told().filter(({ data }) => data.rule_id !== 'GATE');
    expect(messages.filter(({ type }) => type === 'alert.digest').length).toBeGreaterThan(0);
    expect(messages.length).toBeLessThan(30);
    expect(floodEndedAt).toBeLessThan(30);

    const { alerts } = await gateway.admin.expect<{ alerts: { id: number }[] }>('GET', '/system/alerts?limit=100');
    const details = await Promise.all(
      alerts.map(({ id }) =>
        gateway.admin.expect<{ deliveries: { channel: string; status: string; digest_id: string | null }[] }>(
          'GET',
          `/system/alerts/${id}`,
        ),
      ),
    );
    const states = details.map(({ deliveries }) => deliveries.map(({ channel, status }) => `${channel} ${status}`));
    expect(new Set(states.flat())).toEqual(new Set(['webhook delivered']));
    expect(states.every(({ length }) => length === 1)).toBe(true);
    const digests = new Set(details.flatMap(({ deliveries }) => deliveries.map(({ digest_id: id }) => id)));
    expect(digests.size).toBeGreaterThan(1);
  });

  test('posts under way when the notifier is killed are sent again under their ids, and so are those behind them', async () => {
    const postsOf = (animal: string) => receiver.requests.filter(({ body }) => ruleOf(body) === animal.toUpperCase());
    const posts = () => animals.flatMap(postsOf);
    holdsAnswers = true;
    for (const animal of animals) expect(await say(`release the ${animal}`)).toBe(403);
    const underWay = () => posts().filter(({ outcome }) => outcome === 'open');
    const held = await waitFor(() => (underWay().length === 4 ? underWay() : undefined), {
      what: 'four posts under way',
    });
    await gateway.processOf('notifier').stop('SIGKILL');
    await waitFor(() => held.every(({ outcome }) => outcome === 'broken-off'), { what: 'the posts to be broken off' });
    holdsAnswers = false;
    await gateway.startAgain('notifier');

    const isTold = (animal: string) => postsOf(animal).some(({ outcome }) => outcome === 'answered');
    await waitFor(() => animals.every(isTold), { what: 'all six alerts to be told of', timeoutMs: 60_000 });
    const idsOf = (animal: string) => new Set(postsOf(animal).map(({ headers }) => headers['webhook-id']));
    expect(animals.map((animal) => idsOf(animal).size)).toEqual(animals.map(() => 1));
  });
});
