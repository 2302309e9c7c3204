import { describe, expect, test } from '@jest/globals';
import {
  completeGuardrailConfig,
  type GuardrailConfig,
  type RemoteGuardrailType,
} from '@portcullis/contracts/guardrail-config';
import type { GuardrailAccess } from './guardrail-adapter.ts';
import { findAdapter } from './find-adapter.ts';
import { splitQuestion, type GuardrailQuestion } from './guardrail-question.ts';
import { mergeResults } from '../merge-results.ts';

const accessOf = (type: RemoteGuardrailType, config: object = {}, credentials: object = {}) =>
  ({ config: completeGuardrailConfig(type, { ...config }), credentials }) as GuardrailAccess<RemoteGuardrailType>;

const read = (type: RemoteGuardrailType, answer: unknown, config: object = {}) =>
  findAdapter(type).readAnswer(accessOf(type, config), answer);

const build = (
  type: RemoteGuardrailType,
  question: Partial<GuardrailQuestion>,
  config: object = {},
  credentials = {},
) =>
  findAdapter(type)
    .buildRequests(
      accessOf(type, config, credentials),
      { direction: 'request', messages: [{ role: 'user', text: 'Hi' }], ...question },
      new Date('2026-01-02T03:04:05.678Z'),
    )
    .map((request) => ({ ...request, body: JSON.parse(request.body) as Record<string, unknown> }));

describe('safety models that answer JSON', () => {
  const json: Partial<GuardrailConfig<'llama_guard'>> = { answer_format: 'json', policy: 'Answer JSON.' };
  const said = (content: string) => read('llama_guard', { choices: [{ message: { content } }] }, json);

  test.each([
    [
      '{"violation":1,"policy_category":"S3","rationale":"why","confidence":"high"}',
      { flagged: true, categories: ['S3'], confidence: 0.9, rationale: 'why', scores: { S3: 0.9 } },
    ],
    ['```json\n{"violation": false}\n```', { flagged: false, categories: [], confidence: null }],
    ['{"violation":"1","violated_categories":["a","b"]}', { flagged: true, categories: ['a', 'b'], confidence: null }],
    ['{"violation":true,"confidence":7}', { flagged: true, confidence: 1 }],
  ])('%s', (content, reading) => expect(said(content)).toMatchObject(reading));

  test.each(['I cannot say', '{"violation":"maybe"}', '{"violation":1', ''])('%j is no answer', (content) =>
    expect(() => said(content)).toThrow(/^The answer/),
  );

  test('get the policy as the system message, and one turn to judge', () => {
    const question = { direction: 'response', messages: [{ role: 'assistant', text: 'Yes' }], prompt: 'Hm?' } as const;
    const [asked] = build('llama_guard', question, { ...json, reasoning_effort: 'low' });
    expect(asked?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Answer JSON.' },
        { role: 'user', content: 'Yes' },
      ],
      reasoning_effort: 'low',
      temperature: 0,
    });
  });
});

test('a llama guard judges an answer after its prompt', () => {
  const question = { direction: 'response', messages: [{ role: 'assistant', text: 'Yes' }] } as const;
  const turns = (prompt?: string) => build('llama_guard', { ...question, prompt })[0]?.body['messages'];
  expect(turns('Hm?')).toEqual([
    { role: 'user', content: 'Hm?' },
    { role: 'assistant', content: 'Yes' },
  ]);
  expect(turns()).toMatchObject([{ content: '(not shown)' }, { content: 'Yes' }]);
  expect(() => read('llama_guard', { choices: [{ message: { content: 'unsafety first' } }] })).toThrow(
    'begins neither',
  );
});

describe('bedrock', () => {
  const assessed = (assessment: object, action = 'GUARDRAIL_INTERVENED') =>
    read('bedrock', { action, assessments: [assessment] });

  test('tells what was found and what was merely seen, and never the text that matched', () => {
    const reading = assessed({
      wordPolicy: { customWords: [{ match: 'secret word', action: 'BLOCKED' }] },
      sensitiveInformationPolicy: {
        piiEntities: [{ match: 'amy@house.example', type: 'EMAIL', action: 'ANONYMIZED' }],
        regexes: [{ name: 'badge', match: 'B-77', action: 'NONE', detected: true }],
      },
      contextualGroundingPolicy: { filters: [{ type: 'GROUNDING', threshold: 0.7, score: 0.2, action: 'BLOCKED' }] },
    });
    expect(reading).toMatchObject({
      flagged: true,
      categories: ['word', 'pii:EMAIL', 'grounding:GROUNDING'],
      scores: { word: 1, 'pii:EMAIL': 1, 'regex:badge': 1, 'grounding:GROUNDING': 0.8 },
      confidence: 1,
    });
    expect(JSON.stringify(reading)).not.toMatch(/secret word|amy|B-77/);
  });

  test('that only detects flags nothing', () => {
    const filters = [{ type: 'HATE', confidence: 'HIGH', action: 'NONE', detected: true }];
    expect(assessed({ contentPolicy: { filters } }, 'NONE')).toMatchObject({
      flagged: false,
      categories: [],
      scores: { 'content:HATE': 1 },
      confidence: null,
    });
  });

  test('is reached in its region, with a signature of the day', () => {
    const keys = { access_key_id: 'AKID', secret_access_key: 's3cret' };
    const [asked] = build('bedrock', {}, { region: 'us-east-2', guardrail_id: 'gr1' }, keys);
    expect(asked?.url).toBe('https://bedrock-runtime.us-east-2.amazonaws.com/guardrail/gr1/version/DRAFT/apply');
    expect(asked?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/20260102\/us-east-2\/bedrock\//,
    );
    expect(asked?.headers).toMatchObject({ 'x-amz-date': '20260102T030405Z' });
    expect(JSON.stringify(asked)).not.toContain('s3cret');
  });
});

describe('azure', () => {
  const severities = {
    categoriesAnalysis: [
      { category: 'Hate', severity: 3 },
      { category: 'Violence', severity: 5 },
    ],
  };

  test('is flagged from the threshold on', () => {
    expect(read('azure_content_safety', severities)).toMatchObject({ categories: ['Violence'], confidence: 5 / 7 });
    expect(read('azure_content_safety', severities, { severity_threshold: 6 })).toMatchObject({ flagged: false });
    expect(read('azure_content_safety', severities, { severity_threshold: 3 })).toMatchObject({
      categories: ['Hate', 'Violence'],
    });
  });

  test('names block lists, and not what stood in them', () => {
    const answer = { categoriesAnalysis: [], blocklistsMatch: [{ blocklistName: 'own', blocklistItemText: 'word' }] };
    const reading = read('azure_content_safety', answer);
    expect(reading).toMatchObject({ flagged: true, categories: ['blocklist:own'], confidence: 1 });
    expect(JSON.stringify(reading)).not.toContain('"word"');
  });

  test('is shown results of tools as documents, and no answers', () => {
    const messages = [
      { role: 'user', text: 'Read it' },
      { role: 'tool', text: 'page' },
    ] as const;
    const config = { base_url: 'https://house.example/', blocklists: ['own'] };
    const [analysis, shield] = build('azure_content_safety', { messages }, config);
    expect(analysis?.body).toMatchObject({ text: 'Read it\n\npage', blocklistNames: ['own'] });
    expect(shield?.body).toEqual({ userPrompt: 'Read it', documents: ['page'] });
    expect(build('azure_content_safety', { direction: 'response' }, config)).toHaveLength(1);
    const attack = { documentsAnalysis: [{ attackDetected: false }, { attackDetected: true }] };
    expect(read('azure_content_safety', attack)).toMatchObject({ categories: ['document_attack'], confidence: null });
  });
});

test('lakera tells how sure it is where it does', () => {
  const breakdown = [
    { detector_type: 'pii', detected: true, result: 'l2_very_likely' },
    { detector_type: 'prompt_attack', detected: false, result: 'l5_unlikely' },
  ];
  expect(read('lakera', { flagged: true, breakdown })).toMatchObject({
    categories: ['pii'],
    scores: { pii: 0.8, prompt_attack: 0.2 },
    confidence: 0.8,
  });
});

describe('any endpoint', () => {
  test.each([
    [{ flagged: true }, true],
    [{ flagged: 0.5 }, true],
    [{ flagged: 0.49 }, false],
    [{ flagged: ' BLOCKED ' }, true],
    [{ flagged: 'allow' }, false],
  ])('%j', (answer, flagged) => expect(read('http', answer)).toMatchObject({ flagged }));

  test.each<unknown>([{ flagged: 'perhaps' }, { flagged: null }, {}, null, 'unsafe', { constructor: true }])(
    '%j is no answer',
    (answer) => expect(() => read('http', answer)).toThrow('The answer has no verdict at flagged'),
  );

  test('reads a flag as what it means', () => {
    const passed = { verdict_path: 'validationPassed', flag_means: 'safe' };
    expect(read('http', { validationPassed: true }, passed)).toMatchObject({ flagged: false });
    expect(read('http', { validationPassed: false }, passed)).toMatchObject({ flagged: true });
    expect(read('http', { flagged: true })).toMatchObject({ flagged: true });
    expect(read('http', { flagged: true }, { flag_means: undefined })).toMatchObject({ flagged: true });
    expect(() => read('http', {}, passed)).toThrow('The answer has no verdict at validationPassed');
  });

  test('is told where what stands', () => {
    const paths = { verdict_path: 'results.0.label', categories_path: 'results.0.why', score_path: 'p' };
    const answer = { results: [{ label: 'deny', why: ['a', 7, 'b'] }], p: 0.4 };
    expect(read('http', answer, paths)).toMatchObject({ flagged: true, categories: ['a', 'b'], confidence: 0.4 });
  });

  test('gets the texts filled in once', () => {
    const config = {
      url: 'https://judge.example/v1',
      headers: { 'X-Team': 'red' },
      auth_header: 'X-Key',
      auth_prefix: '',
      body: { in: [{ text: '{direction}: {text}' }], n: 1 },
    };
    const messages = [{ role: 'user', text: 'say {direction}' }] as const;
    const [asked] = build('http', { messages }, config, { api_key: 'k' });
    expect(asked?.body).toEqual({ in: [{ text: 'request: say {direction}' }], n: 1 });
    expect(asked?.headers).toMatchObject({ 'x-team': 'red', 'x-key': 'k' });
  });
});

test('what providers say is bounded, and one unknown confidence leaves the whole unknown', () => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}${'n'.repeat(200)}`);
  const reading = {
    flagged: true,
    categories: names,
    scores: {},
    confidence: 0.4,
    rationale: 'r'.repeat(9_000),
    tokens: 3,
  };
  const merged = mergeResults([reading, { ...reading, confidence: null }]);
  expect([merged.categories.length, merged.rationale?.length, merged.tokens]).toEqual([50, 2_000, 6]);
  expect(merged.categories[0]).toHaveLength(100);
  expect(merged.confidence).toBeNull();
  expect(mergeResults([reading, { ...reading, flagged: false, confidence: null }]).confidence).toBe(0.4);
});

test('pieces cover the whole question in order', () => {
  const messages = [
    { role: 'user', text: 'a'.repeat(300) },
    { role: 'tool', text: 'b'.repeat(900) },
    { role: 'user', text: '' },
  ] as const;
  const { pieces, whole } = splitQuestion({ direction: 'request', messages }, 500);
  expect(whole).toBe(true);
  expect(pieces.map((piece) => piece.messages.map(({ role, text }) => [role, text.length]))).toEqual([
    [['user', 300]],
    [['tool', 500]],
    [['tool', 500]],
    [['tool', 300]],
  ]);
  expect(splitQuestion({ direction: 'request', messages: [] }, 500)).toEqual({ pieces: [], whole: true });
});

describe('dynamo ai', () => {
  const ids = { policy_ids: ['65f0c0ffee0123456789abcd'] };
  const applied = (name: string, action: string) => ({ policy: { name }, outputs: { action, message: 'why' } });

  test('tells prompts from answers', () => {
    const answer = { direction: 'response', messages: [{ role: 'assistant', text: 'Yes' }] } as const;
    expect(build('dynamoai', {}, ids)[0]?.body).toMatchObject({ textType: 'MODEL_INPUT', policyIds: ids.policy_ids });
    expect(build('dynamoai', answer, { ...ids, model_id: 'm1' })[0]?.body).toMatchObject({
      textType: 'MODEL_RESPONSE',
      modelId: 'm1',
      messages: [{ role: 'assistant', content: 'Yes' }],
    });
  });

  test.each(['BLOCK', 'REDACT', 'SANITIZE'])('%s flags for certain', (finalAction) =>
    expect(
      read('dynamoai', { finalAction, appliedPolicies: [applied('Cards', finalAction), applied('Calm', 'NONE')] }),
    ).toMatchObject({ flagged: true, categories: ['Cards'], confidence: null, rationale: 'why' }),
  );

  test('a warning flags with half the confidence, and nothing is nothing', () => {
    const warning = { finalAction: 'WARN', appliedPolicies: [applied('Tone', 'WARN')] };
    expect(read('dynamoai', warning)).toMatchObject({ flagged: true, categories: ['Tone'], confidence: 0.5 });
    expect(read('dynamoai', { finalAction: 'NONE', appliedPolicies: [] })).toMatchObject({ flagged: false });
  });

  test.each([{ finalAction: 'MAYBE' }, { finalAction: 'NONE', error: 'no model' }])('%j is no answer', (answer) =>
    expect(() => read('dynamoai', answer)).toThrow(/^The answer/),
  );
});

describe('enkrypt ai', () => {
  const said = (summary: object) => read('enkryptai', { summary });

  test.each([
    [{ toxicity: ['threat'], nsfw: 1 }, ['toxicity', 'nsfw']],
    [{ on_topic: 0 }, ['on_topic']],
    [{ something_new: 1 }, ['something_new']],
  ])('%j flags', (summary, categories) => expect(said(summary)).toMatchObject({ flagged: true, categories }));

  test.each([[{ on_topic: 1, toxicity: [] }], [{ bias: 1, sponge_attack: 1, pii: 0 }]])('%j does not', (summary) =>
    expect(said(summary)).toMatchObject({ flagged: false, categories: [] }),
  );
});

describe('fiddler', () => {
  test('asks for safety and personal data, or for safety alone', () => {
    const urls = (config: object) =>
      build('fiddler', {}, { base_url: 'https://f.example/', ...config }).map(({ url }) => url);
    expect(urls({})).toEqual([
      'https://f.example/v3/guardrails/ftl-safety',
      'https://f.example/v3/guardrails/sensitive-information',
    ]);
    expect(urls({ personal_data: false })).toHaveLength(1);
  });

  test('has a threshold for each, and keeps nothing of the text', () => {
    const config = { threshold: 0.6, personal_data_threshold: 0.8 };
    expect(read('fiddler', { fdl_illegal: 0.59, fdl_jailbreaking: 0.7 }, config)).toMatchObject({
      flagged: true,
      categories: ['jailbreaking'],
      scores: { illegal: 0.59, jailbreaking: 0.7 },
      confidence: 0.7,
    });
    const entities = [
      { label: 'email', score: 0.95, text: 'amy@house.example', start: 0, end: 17 },
      { label: 'email', score: 0.3, text: 'x', start: 20, end: 21 },
      { label: 'person', score: 0.7, text: 'Amy', start: 0, end: 3 },
    ];
    const reading = read('fiddler', { fdl_sensitive_information_scores: entities }, config);
    expect(reading).toMatchObject({ flagged: true, categories: ['pii:email'], confidence: 0.95 });
    expect(JSON.stringify(reading)).not.toContain('amy');
    expect(read('fiddler', { fdl_sensitive_information_scores: [] }, config)).toMatchObject({ flagged: false });
  });
});

test('a guard of guardrails ai says no with an answer or with status 400', () => {
  const guard = { guard: 'house guard' };
  const [asked] = build('guardrailsai', {}, guard);
  expect(asked).toMatchObject({
    url: 'http://localhost:8000/guards/house%20guard/validate',
    body: { llmOutput: 'Hi' },
  });
  expect(asked?.headers).not.toHaveProperty('authorization');
  const refusal = read('guardrailsai', { validationPassed: false }, guard);
  expect(refusal).toMatchObject({ flagged: true, categories: ['house guard'], confidence: 0.9 });
  expect(read('guardrailsai', asked?.answers?.get(400), guard)).toEqual(refusal);
  expect(read('guardrailsai', { validationPassed: true }, guard)).toMatchObject({ flagged: false, categories: [] });
});
