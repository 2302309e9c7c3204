import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

export const smallBodies: readonly Attack[] = [
  {
    name: 'a megabyte of pairs of key and value',
    attacker: 'key holder',
    expected: 'read or refused, without a fault of the gateway',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await openProxy({ target: target.url });
      const { status } = await ask(proxy, chatWith('a:b:c=d;'.repeat(125_000)));
      return judge(status >= 500 ? [`answered ${status}`] : [], `answered ${status}`);
    },
  },
  {
    name: 'a doubled Content-Type',
    attacker: 'target',
    expected: 'read all the same',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => {
        response.writeHead(200, ['content-type', 'application/json', 'content-type', 'text/plain']);
        response.end(JSON.stringify({ choices: [{ message: { content: planted } }] }));
      });
      const proxy = await openProxy({ target: target.url });
      const got = await ask(proxy, chatWith('hello')).catch(() => undefined);
      const faults = [
        ...(got?.body.includes(planted) === true ? ['the word came'] : []),
        ...(got?.status === 500 ? ['answered 500'] : []),
      ];
      return judge(faults, `answered ${got?.status ?? 'nothing'}`);
    },
  },
  {
    name: 'a forbidden word as the key of an object',
    attacker: 'key holder',
    expected: '403, and nothing reaches the target',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await openProxy({ target: target.url });
      const tools = [
        { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { [planted]: {} } } } },
      ];
      const { status } = await ask(proxy, chatWith('hello', { tools }));
      return judge(status === 403 && target.requests.length === 0 ? [] : [`answered ${status}`], '403');
    },
  },
];
