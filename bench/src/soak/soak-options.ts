import { parseArgs } from 'node:util';
import { UsageProblem } from '../options.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Things begun in a second; an MCP session is one, and ten requests. */
  readonly perSecond: number;
  readonly onServers: boolean;
}

/** @throws {UsageProblem} */
export function parseSoakOptionsOrThrow(given: readonly string[]): SoakOptions {
  const { values, positionals } = parseOrThrow(given);
  const [minutes = '30', ...more] = positionals;
  if (more.length > 0) throw new UsageProblem(`soak takes one number of minutes, not also ${more.join(' ')}`);
  return {
    minutes: numberOrThrow('minutes', minutes, 0.1, 10_080),
    perSecond: numberOrThrow('--rate', values.rate, 1, 10_000),
    onServers: values.servers,
  };
}

function numberOrThrow(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw new UsageProblem(`${name} must be a number from ${least} to ${most}, got ${JSON.stringify(text)}`);
}

function parseOrThrow(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { rate: { type: 'string', default: '40' }, servers: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}
