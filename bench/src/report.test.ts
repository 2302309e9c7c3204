import { describe, expect, test } from '@jest/globals';
import type { Percentiles } from './load-order.ts';
import { renderMarkdown, spreadOf, summarise } from './report.ts';
import type { Measured, Phase, Results, Round } from './results.ts';

const percentiles = (p50Micros: number): Percentiles => ({ p50Micros, p99Micros: 2 * p50Micros, maxMicros: 9_000 });

const phase = (cpuMicrosPerRequest: number, p50Micros: number): Phase => ({
  load: { requests: 1_000, elapsedMs: 500, latency: percentiles(p50Micros) },
  cpuMicros: cpuMicrosPerRequest * 1_000,
  mainThreadMicros: cpuMicrosPerRequest * 800,
  threadMicros: {},
});

const streams = (cpuMicrosPerChunk: number, p50Micros: number): Phase => {
  const { load, ...used } = phase(0, 0);
  const stream = { chunks: 50, firstToken: percentiles(p50Micros), chunkDelay: percentiles(p50Micros / 10) };
  return { ...used, cpuMicros: cpuMicrosPerChunk * 50, load: { ...load, stream } };
};

const round = (cpu: number, p50: number): Round => ({
  many: phase(cpu, p50),
  one: phase(cpu + 10, p50 / 10),
  streams: streams(cpu / 5, p50),
});

const measured = (name: string, rounds: readonly Round[]): Measured => ({
  status: 'measured',
  name,
  description: `what ${name} is`,
  facts: [`${name} 1.2.3`],
  rounds,
  memory:
    name === 'direct'
      ? undefined
      : { startedBytes: 2 ** 20, beforeBytes: 2 ** 21, afterBytes: 2 ** 22, requests: 100_000 },
});

const results: Results = {
  machine: {
    date: '2026-01-02T03:04:05.000Z',
    cpu: 'A fast one',
    cores: 2,
    memoryGiB: 8,
    kernel: '6.1',
    node: 'v26.10.0',
    loadBefore: 0.25,
    pinned: { proxy: 0, upstream: 1, load: 1 },
  },
  settings: {
    rounds: 3,
    phaseMs: 1_500,
    warmUpMs: 1,
    manyConnections: 32,
    streamConnections: 8,
    chunks: 100,
    chunkIntervalMs: 2,
    soakRequests: 1,
    soakMs: 1,
    maxMs: 1,
  },
  contestants: [
    measured('direct', [round(0, 100), round(0, 300), round(0, 200)]),
    measured('nginx', [round(20, 400), round(22, 600), round(18, 700)]),
    { status: 'absent', name: 'portkey', description: 'another gateway', reason: 'no\nnetwork' },
    { status: 'failed', name: 'node+undici', description: 'bare', reason: 'answered 500' },
    measured('portcullis', [round(150, 500), round(140, 700), round(160, 600)]),
  ],
};

describe('the spread of the rounds', () => {
  test('of an odd number has the middle one as median', () => {
    expect(spreadOf([9, 100, 1])).toEqual({ median: 9, min: 1, max: 100 });
  });

  test('of an even number has the mean of the two in the middle', () => {
    expect(spreadOf([10, 2, 4, 1])).toEqual({ median: 3, min: 1, max: 10 });
  });

  test('of no rounds is a fault', () => {
    expect(() => spreadOf([])).toThrow('No rounds');
  });
});

describe('a summary', () => {
  const nginx = summarise(results).find(({ name }) => name === 'nginx');

  test('counts CPU per request and requests per second', () => {
    expect(nginx?.many.cpuMicros).toEqual({ median: 20, min: 18, max: 22 });
    expect(nginx?.many.mainThreadMicros.median).toBe(16);
    expect(nginx?.one.cpuMicros.median).toBe(30);
    expect(nginx?.many.requestsPerSecond).toEqual({ median: 2_000, min: 2_000, max: 2_000 });
  });

  test('compares each round with direct in the same round', () => {
    expect(nginx?.many.addedP50Micros).toEqual({ median: 300, min: 300, max: 500 });
    expect(nginx?.many.addedP99Micros).toEqual({ median: 600, min: 600, max: 1_000 });
    expect(nginx?.one.addedP50Micros.median).toBe(30);
  });

  test('counts streams by the chunk', () => {
    expect(nginx?.streams.cpuMicrosPerChunk.median).toBe(4);
    expect(nginx?.streams.firstTokenAddedP50Micros.median).toBe(300);
    expect(nginx?.streams.chunkAddedP99Micros.median).toBe(60);
  });

  test('without direct is a fault', () => {
    expect(() => summarise({ ...results, contestants: results.contestants.slice(1) })).toThrow('Without direct');
  });
});

describe('the report', () => {
  const markdown = renderMarkdown(results);

  test('shows medians with the lowest and the highest', () => {
    expect(markdown).toContain('| nginx | 20 (18 to 22) | 16 | 1.0 | 2,000 (2,000 to 2,000) | 0.30 (0.30 to 0.50) |');
    expect(markdown).toContain('| direct |  |  |  | 2,000 (2,000 to 2,000) |  |  |');
    expect(markdown).toContain('| nginx | 1 | 2 | 4 | 100,000 |');
  });

  test('does not show a minus where nothing was added', () => {
    const [direct, nginx] = [measured('direct', [round(0, 402)]), measured('nginx', [round(20, 400)])];
    expect(renderMarkdown({ ...results, contestants: [direct, nginx] })).toContain('| 0.00 (0.00 to 0.00) |');
  });

  test('says how Portcullis compares with the others that were there', () => {
    expect(markdown).toContain('150 µs of CPU per request, 7.5 times nginx.');
  });

  test('names the contestants that are missing, with the reason', () => {
    expect(markdown).toContain('- **portkey**: another gateway. **Absent**: no network');
    expect(markdown).toContain('- **node+undici**: bare. **Failed**: answered 500');
  });

  test('tells the machine, the rounds and that nothing was pinned where it was not', () => {
    expect(markdown).toContain('A fast one, 2 cores, 8 GiB, Linux 6.1, Node v26.10.0; load average before the run 0.3');
    expect(markdown).toContain('Medians of 3 interleaved rounds');
    const pinned = { proxy: undefined, upstream: undefined, load: undefined };
    const unpinned = renderMarkdown({ ...results, machine: { ...results.machine, pinned } });
    expect(unpinned).toContain('Nothing is pinned to a core');
  });

  test('draws every table with as many cells in each row as in its head', () => {
    const tables = markdown.split('\n\n').filter((block) => block.startsWith('|'));
    expect(tables).toHaveLength(4);
    for (const table of tables) {
      const cells = table.split('\n').map((line) => line.split('|').length);
      expect(new Set(cells).size).toBe(1);
    }
  });
});
