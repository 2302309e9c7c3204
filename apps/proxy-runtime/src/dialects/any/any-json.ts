import { answerSources } from '../origins/answer-sources.ts';
import { readAnyModel } from './any-model.ts';
import { anyRequestSources } from './any-sources.ts';
import { readAnyUsage } from '../usage/any-usage.ts';
import { collectDeltas } from '../shared/event-texts.ts';
import { anyKeys } from '../shared/known-keys.ts';
import { renderOpenaiError, renderOpenaiStreamError } from '../shared/render-openai-error.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, Dialect } from '../shared/dialect.ts';

/**
 * Traffic of no known dialect: texts are found wherever they stand and errors look like OpenAI's,
 * the shape most clients can read.
 */
export const anyJson: Dialect = {
  name: 'any-json',
  bodies: 'any',
  keys: anyKeys,
  readModel: readAnyModel,
  readCalls: () => [],
  requestSources: anyRequestSources,
  answerSources,
  readRoles: () => undefined,
  addSystemText: () => undefined,
  readUsage: readAnyUsage,

  readEvent(data): EventReading {
    const texts: StreamText[] = [];
    collectDeltas(data, 'event', [], texts);
    return { texts, usage: readAnyUsage(data), terminal: data === '[DONE]' };
  },

  renderNativeError: renderOpenaiError,
  renderStreamError: renderOpenaiStreamError,
};
