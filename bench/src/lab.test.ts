import { afterEach, describe, expect, test } from '@jest/globals';
import { Absent, chatPath, type Contestant } from './contestants/contestant.ts';
import { direct } from './contestants/direct.ts';
import { nodeUndici } from './contestants/node-undici.ts';
import { runLab, type Lab } from './lab.ts';
import type { Machine } from './machine.ts';
import type { Measured, Missing, Settings } from './results.ts';

const settings: Settings = {
  rounds: 2,
  phaseMs: 60,
  warmUpMs: 60,
  manyConnections: 4,
  streamConnections: 2,
  chunks: 5,
  chunkIntervalMs: 2,
  soakRequests: 50,
  soakMs: 60_000,
  maxMs: 60_000,
};

const machine: Machine = {
  date: '',
  cpu: '',
  cores: 1,
  memoryGiB: 1,
  kernel: '',
  node: '',
  loadBefore: 0,
  pinned: { proxy: undefined, upstream: undefined, load: undefined },
};

let stop = new AbortController();
afterEach(() => {
  stop = new AbortController();
});

const lab = (changes: Partial<Lab> = {}): Lab => ({
  settings,
  machine,
  cacheFolder: '/nonexistent',
  signal: stop.signal,
  say: () => undefined,
  ...changes,
});

const contestant = (name: string, open: Contestant['open']): Contestant => ({ name, description: '', open });

const measuredOrThrow = (result: Measured | Missing | undefined): Measured => {
  if (result?.status !== 'measured') throw new Error(`Not measured: ${JSON.stringify(result)}`);
  return result;
};

describe('the laboratory', () => {
  test('measures everyone in every round, and reports the contestants that cannot take part', async () => {
    const checked: number[] = [];
    const results = await runLab(lab(), [
      direct,
      contestant('node+undici', async (rig) => ({
        ...(await nodeUndici.open(rig)),
        check: (requests) => Promise.resolve(void checked.push(requests)),
      })),
      contestant('nowhere', () => Promise.reject(new Absent('not for this machine'))),
    ]);
    const proxy = measuredOrThrow(results[1]);
    expect(measuredOrThrow(results[0]).rounds).toHaveLength(2);
    expect(proxy.rounds).toHaveLength(2);
    for (const { many, one, streams } of proxy.rounds) {
      for (const phase of [many, one, streams]) {
        expect(phase.load.requests).toBeGreaterThan(0);
        expect(phase.cpuMicros).toBeGreaterThan(0);
        expect(phase.load.latency.p99Micros).toBeGreaterThanOrEqual(phase.load.latency.p50Micros);
      }
      expect(streams.load.stream?.chunks).toBe(streams.load.requests * settings.chunks);
    }
    expect(proxy.memory?.requests).toBe(50);
    expect(proxy.memory?.afterBytes).toBeGreaterThan(2 ** 20);
    expect(checked[0]).toBeGreaterThan(50);
    expect(results[2]).toMatchObject({ status: 'absent', reason: 'not for this machine' });
  });

  test('never takes a wrong answer for a fast one', async () => {
    const misled = contestant('misled', (rig) =>
      Promise.resolve({
        target: { port: rig.upstreamPort, path: '/refused', callers: [{}] },
        pid: undefined,
        facts: [],
      }),
    );
    const [result] = await runLab(lab(), [misled]);
    expect(result).toMatchObject({ status: 'failed', reason: expect.stringContaining('answered 404') });
  });

  test('stops everything when it is told to', async () => {
    const pids: number[] = [];
    const interrupting = contestant('interrupting', async (rig) => {
      const running = await nodeUndici.open(rig);
      pids.push(running.pid ?? 0);
      stop.abort(new Error('enough'));
      return { ...running, target: { port: rig.upstreamPort, path: chatPath, callers: [{}] } };
    });
    await expect(runLab(lab(), [direct, interrupting])).rejects.toThrow('enough');
    expect(pids).toHaveLength(1);
    expect(() => process.kill(pids[0] ?? 0, 0)).toThrow('ESRCH');
  });
});
