import { expect, test } from '@jest/globals';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import type { RecordedRequest } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createEvaluationClient } from './evaluation-client.ts';
import { startGateway, waysFor } from './start-gateway.ts';

const concurrency = 3;

const lastMessage = ({ body }: RecordedRequest): string =>
  (JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] }).messages.at(-1)?.content ?? '';

test.each(waysFor('services'))(
  'a worker that is killed in the middle of evaluations loses no case, and asks none again that was judged (%s)',
  async (way) => {
    await using gateway = await startGateway(way, {}, ['notifier', 'guardrails-worker']);
    const { createEndpoint, start, status, ended, results } = createEvaluationClient(() => gateway.admin);
    await using opened = new AsyncDisposableStack();
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const peer = opened.use(await startEvaluatedEndpoint('strict'));
        const endpoint = await createEndpoint({ url: peer.url });
        const evaluation = await start({ endpoint_id: endpoint.id, concurrency, delay_ms: 200 });
        return { peer, id: evaluation.id, requests: evaluation.estimate.requests };
      }),
    );
    const before = await waitFor(
      async () => {
        const known = await Promise.all(runs.map(({ id }) => results(id)));
        return known.every(({ length }) => length >= 12) ? known : undefined;
      },
      { what: 'results of both' },
    );
    await gateway.processOf('guardrails-worker').stop('SIGKILL');
    const sent = runs.map(({ peer }) => peer.requests.length);
    await gateway.startAgain('guardrails-worker');
    const after = await waitFor(() => Promise.all(runs.map(({ id }) => status(id))), {
      what: 'the worker to answer again',
    });
    expect(after.map(({ status: now }) => now)).toEqual(['running', 'running']);

    for (const [index, { peer, id, requests }] of runs.entries()) {
      expect(await ended(id)).toMatchObject({ status: 'completed', completed: 71, errors: 0, failed: 0 });
      const all = await results(id);
      expect(new Set(all.map(({ test_case: { test_id: testId } }) => testId)).size).toBe(71);
      // What was judged before stays as it was, and was asked once.
      expect(all.filter((one) => before[index]?.some((other) => other.id === one.id))).toEqual(before[index]);
      for (const { prompt } of before[index] ?? []) {
        expect([prompt, peer.requests.filter((one) => lastMessage(one) === prompt).length]).toEqual([prompt, 1]);
      }
      // A request that was under way at the kill may be sent once more, and no other.
      const again = peer.requests.length - new Set(peer.requests.map(({ body }) => body)).size;
      expect(again).toBeLessThanOrEqual(concurrency);
      expect(peer.requests.length).toBeLessThanOrEqual(requests + concurrency);
      expect(peer.requests.length).toBeGreaterThan(sent[index] ?? 0);
    }
  },
);
