import { parseArgs } from 'node:util';
import { gateContestants, gateSettings } from './gate.ts';
import type { Settings } from './results.ts';

export interface Options {
  readonly settings: Settings;
  /** Names of the contestants wanted; direct always runs. */
  readonly only: readonly string[] | undefined;
  /** Whether JSON is printed in place of the table. */
  readonly json: boolean;
  /** Whether the costs are held to their bounds, see `gate`. */
  readonly gate: boolean;
}

const sizes = { manyConnections: 32, streamConnections: 8, chunks: 100, chunkIntervalMs: 2 };

const ordinary: Settings = {
  ...sizes,
  rounds: 5,
  phaseMs: 1_500,
  warmUpMs: 20_000,
  soakRequests: 100_000,
  soakMs: 20_000,
  maxMs: 540_000,
};
const quick: Settings = {
  ...ordinary,
  phaseMs: 400,
  warmUpMs: 1_500,
  soakRequests: 10_000,
  soakMs: 2_000,
  maxMs: 100_000,
};
const long: Settings = { ...ordinary, soakRequests: 1_000_000, soakMs: 600_000, maxMs: 3_600_000 };

const maxRounds = 50;

/**
 * Parses the command line.
 * @throws {UsageProblem} naming what is wrong
 */
export function parseOptionsOrThrow(parameters: readonly string[], names: readonly string[]): Options {
  const values = parseValuesOrThrow(parameters);
  if (values.quick && values.long) throw new UsageProblem('--quick and --long exclude each other');
  if (values.gate && (values.quick || values.long || values.only !== undefined || values.rounds !== undefined)) {
    throw new UsageProblem('--gate goes with none of --quick, --long, --only and --rounds');
  }
  const settings = values.gate ? gateSettings(ordinary) : values.quick ? quick : values.long ? long : ordinary;
  const rounds = values.rounds === undefined ? settings.rounds : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > maxRounds) {
    throw new UsageProblem(`--rounds must be an integer from 1 to ${maxRounds}, got ${JSON.stringify(values.rounds)}`);
  }
  const only = values.gate ? gateContestants : values.only?.split(',').map((name) => name.trim());
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageProblem(`--only knows ${names.join(', ')}; not ${JSON.stringify(unknown)}`);
  }
  return { settings: { ...settings, rounds }, only, json: values.json, gate: values.gate };
}

/** What the user typed cannot be obeyed. */
export class UsageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageProblem';
  }
}

export const usage = `npm run bench -- [options]
  --rounds <n>      rounds of which the median is taken (${ordinary.rounds})
  --only <a,b>      these contestants, besides direct
  --quick           short phases: an impression in a minute and a half
  --long            a million requests each for the memory figures
  --json            print JSON, not a table
  --gate            fails when a request costs more than it may beside the checkout in BENCH_BEFORE, in a quarter of an hour
npm run bench -- alerts [server,embedded] [count]
                    lists and statistics of a million alerts at the database
npm run bench -- agents
                    invocations of an agent beside proxied chats
npm run bench -- scan
                    texts of 2, 20 and 200 KB read by the built-in policies
npm run bench -- steps [MiB] [text]...
                    the longest step of a scan of texts that are made to cost much, 10 MiB by default
npm run bench -- stages [MiB] [body]...
                    the longest turn of each stage over bodies that are made to cost much, 10 MiB by default
npm run bench -- soak [minutes] [--rate <n>] [--servers]
                    mixed traffic for half an hour, and whether anything grows; on PostgreSQL and Redis`;

function parseValuesOrThrow(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        rounds: { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        gate: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}
