import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const calls = 400;
const atOnce = 40;
/** Twice the reasons that are tried: a minute may end meanwhile. */
const mostEntries = 4;

export const invalidKeys: readonly Attack[] = [
  {
    name: 'calls without a key and with made-up ones, to fill the database',
    attacker: 'stranger',
    expected: 'entries of the request log by address and reason, not by request; with a key each has its own',
    async run({ admin, openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await openProxy({ target: target.url });
      for (let sent = 0; sent < calls; sent += atOnce) {
        await Promise.all(
          Array.from({ length: atOnce }, (_, index) =>
            ask({ port: proxy.port, key: index % 2 ? '' : `gw_made-up-${sent + index}` }, chatWith('hello')),
          ),
        );
      }
      const twins = 10;
      for (let sent = 0; sent < twins; sent += 1) await ask(proxy, chatWith('hello'));
      const countLogs = async (status: string): Promise<number> =>
        (await admin.expect<unknown[]>('GET', `/proxies/${proxy.id}/logs?status=${status}&limit=1000`)).length;
      // In the order of the requests, so those of the strangers are there as well.
      await waitFor(async () => (await countLogs('200')) === twins, { what: 'the entries of the twins' });
      const entries = await countLogs('401');
      const got = `${entries} entries for ${calls} calls, ${twins} for ${twins} with a key`;
      return judge(entries === 0 || entries > mostEntries ? [got] : [], got);
    },
  },
];
