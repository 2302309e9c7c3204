import { holdsTokens, property } from '@portcullis/core/json/json-value';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Dialect, EventReading } from '../shared/dialect.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { fillField, joinText } from '../shared/add-system-text.ts';
import { collectDeltas, collectWhole, readRaw } from '../shared/event-texts.ts';
import { ollamaChat } from './chat.ts';
import { readOllamaUsage } from '../usage/ollama-usage.ts';

/** Into `system`; a raw prompt is read without it, so there it stands in front of the prompt. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (property(body, 'raw') !== true) {
    const filled = fillField(source, body, 'system', text);
    return filled ?? joinText(source, { path: ['system'], content: property(body, 'system') }, text, at);
  }
  const prompt = property(body, 'prompt');
  if (at === 'end' || typeof prompt !== 'string') return undefined;
  const changes = new JsonChanges();
  changes.set(['prompt'], false, `${text}\n\n${prompt}`);
  return spliceJson(source, changes);
};

/** Ollama's completion of a prompt. https://docs.ollama.com/api/generate */
export const ollamaGenerate: Dialect = {
  ...ollamaChat,
  name: 'ollama-generate',
  requestSources: createRequestSources({ system: ['system', 'template'], tools: ['format'], turns: 'messages' }),
  readRoles: (body) => {
    if (typeof body !== 'object' || body === null) return undefined;
    return holdsTokens(property(body, 'context')) ? ['assistant', 'user'] : ['user'];
  },
  addSystemText,
  // The conversation so far, as an earlier answer told it.
  holdsTokens: (body) => holdsTokens(property(body, 'context')),
  // A template of the client's own may leave the system prompt out.
  promptFields: ['template'],

  readEvent(data): EventReading {
    if (typeof data !== 'object' || data === null) return readRaw(data);
    const texts: StreamText[] = [];
    const { response, thinking, ...rest } = data as Readonly<Record<string, unknown>>;
    const pieces = { ...(response !== undefined && { response }), ...(thinking !== undefined && { thinking }) };
    collectDeltas(pieces, 'generated', [], texts);
    collectWhole(rest, [], texts);
    return { texts, usage: readOllamaUsage(data), terminal: property(data, 'done') === true };
  },
};
