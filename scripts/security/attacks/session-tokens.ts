import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

/** How a client writes the token of a login, and with which status it is answered beside a good key. */
const waysToSend = (token: string): readonly (readonly [name: string, value: string, status: number])[] => [
  ['x-session-token', token, 200],
  ['x-session-token', `Bearer ${token}`, 401],
  ['x-session-token', `"${token}"`, 401],
  ['x-session-token', `${token}, ${token}`, 401],
  ['x-session-token', `token=${token}`, 401],
  ['authorization', `Bearer ${token}`, 200],
  ['authorization', token, 200],
];

export const sessionTokens: readonly Attack[] = [
  {
    name: 'the token of a login in other spellings, beside a key',
    attacker: 'target',
    expected: 'no spelling reaches the target; what is no bare token is refused, a token of the target goes on',
    async run({ admin, openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await openProxy({ target: target.url });
      const faults: string[] = [];
      const send = (name: string, value: string) => {
        const question = chatWith('hello');
        return ask(proxy, { ...question, headers: { ...question.headers, [name]: value } });
      };
      const ways = waysToSend(admin.token);
      for (const [name, value, expected] of ways) {
        const { status } = await send(name, value);
        if (status !== expected) faults.push(`${name}: ${value.replaceAll(admin.token, '…')} answered ${status}`);
      }
      if (JSON.stringify(target.requests).includes(admin.token)) faults.push('the token came to the target');
      await send('authorization', 'Bearer sk-of-the-target');
      const { authorization } = target.requests.at(-1)?.headers ?? {};
      if (authorization !== 'Bearer sk-of-the-target') faults.push(`the target's own key came as ${authorization}`);
      return judge(faults, `${ways.length} kept here`);
    },
  },
];
