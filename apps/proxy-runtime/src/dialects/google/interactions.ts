import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Dialect, EventReading } from '../shared/dialect.ts';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { fillField, joinText } from '../shared/add-system-text.ts';
import { denialSentence } from '../shared/denial-sentence.ts';
import { collectDeltas, collectWhole, markSigned, readRaw } from '../shared/event-texts.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { gemini } from './generate-content.ts';
import { readInteractionUsage } from '../usage/interactions-usage.ts';

/** An interaction goes on with one that the provider keeps. */
const readRoles: Dialect['readRoles'] = (body) => {
  const input = property(body, 'input');
  if (input === undefined) return undefined;
  const roles = readTurnRoles(body, 'input') ?? ['user'];
  return textProperty(body, 'previous_interaction_id') === undefined ? roles : ['assistant', ...roles];
};

/** Into the field `system_instruction`, which is kept with no interaction and so is sent with each. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (readRoles(body) === undefined || textProperty(body, 'cached_content') !== undefined) return undefined;
  const filled = fillField(source, body, 'system_instruction', text);
  const content = property(body, 'system_instruction');
  return filled ?? joinText(source, { path: ['system_instruction'], content }, text, at);
};

export const findInteractionEchoes = (value: unknown): readonly JsonPath[] => [
  ...(property(value, 'system_instruction') === undefined ? [] : [['system_instruction']]),
  ...(property(property(value, 'interaction'), 'system_instruction') === undefined
    ? []
    : [['interaction', 'system_instruction']]),
];

/**
 * Google's Interactions: https://ai.google.dev/api/interactions-api, its events as `@google/genai` 3.1 declares them; older
 * revisions call steps contents.
 */
export const geminiInteractions: Dialect = {
  ...gemini,
  name: 'gemini-interactions',
  readModel: (body) => textProperty(body, 'model') ?? textProperty(body, 'agent'),
  requestSources: createRequestSources({
    system: ['system_instruction'],
    tools: ['tools', 'generation_config', 'response_format', 'agent_config'],
    turns: 'input',
  }),
  answerSources,
  readRoles,
  addSystemText,
  readUsage: readInteractionUsage,
  listIsStream: false,
  findEchoes: findInteractionEchoes,
  readInstructions: (body) => property(body, 'system_instruction') ?? null,

  readEvent(data): EventReading {
    if (data === '[DONE]') return { texts: [], usage: undefined, terminal: true };
    if (typeof data !== 'object') return readRaw(data);
    if (!(textProperty(data, 'event_type') ?? '').endsWith('.delta')) {
      const interaction = property(data, 'interaction');
      return { texts: 'complete', usage: readInteractionUsage(interaction), terminal: false };
    }
    const texts: StreamText[] = [];
    const delta = property(data, 'delta');
    const kind = textProperty(delta, 'type') ?? '';
    // Clients put the texts of all steps together.
    const channel = kind === 'text' ? 'steps' : `step${countProperty(data, 'index')}.${kind}`;
    collectDeltas(delta, channel, ['delta'], texts);
    if (kind.startsWith('thought')) markSigned(texts, 0);
    collectWhole(data, [], texts, 'delta');
    return { texts, usage: undefined, terminal: false };
  },

  renderStreamError(denial) {
    const error = { code: denial.code.toLowerCase(), message: denialSentence(denial) };
    return `event: error\ndata: ${JSON.stringify({ event_type: 'error', error })}\n\n`;
  },
};
