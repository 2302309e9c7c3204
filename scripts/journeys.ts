import { parseArgs } from 'node:util';
import { allJourneys } from './journeys/all-journeys.ts';
import { openWorld } from './journeys/open-world.ts';
import { runJourneys } from './journeys/run-journeys.ts';

// npm run journeys: what people come to the API for, by HTTP calls alone, against a gateway of its own; ends with 1 when a step does
// not hold, or a journey takes more calls than it may.

const usage = `npm run journeys [-- --help]

Walks the journeys of ${allJourneys.length} people through the API and prints each call with its status.`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  await using world = await openWorld((line) => console.log(line));
  const problems = await runJourneys(allJourneys, world);
  console.log(`\n${allJourneys.length - problems.length} of ${allJourneys.length} journeys hold`);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
