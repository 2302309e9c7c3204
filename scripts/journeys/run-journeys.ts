import type { Journey, JourneyWorld } from './journey.ts';
import { Walker } from './journey.ts';

/** Walks them one after the other and prints each call with its status. Answers what does not hold. */
export async function runJourneys(journeys: readonly Journey[], world: JourneyWorld): Promise<readonly string[]> {
  const shared = new Map<string, unknown>();
  const problems: string[] = [];
  for (const { name, mostCalls, walk } of journeys) {
    const walker = new Walker(world, shared);
    world.say(`\n${name}`);
    const problem = await walk(walker).then(
      () => (walker.calls > mostCalls ? `took ${walker.calls} calls and may take ${mostCalls}` : undefined),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
    world.say(problem === undefined ? `  ✓ ${walker.calls} of ${mostCalls} calls` : `  ✗ ${problem}`);
  }
  return problems;
}
