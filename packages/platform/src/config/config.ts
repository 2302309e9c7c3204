import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import type { AddressRule } from '../network/address-guard.ts';
import { problemText } from '../errors/problem.ts';
import { readSecretFileOrThrow } from './read-secret-file.ts';
import type { OptionTable, OptionValues } from './option-table.ts';
import { options } from './options.ts';
import { signInRequirements } from './sign-in-options.ts';

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

type Environment = Readonly<Record<string, string | undefined>>;

/** Options that some way of running cannot do without, and which way that is. */
export interface Requirement {
  readonly names: readonly (keyof Config)[];
  /** Completes "PORT is required when ...". */
  readonly when: string;
}

const production: Requirement = {
  names: ['JWT_SECRET', 'ENCRYPTION_KEY'],
  when: 'ENVIRONMENT is production',
};

/** A certificate is nothing without its key, and clients show theirs over TLS only. */
function tlsRequirements(isGiven: (name: string) => boolean): readonly Requirement[] {
  const needs: readonly (readonly [keyof Config, keyof Config])[] = [
    ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
    ['TLS_KEY_FILE', 'TLS_CERT_FILE'],
    ['TLS_CLIENT_CA_FILE', 'TLS_CERT_FILE'],
    ['TLS_CLIENT_AUTH', 'TLS_CLIENT_CA_FILE'],
  ];
  return needs.filter(([given]) => isGiven(given)).map(([given, name]) => ({ names: [name], when: `${given} is set` }));
}

/**
 * Parses the environment against the option table. A variable that is empty counts as absent.
 * @throws {ConfigProblems} listing everything that is wrong
 */
export function parseConfigOrThrow(environment: Environment, requirements: readonly Requirement[] = []): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const table: OptionTable = options;

  const given = new Set<string>();
  for (const [name, option] of Object.entries(table)) {
    let from = name;
    try {
      const direct = givenText(environment, name);
      const file = option.isSecret === true ? givenText(environment, `${name}_FILE`) : undefined;
      if (direct !== undefined || file !== undefined) given.add(name);
      if (file !== undefined) from = `${name}_FILE`;
      if (direct !== undefined && file !== undefined) throw new Error(`is set, and so is ${name}: set one of them`);
      const source = file === undefined ? (direct ?? option.default) : readSecretFileOrThrow(file);
      if (source !== undefined) values[name] = option.parse(source);
    } catch (error) {
      problems.push(`${from} ${problemText(error)}`);
    }
  }

  const isGiven = (name: string) => given.has(name);
  const always = [...requirements, ...signInRequirements(isGiven), ...tlsRequirements(isGiven)];
  const required = values['ENVIRONMENT'] === 'production' ? [production, ...always] : always;
  for (const { names, when } of required) {
    const missing = names.filter((name) => !isGiven(name));
    problems.push(...missing.map((name) => `${name} is required when ${when}`));
  }
  if (problems.length > 0) throw new ConfigProblems(problems);
  return values as Config;
}

function givenText(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** Where connections to targets, webhooks and providers may go. */
export const addressRuleOf = (
  config: Pick<Config, 'ALLOW_PRIVATE_TARGETS' | 'ALLOWED_PRIVATE_TARGETS' | 'ENVIRONMENT'>,
): AddressRule => ({
  allowPrivate: allowsPrivateTargets(config),
  allowed: parseAllowedTargetsOrThrow(config.ALLOWED_PRIVATE_TARGETS),
});

/** Whether targets may be on any private or loopback address. */
export const allowsPrivateTargets = (config: Pick<Config, 'ALLOW_PRIVATE_TARGETS' | 'ENVIRONMENT'>): boolean =>
  config.ALLOW_PRIVATE_TARGETS === 'auto'
    ? config.ENVIRONMENT === 'development'
    : config.ALLOW_PRIVATE_TARGETS === 'true';
