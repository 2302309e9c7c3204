import { expect, test } from '@jest/globals';
import { judgeGate } from './gate.ts';
import type { Percentiles } from './load-order.ts';
import type { Measured, Missing, Phase, Results } from './results.ts';

const percentiles: Percentiles = { p50Micros: 1, p99Micros: 1, maxMicros: 1 };

const phase = (cpu: number): Phase => ({
  load: {
    requests: 1,
    elapsedMs: 1,
    latency: percentiles,
    stream: { chunks: 1, firstToken: percentiles, chunkDelay: percentiles },
  },
  cpuMicros: cpu,
  mainThreadMicros: cpu,
  threadMicros: {},
});

const measured = (name: string, request: number, chunk: number): Measured => ({
  status: 'measured',
  name,
  description: '',
  facts: [],
  rounds: [{ many: phase(request), one: phase(request), streams: phase(chunk) }],
  memory: undefined,
});

const run = (request: number, chunk: number, before: Measured | Missing = measured('portcullis+before', 100, 50)) =>
  ({
    contestants: [
      measured('direct', 1, 1),
      measured('node+undici', 40, 20),
      measured('portcullis', request, chunk),
      before,
    ],
  }) as unknown as Results;

test('the median of several starts decides, for each figure by its own margin', () => {
  expect(judgeGate([run(104, 53), run(120, 60), run(90, 50)])).toMatchObject({ passes: true });
  const dearer = judgeGate([run(106, 53), run(120, 60), run(90, 50)]);
  expect(dearer.passes).toBe(false);
  expect(dearer.lines[0]).toBe('TOO DEAR: 1.060 (0.900 to 1.200) for a request beside portcullis+before, at most 1.05');
  expect(judgeGate([run(100, 55)])).toMatchObject({ passes: false });
  expect(judgeGate([run(245, 53, measured('portcullis+before', 245, 53))])).toMatchObject({ passes: false });
});

test('what was not measured does not hold', () => {
  const absent: Missing = { status: 'absent', name: 'portcullis+before', description: '', reason: 'no checkout' };
  const { passes, lines } = judgeGate([run(100, 50), run(100, 50, absent)]);
  expect(passes).toBe(false);
  expect(lines[0]).toBe('not measured in every run: a request beside portcullis+before, at most 1.05');
});
