import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

export const formats = ['table', 'json', 'sarif'] as const;
export type Format = (typeof formats)[number];

/** Levels that a skill may be kept from reaching; `never` only reports. */
export const thresholds = ['low', 'medium', 'high', 'critical', 'never'] as const;
export type Threshold = (typeof thresholds)[number];

/** The score from which a skill has reached it. */
export const leastScoreOf: Readonly<Record<Threshold, number>> = {
  low: 1,
  medium: 15,
  high: 30,
  critical: 50,
  never: 101,
};

export interface ScanOptions {
  readonly paths: readonly string[];
  readonly format: Format;
  /** A file for the report, which goes to the standard output otherwise. */
  readonly output: string | undefined;
  readonly failOn: Threshold;
  /** Tells the rules instead of scanning. */
  readonly rules: boolean;
}

/** Throws UsageError. */
export function parseScanOptions(parameters: readonly string[]): ScanOptions {
  const { values, positionals } = parseOrThrow(parameters);
  if (values.rules === true && positionals.length > 0)
    throw new UsageError('--rules takes no path: it lists the rules.');
  if (values.rules !== true && positionals.length === 0)
    throw new UsageError('Which skill? Name a folder, a ZIP archive or a file.');
  return {
    paths: positionals,
    format: oneOf('--format', formats, values.format ?? 'table'),
    output: values.output,
    failOn: oneOf('--fail-on', thresholds, values['fail-on'] ?? 'high'),
    rules: values.rules === true,
  };
}

function parseOrThrow(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        output: { type: 'string', short: 'o' },
        'fail-on': { type: 'string' },
        rules: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<Value extends string>(option: string, values: readonly Value[], given: string): Value {
  const found = values.find((value) => value === given.toLowerCase());
  if (found === undefined) throw new UsageError(`${option} takes ${values.join(', ')}; this is "${given}".`);
  return found;
}
