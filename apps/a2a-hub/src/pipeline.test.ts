import { expect, test } from '@jest/globals';
import { quietHubParts } from '../test/quiet-hub-parts.ts';
import { createPipeline } from './pipeline.ts';

const pipeline = createPipeline(quietHubParts());

test('who calls, and how often, is looked at before anything goes to an agent', () => {
  expect(pipeline.request.map(({ stage }) => stage.name)).toEqual([
    'identify',
    'check-group',
    'check-hops',
    'parse',
    'find-agent',
    'check-access',
    'limit-rate',
    'limit-calls',
    'find-task',
    'check-parts',
    'inspect-request',
    'recall-message',
  ]);
  expect(pipeline.response.map(({ stage }) => stage.name)).toEqual(['check-parts', 'inspect-response']);
  expect(pipeline.settle.map(({ stage }) => stage.name)).toEqual([
    'raise-alerts',
    'tell-foreign-tasks',
    'tell-downgrade',
    'audit-refusal',
    'audit-invocation',
    'record',
    'free-call',
    'free-body',
  ]);
});

test('no stage that protects lets a call pass when it breaks', () => {
  const open = pipeline.request.filter(({ onFault }) => onFault !== 'deny').map(({ stage }) => stage.name);
  expect(open).toEqual(['limit-rate', 'limit-calls']);
});
