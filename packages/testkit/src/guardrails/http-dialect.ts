import { at, firstBroken, hasBearer, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

/** An endpoint that speaks what the generic adapter speaks unless it is told otherwise. */
export const httpDialect: GuardrailDialect = {
  type: 'http',
  access: (url) => ({ config: { url: `${url}/check` }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && request.path === '/check', 'no such endpoint'],
      [hasBearer(request), 'invalid key'],
      [typeof at(body, 'text') === 'string', 'text is missing'],
      [at(body, 'direction') === 'request' || at(body, 'direction') === 'response', 'direction is missing'],
    ]),
  readText: (body) => String(at(body, 'text')),
  answer: (flagged) => ({
    flagged,
    score: flagged ? 0.75 : 0.02,
    categories: flagged ? { weapons: 0.75, other: 0.1 } : {},
    rationale: flagged ? 'It asks for something that the house does not want' : null,
  }),
};
