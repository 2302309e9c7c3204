import { at, firstBroken, hasBearer, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

const harmless = { violence: 0.001, 'self-harm': 0.0001, 'harassment/threatening': 0.002 };

export const openaiModerationDialect: GuardrailDialect = {
  type: 'openai_moderation',
  access: (url) => ({ config: { base_url: `${url}/v1/` }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && request.path === '/v1/moderations', 'no such endpoint'],
      [hasBearer(request), 'Incorrect API key provided'],
      [at(body, 'model') === 'omni-moderation-latest', 'model is missing'],
      [typeof at(body, 'input') === 'string' && at(body, 'input') !== '', 'input is missing'],
    ]),
  readText: (body) => String(at(body, 'input')),
  answer: (flagged) => ({
    id: 'modr-1',
    model: 'omni-moderation-latest',
    results: [
      {
        flagged,
        categories: { violence: flagged, 'self-harm': false, 'harassment/threatening': false },
        category_scores: flagged ? { ...harmless, violence: 0.92 } : harmless,
        category_applied_input_types: { violence: flagged ? ['text'] : [] },
      },
    ],
  }),
};
