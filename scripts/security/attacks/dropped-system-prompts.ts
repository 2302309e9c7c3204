import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, posting, type Question } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const prompt = 'You serve the laboratory and nothing else';
const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const chat = '/v1/chat/completions';
const paths = [
  '//v1//chat//completions',
  '/v1/./chat/completions',
  '/v1/chat/x/../completions',
  '/v1/chat/completions;a=b',
  '/v1/chat%2fcompletions',
  '/v1/chat%252Fcompletions',
  '/v1%5cchat%5Ccompletions',
  '/v1/chat/%63ompletions',
  '/V1/Chat/Completions/',
  '/v1/chat/completions%20',
];
const bodies: readonly (string | Buffer)[] = [
  `\uFEFF${body}`,
  body.replace('}]', '},]'),
  body.replace('"m"', 'NaN'),
  `${body}${body}`,
  `/**/${body}`,
  Buffer.from(body, 'utf16le'),
  Buffer.from(`\uFEFF${body}`, 'utf16le'),
  Buffer.from(body.split('').flatMap((character) => [0, 0, 0, character.charCodeAt(0)])),
  body.replace('"messages"', '"messages":null,"messages"'),
  '{"model":"m","messages":{"0":{"role":"user","content":"hi"}}}',
  '{"model":"m"}',
];
const withType = (question: Question, type: string | undefined): Question => ({
  ...question,
  headers: type === undefined ? {} : { 'content-type': type },
});
const questions: readonly Question[] = [
  ...paths.map((path) => posting(path, body)),
  ...bodies.flatMap((one) =>
    ['application/json', 'text/plain', undefined].map((type) => withType(posting(chat, one), type)),
  ),
];

export const droppedSystemPrompts: readonly Attack[] = [
  {
    name: 'an assigned system prompt shed by the spelling of the path or of the body',
    attacker: 'key holder',
    expected: 'the prompt goes with it, or 400',
    async run({ admin, openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const proxy = await openProxy({ target: target.url, guarded: false });
      const { id } = await admin.expect<{ id: number }>('POST', '/system-prompts', {
        name: `security ${proxy.id}`,
        content: prompt,
      });
      try {
        await admin.expect('POST', `/system-prompts/${id}/assign/proxy/${proxy.id}`);
        await ask(proxy, posting(chat, body));
        if (target.requests.at(-1)?.body.includes(prompt) !== true) throw new Error('the prompt is not in force');
        target.forget();
        const faults: string[] = [];
        for (const question of questions) {
          const { status } = await ask(proxy, question);
          for (const request of target.requests) {
            if (!request.body.includes(prompt)) faults.push(`${question.path} ${String(question.body).slice(0, 40)}`);
          }
          if (target.requests.length === 0 && (status < 400 || status >= 500))
            faults.push(`${status} for ${question.path}`);
          target.forget();
        }
        return judge(faults, `${questions.length} spellings, none without it`);
      } finally {
        await admin.call('DELETE', `/system-prompts/${id}`);
      }
    },
  },
];
