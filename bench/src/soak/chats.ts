import { callFor, expectIn, type Question } from './send-request.ts';
import type { World } from './soak-context.ts';
import { newText, textOfStream } from './texts.ts';

const openai = (content: string, more: object = {}): Question => ({
  path: '/v1/chat/completions',
  body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more },
});
const anthropic = (content: string, more: object = {}): Question => ({
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  body: { model: 'claude-opus-4-8', max_tokens: 500, messages: [{ role: 'user', content }], ...more },
});
const gemini = (content: string, method = 'generateContent'): Question => ({
  path: `/v1beta/models/gemini-2.5-flash:${method}`,
  body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
});
const responses = (input: string, more: object = {}): Question => ({
  path: '/v1/responses',
  body: { model: 'gpt-4o-mini', input, ...more },
});
const completions = (prompt: string): Question => ({
  path: '/v1/completions',
  body: { model: 'gpt-4o-mini', prompt },
});

const echoes =
  (ask: (text: string) => Question) =>
  async ({ proxies }: World) => {
    const { text, mark } = newText();
    const answer = await callFor(proxies.llm, 'a chat', [200], ask(text));
    expectIn('the echo of a chat', answer.text, mark);
  };

const streams =
  (ask: (text: string) => Question) =>
  async ({ proxies }: World) => {
    const { text, mark } = newText();
    const answer = await callFor(proxies.llm, 'a stream', [200], ask(text));
    expectIn('the echo of a stream', textOfStream(answer.text), mark);
  };

export const chatOpenai = echoes((text) => openai(text));
export const chatAnthropic = echoes((text) => anthropic(text));
export const chatGemini = echoes((text) => gemini(text));
export const chatResponses = echoes((text) => responses(text));
export const completeOpenai = echoes(completions);

export const streamOpenai = streams((text) => openai(text, { stream: true }));
export const streamAnthropic = streams((text) => anthropic(text, { stream: true }));
export const streamGemini = streams((text) => gemini(text, 'streamGenerateContent?alt=sse'));
export const streamResponses = streams((text) => responses(text, { stream: true }));

export async function embed({ proxies }: World): Promise<void> {
  const question = { path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input: newText().text } };
  expectIn('an embedding', (await callFor(proxies.llm, 'an embedding', [200], question)).text, '"embedding"');
}

/** Hidden from the model, and there again for its caller. */
export async function chatRedacted({ proxies }: World): Promise<void> {
  const address = `${newText().mark}@house.example`;
  const question = openai(`Write to ${address} today, and once more to ${address}.`);
  const answer = await callFor(proxies.llm, 'a redacted chat', [200], question);
  expectIn('the address of a redacted chat', answer.text, `to ${address} today, and once more to ${address}`);
}

export async function streamRedacted({ proxies }: World): Promise<void> {
  const address = `${newText().mark}@house.example`;
  const question = openai(`Write to ${address} today.`, { stream: true });
  const answer = await callFor(proxies.llm, 'a redacted stream', [200], question);
  expectIn('the address of a redacted stream', textOfStream(answer.text), `to ${address} today`);
}

export const askOpenai = openai;
