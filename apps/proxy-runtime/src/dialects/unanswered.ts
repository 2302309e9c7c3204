import { sourcesWithin } from './origins/request-sources.ts';
import { anthropicMessages } from './anthropic/messages.ts';
import { anyJson } from './any/any-json.ts';
import { gemini } from './google/generate-content.ts';
import { property } from '@portcullis/core/json/json-value';
import { openaiResponses } from './openai/responses.ts';
import type { Dialect } from './dialect.ts';

/*
 * Requests with the body of a conversation that no model goes on with: its tokens are counted, it is kept, or made
 * shorter. Their texts are by the same people; otherwise they are traffic of no dialect.
 */

const like = ({ requestSources, renderNativeError }: Dialect): Dialect => ({
  ...anyJson,
  bodies: 'json',
  requestSources,
  renderNativeError,
});

export const anthropicCount = like(anthropicMessages);
export const openaiCount = like(openaiResponses);
export const geminiKept = like(gemini);

/** It holds turns, or a whole request as it would be sent. */
export const geminiCount: Dialect = {
  ...geminiKept,
  requestSources: (body) =>
    property(body, 'generateContentRequest') === undefined
      ? gemini.requestSources(body)
      : sourcesWithin(['generateContentRequest'], gemini.requestSources)(body),
};
