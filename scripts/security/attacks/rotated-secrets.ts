import { setUpProxy } from '../../../apps/gateway/test/set-up-proxy.ts';
import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { testSecrets } from '../../../packages/testkit/src/test-gateway.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const secret = 'sk-sealed-with-the-old-key';
const next = { JWT_SECRET: 'n'.repeat(40), ENCRYPTION_KEY: 'n'.repeat(32) };
const previous = {
  JWT_SECRET_PREVIOUS: testSecrets.JWT_SECRET,
  ENCRYPTION_KEY_PREVIOUS: testSecrets.ENCRYPTION_KEY,
};

export const rotatedSecrets: readonly Attack[] = [
  {
    name: 'a token of the former JWT_SECRET, and credentials sealed with the former ENCRYPTION_KEY',
    attacker: 'stranger',
    expected:
      'both count while the former ones are set; after that the token is refused and the credentials are sealed anew',
    slow: true,
    async run({ openPlace }) {
      await using place = await openPlace();
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const faults: string[] = [];
      const first = await place.start();
      const proxy = await setUpProxy(first.admin, target.url, { targetKey: secret });
      const { token } = first.admin;
      const holds = async (url: string): Promise<number> => {
        const response = await fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
        await response.arrayBuffer();
        return response.status;
      };
      const askTarget = async (when: string): Promise<void> => {
        target.forget();
        const { status } = await waitFor(() => ask(proxy, chatWith('hello')), { what: 'the port of the proxy' });
        const isSent = JSON.stringify(target.requests).includes(secret);
        if (status !== 200 || !isSent)
          faults.push(`${when}: ${status}, ${isSent ? 'with' : 'without'} its credentials`);
      };
      await first.stop();

      const second = await place.start({ ...next, ...previous });
      if ((await holds(second.url)) !== 200) faults.push('the token is refused while the former secret is set');
      await askTarget('while the former key is set');
      const log = () => second.processes.flatMap(({ output }) => output).join('\n');
      await waitFor(() => log().includes('ENCRYPTION_KEY_PREVIOUS can be removed'), { what: 'the word of the log' });
      await second.stop();

      const third = await place.start(next);
      const status = await holds(third.url);
      if (status !== 401) faults.push(`the token is answered ${status} after the change`);
      await askTarget('after the change');
      await third.stop();

      const foreign = await place.start({ ...next, ENCRYPTION_KEY: 's'.repeat(32) }).then(
        async (started) => started.stop().then(() => 'started'),
        (error: unknown) => String(error),
      );
      if (!foreign.includes('Give that key back'))
        faults.push(`with a key that opens nothing: ${foreign.slice(0, 200)}`);
      return judge(faults, `the token ${status} afterwards; sealed anew; with a foreign key it does not start`);
    },
  },
];
