import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith, posting } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';

const long = 'm'.repeat(2_000_000);
const longestName = 200;
const largestExposition = 2_000_000;

export const longNames: readonly Attack[] = [
  {
    name: 'two megabytes as the name of the model',
    attacker: 'key holder',
    expected: '400, and neither logs nor metrics hold it',
    async run(laboratory) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await laboratory.openProxy({ target: target.url });
      const { status } = await ask(proxy, chatWith('hello', { model: long }));
      const gemini = await ask(
        proxy,
        posting(`/v1beta/models/${'m'.repeat(8_000)}:generateContent`, '{"contents":[]}'),
      );
      const faults = [
        ...(status === 400 ? [] : [`answered ${status}`]),
        ...(target.requests.some(({ body }) => body.length > 1_000_000) ? ['it reached the target'] : []),
        ...(await findLongNames(laboratory, proxy.id)),
      ];
      return judge(faults, `${status}, in a path ${gemini.status}, kept nowhere`);
    },
  },
  {
    name: 'a target tells a model of a megabyte',
    attacker: 'target',
    expected: 'cut before it becomes a column, a label or a field of the log',
    async run(laboratory) {
      const usage = { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 };
      await using target = await startLoopbackPeer((_request, response) =>
        answer(response, 200, { model: 'm'.repeat(1_000_000), choices: [], usage }),
      );
      const proxy = await laboratory.openProxy({ target: target.url });
      await ask(proxy, chatWith('hello'));
      return judge(await findLongNames(laboratory, proxy.id), 'cut');
    },
  },
  {
    name: 'three thousand invented models, to swell the metrics',
    attacker: 'key holder',
    expected: 'label values are limited in number',
    slow: true,
    async run(laboratory) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await laboratory.openProxy({ target: target.url });
      const count = 3_000;
      for (let sent = 0; sent < count; sent += 50) {
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            ask(proxy, chatWith('hello', { model: `invented-${sent + index}` })),
          ),
        );
      }
      const text = await readExposition(laboratory);
      const named = new Set(text.match(/invented-\d+/g)).size;
      return judge(named < count ? [] : [`${named} labels`], `${named} of them are labels, the rest "other"`);
    },
  },
];

const readExposition = async ({ url }: Laboratory): Promise<string> => {
  const response = await fetch(`${url}/api/v1/metrics/prometheus`);
  return response.text();
};

async function findLongNames(laboratory: Laboratory, proxyId: number): Promise<readonly string[]> {
  const faults: string[] = [];
  const logs = await laboratory.admin.call('GET', `/proxies/${proxyId}/logs?limit=10`);
  const isLong = new RegExp(`m{${longestName + 1}}`);
  // Of a path the log keeps 512 characters, also of a name.
  const withoutPaths = JSON.stringify(logs, (key, value: unknown) => (key === 'path' ? undefined : value));
  if (isLong.test(withoutPaths)) faults.push('the request log holds it');
  const exposition = await readExposition(laboratory);
  if (isLong.test(exposition)) faults.push('the metrics hold it');
  if (exposition.length > largestExposition) faults.push(`the metrics are ${exposition.length} characters`);
  return faults;
}
