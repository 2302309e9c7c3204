import { expect, test } from '@jest/globals';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { unusedParts } from '../test/unused-parts.ts';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { createPipeline } from './pipeline.ts';

const pipeline = createPipeline({
  limits: { shared: createInProcessBuckets(), local: createInProcessBuckets() },
  maxBodyBytes: 1,
  bodyMemory: new FairShare(1),
  analyser: undefined,
  ...unusedParts(),
});

test('the order is the specified one', () => {
  expect(pipeline.request.map(({ stage }) => stage.name)).toEqual([
    'check-framing',
    'check-origin',
    'identify',
    'check-group',
    'check-access',
    'check-budget',
    'limit-rate',
    'limit-concurrency',
    'follow-endpoint',
    'parse',
    'check-messages',
    'check-keys',
    'check-models',
    'follow-session',
    'find-session',
    'check-headers',
    'follow-state',
    'follow-tasks',
    'check-tools',
    'inject-prompt',
    'inspect-request',
    'check-methods',
    'ask-guardrails',
    'plant-canary',
    'ask-for-usage',
    'reserve-budget',
  ]);
  expect(pipeline.response.map(({ stage }) => stage.name)).toEqual([
    'hide-prompt',
    'point-endpoint',
    'filter-tools',
    'inspect-response',
    'judge-response',
    'seal-state',
    'seal-tasks',
    'watch-canaries',
    'note-answer',
  ]);
  expect(pipeline.settle.map(({ stage }) => stage.name)).toEqual([
    'meter',
    'settle-budget',
    'raise-alerts',
    'record-tools',
    'record-guardrails',
    'analyse-traffic',
    'audit-refusal',
    'audit-prompts',
    'record-canaries',
    'record',
    'record-content',
    'free-slot',
    'free-body',
  ]);
});

test('no stage that protects lets traffic pass when it breaks', () => {
  const open = pipeline.request.filter(({ onFault }) => onFault !== 'deny').map(({ stage }) => stage.name);
  expect(open).toEqual([
    'check-budget',
    'limit-rate',
    'limit-concurrency',
    'find-session',
    'plant-canary',
    'ask-for-usage',
    'reserve-budget',
  ]);
});
