import { at, firstBroken, hasBearer, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

const safety = '/v3/guardrails/ftl-safety';
const personalData = '/v3/guardrails/sensitive-information';

const calm = {
  fdl_harmful: 0.01,
  fdl_violent: 0.01,
  fdl_unethical: 0.02,
  fdl_illegal: 0.01,
  fdl_sexual: 0,
  fdl_racist: 0,
  fdl_jailbreaking: 0.03,
  fdl_harassing: 0.01,
  fdl_hateful: 0,
  fdl_sexist: 0,
  fdl_roleplaying: 0.1,
};

export const fiddlerDialect: GuardrailDialect = {
  type: 'fiddler',
  access: (url) => ({ config: { base_url: url }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && [safety, personalData].includes(request.path), 'no such endpoint'],
      [hasBearer(request), 'Unauthorized'],
      [typeof at(at(body, 'data'), 'input') === 'string', 'data.input is missing'],
      [request.path === safety || at(at(body, 'data'), 'entity_categories') === 'PII', 'unknown entity_categories'],
    ]),
  readText: (body) => String(at(at(body, 'data'), 'input')),
  answer: (flagged, { path }) =>
    path === personalData
      ? { fdl_sensitive_information_scores: [{ score: 0.4, label: 'person', start: 0, end: 2, text: 'Hi' }] }
      : { ...calm, ...(flagged && { fdl_violent: 0.93 }) },
};
