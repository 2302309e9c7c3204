import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const absurd = [1e308, -5, -1e300, 2.5, 2 ** 60, 5_000_000_000];
const afterwards = [
  '/metrics',
  '/system/metrics',
  '/budgets/reports/summary',
  '/budgets/reports/breakdown',
  '/budgets/organization/status',
  '/teams/usage',
];
/** No question of a few words costs as many. */
const mostTokens = 10_000;

interface Totals {
  readonly total_tokens: number;
  readonly request_count: number;
}

export const forgedUsage: readonly Attack[] = [
  {
    name: 'usage of 1e308, negative, broken and enormous tokens',
    attacker: 'target',
    expected: 'estimated instead; every report still answers',
    async run({ admin, openProxy }) {
      let figure = 0;
      const streamed = (usage: object): string =>
        `data: ${JSON.stringify({ model: 'm', choices: [], usage })}\n\ndata: [DONE]\n\n`;
      await using target = await startLoopbackPeer((request, response) => {
        const usage = { prompt_tokens: figure, completion_tokens: figure, total_tokens: figure };
        if (!request.body.includes('"stream":true')) return answer(response, 200, { model: 'm', choices: [], usage });
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(usage));
      });
      const proxy = await openProxy({ target: target.url });
      for (figure of absurd) {
        await ask(proxy, chatWith('hello'));
        await ask(proxy, chatWith('hello', { stream: true }));
      }
      const { total_tokens: tokens } = await waitFor(
        async () => {
          const { totals } = await admin.expect<{ totals: Totals }>('GET', `/proxies/${proxy.id}/tokens`);
          return totals.request_count === absurd.length * 2 && totals;
        },
        { what: 'the usage of all requests', timeoutMs: 20_000 },
      );
      const faults = tokens > 0 && tokens < mostTokens ? [] : [`the sum is ${tokens} tokens`];
      for (const path of [...afterwards, `/proxies/${proxy.id}/stats`, `/user-groups/${proxy.groupId}/budget-status`]) {
        const { status } = await admin.call('GET', path);
        if (status !== 200) faults.push(`${path} answers ${status}`);
      }
      return judge(faults, `estimated as ${tokens} tokens in all, and all reports answer`);
    },
  },
];
