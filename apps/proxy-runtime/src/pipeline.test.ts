import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { quietParts } from '../test/quiet-parts.ts';
import { createPipeline } from './pipeline.ts';

const pipeline = createPipeline({
  buckets: createInProcessBuckets(),
  localBuckets: createInProcessBuckets(),
  maxBodyBytes: 1,
  analyser: undefined,
  ...quietParts(),
});

test('the order is the specified one', () => {
  expect(pipeline.request.map(({ name }) => name)).toEqual([
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
    'follow-session',
    'check-headers',
    'follow-state',
    'check-tools',
    'inject-prompt',
    'inspect-request',
    'ask-guardrails',
    'plant-canary',
    'ask-for-usage',
    'reserve-budget',
  ]);
  expect(pipeline.response.map(({ name }) => name)).toEqual([
    'hide-prompt',
    'point-endpoint',
    'filter-tools',
    'inspect-response',
    'judge-response',
    'seal-state',
    'watch-canaries',
  ]);
  expect(pipeline.settle.map(({ name }) => name)).toEqual([
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
    'free-slot',
  ]);
});

test('the columns that the file shows beside each stage are true', () => {
  const source = readFileSync(join(import.meta.dirname, 'pipeline.ts'), 'utf8');
  const shown = [...source.matchAll(/^ {4}\S[^/\n]*, +\/\/ (llm|   )(?: (mcp|   ))? *(deny|degrade|allow)?/gm)].map(
    (row) => ({
      on: [row[1], row[2]].filter((column) => column?.trim()),
      onFault: row[3],
    }),
  );
  const rows = [...pipeline.request, ...pipeline.response, ...pipeline.settle];
  expect(shown).toEqual(rows.map((row) => ({ on: row.on, onFault: 'onFault' in row ? row.onFault : undefined })));
});

test('no stage that protects lets traffic pass when it breaks', () => {
  const open = pipeline.request.filter(({ onFault }) => onFault !== 'deny').map(({ name }) => name);
  expect(open).toEqual([
    'check-budget',
    'limit-rate',
    'limit-concurrency',
    'inject-prompt',
    'plant-canary',
    'ask-for-usage',
    'reserve-budget',
  ]);
});
