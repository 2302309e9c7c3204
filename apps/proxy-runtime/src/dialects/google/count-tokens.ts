import { property } from '@portcullis/core/json/json-value';
import { nonInference } from '../any/non-inference.ts';
import type { Dialect } from '../shared/dialect.ts';
import { sourcesWithin } from '../origins/request-sources.ts';
import { gemini } from './generate-content.ts';

/** It holds turns, or a whole request as it would be sent. */
export const geminiCount: Dialect = {
  ...nonInference(gemini),
  requestSources: (body) =>
    property(body, 'generateContentRequest') === undefined
      ? gemini.requestSources(body)
      : sourcesWithin(['generateContentRequest'], gemini.requestSources)(body),
};
