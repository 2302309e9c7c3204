import { problemText } from '../lifecycle/problem.ts';
import type { OptionTable, OptionValues } from './option-table.ts';
import { options } from './options.ts';

/** All options, parsed. Secrets are `Secret`s; durations are milliseconds. */
export type Config = OptionValues<typeof options>;

/** Every problem of the environment at once, each naming its variable. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigProblems';
    this.problems = problems;
  }
}

/**
 * Parses the environment against the option table.
 * @throws {ConfigProblems} listing everything that is wrong
 */
export function parseConfigOrThrow(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const table: OptionTable = options;

  for (const [name, option] of Object.entries(table)) {
    const given = environment[name]?.trim();
    const source = given === undefined || given === '' ? option.default : given;
    if (source === undefined) continue;
    try {
      values[name] = option.parse(source);
    } catch (error) {
      problems.push(`${name} ${problemText(error)}`);
    }
  }

  if (values['ENVIRONMENT'] === 'production') {
    for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
      if (!environment[name]) problems.push(`${name} is required when ENVIRONMENT is production`);
    }
  }
  if (problems.length > 0) throw new ConfigProblems(problems);
  return values as Config;
}

/** Whether targets may be on private or loopback addresses. */
export const allowsPrivateTargets = (config: Pick<Config, 'ALLOW_PRIVATE_TARGETS' | 'ENVIRONMENT'>): boolean =>
  config.ALLOW_PRIVATE_TARGETS === 'auto'
    ? config.ENVIRONMENT === 'development'
    : config.ALLOW_PRIVATE_TARGETS === 'true';
