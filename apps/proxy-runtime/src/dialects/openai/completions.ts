import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import { everythingUser } from '../origins/request-sources.ts';
import { holdsTokens, property } from '@portcullis/core/json/json-value';
import { openaiChat } from './chat.ts';
import type { Dialect } from '../shared/dialect.ts';

/** The places of the prompts: one text, or a list of them. Tokens are no text. */
function findPrompts(body: unknown): readonly { readonly path: readonly (string | number)[]; readonly text: string }[] {
  const prompt = property(body, 'prompt');
  if (typeof prompt === 'string') return [{ path: ['prompt'], text: prompt }];
  if (!Array.isArray(prompt) || !prompt.every((text) => typeof text === 'string')) return [];
  return prompt.map((text, index) => ({ path: ['prompt', index], text }));
}

/** This dialect has no place but the beginning of the text that is to be completed. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  const prompts = findPrompts(body);
  if (at === 'end' || prompts.length === 0) return undefined;
  const changes = new JsonChanges();
  for (const prompt of prompts) changes.set(prompt.path, false, `${text}\n\n${prompt.text}`);
  return spliceJson(source, changes);
};

/** OpenAI completions, the older dialect, which continues a text. Streams and figures are as those of chat. */
export const openaiCompletions: Dialect = {
  ...openaiChat,
  name: 'openai-completions',
  requestSources: () => everythingUser,
  readRoles: (body) => (property(body, 'prompt') === undefined ? undefined : ['user']),
  addSystemText,
  holdsTokens: (body) => holdsTokens(property(body, 'prompt')),
  promptFields: ['echo', ...(openaiChat.promptFields ?? [])],
};
