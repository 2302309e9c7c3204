import { at, firstBroken, hasBearer, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

export const guardrailsaiDialect: GuardrailDialect = {
  type: 'guardrailsai',
  access: (url) => ({ config: { base_url: url, guard: 'house-guard' }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && request.path === '/guards/house-guard/validate', 'no such endpoint'],
      [hasBearer(request), 'Unauthorized'],
      [typeof at(body, 'llmOutput') === 'string', 'llmOutput is missing'],
    ]),
  readText: (body) => String(at(body, 'llmOutput')),
  answer: (flagged) => ({
    callId: 'call-1',
    rawLlmOutput: 'not repeated',
    validatedOutput: flagged ? null : 'not repeated',
    validationPassed: !flagged,
  }),
};
