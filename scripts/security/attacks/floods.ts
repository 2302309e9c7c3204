import { floodOf } from '../../../packages/core/test/floods.ts';
import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const bytes = 8 * 1_048_576;
const kinds = [
  'ligatures that fold to eighteen letters',
  'words in mathematical letters',
  'deep percent escapes',
  'digits without end',
  'base64 letters',
  'combining marks without end',
];
const longestWaitMs = 3_000;

export const floods: readonly Attack[] = kinds.map((kind) => ({
  name: `eight megabytes of ${kind}`,
  attacker: 'key holder',
  expected: `callers of other proxies wait less than ${longestWaitMs / 1_000} s`,
  slow: true,
  async run({ openProxy, measureWaits }) {
    await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
    const proxy = await openProxy({ target: target.url });
    const perCharacter = Buffer.byteLength(floodOf(kind, 10_000)) / 10_000;
    const question = chatWith(floodOf(kind, Math.floor(bytes / perCharacter)));
    let status = 0;
    const waitedMs = Math.round(await measureWaits(async () => ({ status } = await ask(proxy, question))));
    const got = `answered ${status}; others waited ${waitedMs} ms at most`;
    return judge(waitedMs > longestWaitMs ? [got] : [], got);
  },
}));
