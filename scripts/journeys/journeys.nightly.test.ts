import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allJourneys } from './all-journeys.ts';
import type { JourneyWorld } from './journey.ts';
import { openWorld } from './open-world.ts';
import { runJourneys } from './run-journeys.ts';

const lines: string[] = [];
let world: JourneyWorld & AsyncDisposable;
beforeAll(async () => {
  world = await openWorld((line) => lines.push(line));
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

test('each journey is walked by HTTP calls alone, within its number of calls', async () => {
  expect(await runJourneys(allJourneys, world)).toEqual([]);
  expect(lines.filter((line) => line.includes('✓'))).toHaveLength(allJourneys.length);
});

test('a step that does not hold is told', async () => {
  const broken = {
    name: 'broken',
    mostCalls: 1,
    walk: async (walker: Parameters<(typeof allJourneys)[number]['walk']>[0]) => {
      await walker.api('GET', '/nothing-of-this-name');
    },
  };
  expect(await runJourneys([broken], world)).toEqual([expect.stringContaining('answered 404')]);
});
