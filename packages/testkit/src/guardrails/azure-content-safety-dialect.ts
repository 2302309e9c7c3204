import type { RecordedRequest } from '../loopback-peer.ts';
import { at, firstBroken, listOf, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

const maxCharacters = 10_000;

const operationOf = ({ path }: Pick<RecordedRequest, 'path'>): string | undefined =>
  /^\/contentsafety\/text:(analyze|shieldPrompt)\?api-version=2024-09-01$/.exec(path)?.[1];

const shieldTexts = (body: unknown): readonly string[] =>
  [at(body, 'userPrompt'), ...listOf(at(body, 'documents'))].filter((text) => typeof text === 'string');

const isAnalysis = (body: unknown): boolean =>
  typeof at(body, 'text') === 'string' &&
  at(body, 'outputType') === 'EightSeverityLevels' &&
  listOf(at(body, 'categories')).length > 0;

export const azureContentSafetyDialect: GuardrailDialect = {
  type: 'azure_content_safety',
  access: (url) => ({ config: { base_url: url }, credentials: { api_key: peerKey } }),
  check(request, body) {
    const operation = operationOf(request);
    const isShield = operation === 'shieldPrompt';
    const text = isShield ? shieldTexts(body).join('') : String(at(body, 'text'));
    return firstBroken([
      [request.method === 'POST' && operation !== undefined, 'Resource not found'],
      [request.headers['ocp-apim-subscription-key'] === peerKey, 'Access denied due to invalid subscription key'],
      [isShield ? shieldTexts(body).length > 0 : isAnalysis(body), 'InvalidRequestBody'],
      [text.length <= maxCharacters, `The text is longer than ${maxCharacters}`],
    ]);
  },
  readText: (body) => (at(body, 'text') === undefined ? shieldTexts(body).join('\n\n') : String(at(body, 'text'))),
  answer: (flagged, request) =>
    operationOf(request) === 'analyze'
      ? {
          blocklistsMatch: [],
          categoriesAnalysis: [
            { category: 'Hate', severity: 0 },
            { category: 'Violence', severity: flagged ? 6 : 1 },
          ],
        }
      : { userPromptAnalysis: { attackDetected: flagged }, documentsAnalysis: [] },
};
