import { insertJson } from '@portcullis/core/json/insert-json';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { fillField } from '../shared/add-system-text.ts';
import { denialSentence } from '../shared/denial-sentence.ts';
import { collectDeltas, collectWhole, listNamed, markSigned, readRaw } from '../shared/event-texts.ts';
import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { llmKeys } from '../shared/known-keys.ts';
import { readGeminiModel } from '../shared/model-in-path.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, RenderedDenial, Dialect } from '../shared/dialect.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readGeminiUsage } from '../usage/gemini-usage.ts';

/** Into the system instruction. A request on a cached content may have none beside it. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (!Array.isArray(property(body, 'contents')) || textProperty(body, 'cachedContent') !== undefined) return undefined;
  const field = property(body, 'system_instruction') === undefined ? 'systemInstruction' : 'system_instruction';
  const filled = fillField(source, body, field, { parts: [{ text }] });
  return filled ?? insertJson(source, { into: [field, 'parts'], at, member: JSON.stringify({ text }) });
};

/** What a candidate says and what it thinks run through all events; calls come whole. */
const readCandidateTexts = (candidate: unknown, place: number, into: StreamText[]): void => {
  const channel = `candidate${countProperty(candidate, 'index')}`;
  const content = property(candidate, 'content');
  const parts = listNamed(content, 'parts');
  collectWhole(candidate, ['candidates', place], into, parts && 'content');
  if (parts === undefined) return;
  collectWhole(content, ['candidates', place, 'content'], into, parts);
  for (const [index, part] of listProperty(content, parts).entries()) {
    const at = ['candidates', place, 'content', 'parts', index];
    const kind = property(part, 'thought') === true ? 'thought' : 'part';
    collectDeltas(part, `${channel}.${kind}`, at, into, 'thoughtSignature');
    const from = into.length;
    collectWhole(property(part, 'thoughtSignature'), [...at, 'thoughtSignature'], into);
    markSigned(into, from);
  }
};

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  504: 'DEADLINE_EXCEEDED',
};

const renderError = (denial: RenderedDenial) => ({
  error: {
    code: denial.status,
    message: denialSentence(denial),
    status: statusNames[denial.status] ?? 'UNAVAILABLE',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: denial.code,
        domain: 'portcullis',
        metadata: { request_id: denial.requestId },
      },
    ],
  },
});

/** Gemini's generateContent, and its stream as events (`alt=sse`) or as one JSON list. Nothing but its end ends a stream. */
export const gemini: Dialect = {
  name: 'gemini',
  provider: 'google',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (_body, path) => readGeminiModel(path),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: ['systemInstruction', 'system_instruction'],
    tools: ['tools', 'toolConfig', 'tool_config', 'generationConfig', 'generation_config'],
    turns: 'contents',
  }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'contents'),
  addSystemText,
  readUsage: readGeminiUsage,
  listIsStream: true,

  readEvent(data): EventReading {
    if (typeof data !== 'object') return readRaw(data);
    const texts: StreamText[] = [];
    collectWhole(data, [], texts, listNamed(data, 'candidates'));
    for (const [place, candidate] of listProperty(data, 'candidates').entries())
      readCandidateTexts(candidate, place, texts);
    return { texts, usage: readGeminiUsage(data), terminal: false };
  },

  keyHeader: 'x-goog-api-key',
  renderNativeError: renderError,
  renderStreamError(denial, form) {
    const error = JSON.stringify({ ...renderError(denial), candidates: [renderLastCandidate(denial)] });
    return form === 'list' ? `,\r\n${error}\r\n]` : `data: ${error}\r\n\r\n`;
  },
};

/** Several clients know no errors within a stream and would take what they have for the whole answer. */
const renderLastCandidate = (denial: RenderedDenial) => ({
  index: 0,
  content: { role: 'model', parts: [] },
  finishReason: denial.code === 'POLICY_VIOLATION' ? 'SAFETY' : 'OTHER',
  finishMessage: denialSentence(denial),
});
