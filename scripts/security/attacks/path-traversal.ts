import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const climbs = [
  '/../admin',
  '/..%2fadmin',
  '/%2e%2e/admin',
  '/%2e%2e%2fadmin',
  '/%252e%252e%252fadmin',
  '/%25252e%25252e/admin',
  '/..;/admin',
  '/..;a=b/admin',
  String.raw`/..\admin`,
  '/..%5cadmin',
  '/..%255cadmin',
  '/v1/..;/..;/admin',
  '/v1%2f..%2f..%2fadmin',
  '/%c0%ae%c0%ae/admin',
  '/..%u002fadmin',
  '/..%00/admin',
  '/v1//../../admin',
];

export const pathTraversal: readonly Attack[] = [
  {
    name: "out of the target's base path with the gateway's own credentials",
    attacker: 'key holder',
    expected: '400, and nothing reaches the target',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, {}));
      const targetKey = 'sk-of-the-gateway';
      const proxy = await openProxy({ target: `${target.url}/tenant`, targetKey });
      const honest = await ask(proxy, { path: '/v1/models' });
      if (honest.status !== 200 || target.requests[0]?.path !== '/tenant/v1/models')
        throw new Error(`an honest path was answered ${honest.status}`);
      target.forget();
      const faults: string[] = [];
      for (const path of climbs) {
        const { status } = await ask(proxy, { path });
        if (status !== 400) faults.push(`${status} for ${path}`);
      }
      for (const { path } of target.requests) faults.push(`${path} reached the target`);
      return judge(faults, `${climbs.length} refused`);
    },
  },
];
