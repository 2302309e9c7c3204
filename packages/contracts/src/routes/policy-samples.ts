import { Type, type Static } from 'typebox';
import { Count, Exact, Name, Nullable, Timestamp, optional } from '../fields.ts';
import { policyActions, policyTypes, textOrigins } from '../policy-file.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Policies');

const ByName = Exact({ name: { ...Name, description: 'Name or id' } });

const maxSamples = 100;
/** Characters of the samples of a policy together. */
export const maxSampleCharacters = 200_000;

const sampleVerdicts = [...policyActions, 'pass'] as const;

export const PolicySample = Exact(
  {
    name: Name,
    text: Type.String({ minLength: 1, maxLength: 20_000 }),
    expected: Type.Enum(sampleVerdicts, { description: 'What the policy is to do with the text' }),
    ...optional({
      direction: Type.Enum(['request', 'response'], { default: 'request' }),
      protocol: Type.Enum(
        policyTypes.filter((type) => type !== 'both'),
        { description: 'That of the policy unless given; llm where it has both' },
      ),
      origin: Type.Enum(textOrigins, { description: 'Where the text comes from; without it all rules read it' }),
    }),
  },
  { title: 'PolicySample' },
);
export type PolicySample = Static<typeof PolicySample>;

const SampleResult = Exact(
  {
    name: Name,
    expected: Type.Enum(sampleVerdicts),
    actual: Type.Enum(sampleVerdicts),
    passed: Type.Boolean(),
    rules: Type.Array(Type.String(), { description: 'Ids of the rules that found something' }),
  },
  { title: 'SampleResult' },
);

export const SampleRun = Exact(
  {
    total: Count,
    failed: Count,
    results: Type.Array(SampleResult, { description: 'Those that failed first' }),
  },
  { title: 'SampleRun', description: 'What a policy did with its samples' },
);
export type SampleRun = Static<typeof SampleRun>;

const SampleSet = Exact(
  {
    samples: Type.Array(PolicySample),
    updated_at: Nullable(Timestamp),
    updated_by: Nullable(Type.String()),
  },
  { title: 'PolicySamples' },
);
export type SampleSet = Static<typeof SampleSet>;

export const listPolicySamples = routes.define({
  method: 'GET',
  path: '/policies/:name/samples',
  role: 'viewer',
  summary: 'List the samples of a policy: texts, and what it is to do with them',
  parts: { params: ByName, response: SampleSet },
  errors: ['not_found'],
});

export const replacePolicySamples = routes.define({
  method: 'PUT',
  path: '/policies/:name/samples',
  role: 'admin',
  summary: 'Replace the samples of a policy, and run them; they run at every save of it from then on',
  parts: {
    params: ByName,
    body: Exact({
      samples: Type.Array(PolicySample, {
        maxItems: maxSamples,
        description: `At most ${maxSampleCharacters} characters in all, each name once`,
      }),
    }),
    response: Exact({ samples: SampleSet, run: SampleRun }),
  },
  errors: ['not_found'],
  audit: 'policy.samples.updated',
});

export const runPolicySamples = routes.define({
  method: 'POST',
  path: '/policies/:name/samples/run',
  role: 'operator',
  summary: 'Run the samples of a policy on it, or on a document that is to replace it',
  bodyOptional: true,
  parts: {
    params: ByName,
    body: Exact(optional({ document: Type.Record(Type.String(), Type.Unknown(), { description: 'A policy file' }) })),
    response: SampleRun,
  },
  errors: ['not_found'],
  audit: { none: 'it changes nothing' },
});
