import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

const first = planted.slice(0, 9);
const second = planted.slice(9);
const letters = planted.split('');
const spellings: readonly (readonly [how: string, content: unknown])[] = [
  ['as it is', planted],
  ['over two parts', [first, second].map((text) => ({ type: 'text', text }))],
  ['with a NUL inside', `${first}\0${second}`],
  ['with spaces of no width', letters.join('\u200B')],
  [
    'in letters of full width',
    letters
      .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfe_e0) : letter))
      .join(''),
  ],
  ['in base64', Buffer.from(`The word is ${planted}, keep it well in mind`).toString('base64')],
  ['with one letter as an entity', `&#${first.charCodeAt(0)};${planted.slice(1)}`],
  ['with one letter as a percent escape', `${first}%${second.charCodeAt(0).toString(16)}${second.slice(1)}`],
  ['with one letter as an escape', `${first}\\u00${second.charCodeAt(0).toString(16)}${second.slice(1)}`],
  ['with the name of a soft hyphen inside', `${first}&shy;${second}`],
  ['with an escape of a terminal inside', `${first}\u001B${second}`],
  ['with a colour inside', `${first}\u001B[31m${second}`],
  ['with a control of the upper half inside', `${first}\u0085${second}`],
  ['in percent escapes', letters.map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
];

export const obfuscatedWords: readonly Attack[] = spellings.map(([how, content]) => ({
  name: `a forbidden word in a question, ${how}`,
  attacker: 'key holder',
  expected: '403, and nothing reaches the target',
  async run({ openProxy }) {
    await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
    const proxy = await openProxy({ target: target.url });
    const question = chatWith('', { messages: [{ role: 'user', content }] });
    const { status } = await ask(proxy, question);
    const reached = target.requests.length > 0;
    return judge(
      reached || status !== 403 ? [`answered ${status}${reached ? ', and it reached the target' : ''}`] : [],
      '403',
    );
  },
}));
