import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import { parseAddressRange } from '../http/client-address.ts';
import { Secret } from './secret.ts';

/** One environment variable: its type, its default and its documentation in one place. */
export interface Option<Value> {
  readonly description: string;
  /** What the documentation prints as type and range, for example `integer 1-65535`. */
  readonly type: string;
  /** Text used when the variable is absent or empty; undefined makes the value optional. */
  readonly default?: string;
  /** Never printed, and read from the file that `<NAME>_FILE` names as well. */
  readonly isSecret?: true;
  /** Parses the text; throws an Error whose message completes "PORT ...". */
  parse(text: string): Value;
}

/** An option that always has a value. */
export type DefaultedOption<Value> = Option<Value> & { readonly default: string };

export const text = (description: string, fallback: string): DefaultedOption<string> => ({
  description,
  type: 'text',
  default: fallback,
  parse: (value) => value,
});

export const optionalText = (description: string): Option<string> => ({
  description,
  type: 'text',
  parse: (value) => value,
});

export const integer = (description: string, fallback: number, min: number, max: number): DefaultedOption<number> => ({
  description,
  type: `integer ${min}-${max}`,
  default: String(fallback),
  parse: (value) => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be an integer from ${min} to ${max}, got ${JSON.stringify(value)}`);
    }
    return number;
  },
});

export const number = (description: string, fallback: number, min: number, max: number): DefaultedOption<number> => ({
  description,
  type: `number ${min}-${max}`,
  default: String(fallback),
  parse: (value) => {
    const parsed = Number(value);
    if (value.trim() === '' || Number.isNaN(parsed) || parsed < min || parsed > max) {
      throw new Error(`must be a number from ${min} to ${max}, got ${JSON.stringify(value)}`);
    }
    return parsed;
  },
});

export const flag = (description: string, fallback: boolean): DefaultedOption<boolean> => ({
  description,
  type: 'true or false',
  default: String(fallback),
  parse: (value) => {
    if (value !== 'true' && value !== 'false') throw new Error(`must be true or false, got ${JSON.stringify(value)}`);
    return value === 'true';
  },
});

export const choice = <const Values extends readonly string[]>(
  description: string,
  values: Values,
  fallback: Values[number],
): DefaultedOption<Values[number]> => ({
  description,
  type: values.join(', '),
  default: fallback,
  parse: (value) => {
    if (!values.includes(value)) throw new Error(`must be one of ${values.join(', ')}, got ${JSON.stringify(value)}`);
    return value;
  },
});

export const list = (description: string, fallback: string): DefaultedOption<readonly string[]> => ({
  description,
  type: 'comma-separated list',
  default: fallback,
  parse: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
});

export const addressRanges = (description: string): DefaultedOption<readonly string[]> => {
  const any = list(description, '');
  return {
    ...any,
    type: 'comma-separated list of addresses and CIDR ranges',
    parse: (value) => {
      const ranges = any.parse(value);
      ranges.forEach(parseAddressRange);
      return ranges;
    },
  };
};

export const privateTargets = (description: string): DefaultedOption<readonly string[]> => {
  const any = list(description, '');
  return {
    ...any,
    type: 'comma-separated list of host names, addresses and CIDR ranges',
    parse: (value) => {
      const targets = any.parse(value);
      parseAllowedTargetsOrThrow(targets);
      return targets;
    },
  };
};

const unitMs = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** A duration such as `90s`, `15m`, `24h` or `7d`, parsed to milliseconds. */
export const duration = (description: string, fallback: string): DefaultedOption<number> => ({
  description,
  type: 'duration: number and s, m, h or d',
  default: fallback,
  parse: (value) => {
    const milliseconds = unitMs.get(value.slice(-1));
    if (milliseconds === undefined || !/^\d{1,6}.$/.test(value)) {
      throw new Error(`must be a duration such as 30s, 15m, 24h or 7d, got ${JSON.stringify(value)}`);
    }
    return Number(value.slice(0, -1)) * milliseconds;
  },
});

/** A duration that is not shorter or longer than that. */
export const durationBetween = (
  description: string,
  fallback: string,
  shortest: string,
  longest: string,
): DefaultedOption<number> => {
  const any = duration(description, fallback);
  return {
    ...any,
    type: `duration from ${shortest} to ${longest}: number and s, m, h or d`,
    parse: (value) => {
      const milliseconds = any.parse(value);
      if (milliseconds < any.parse(shortest) || milliseconds > any.parse(longest)) {
        throw new Error(`must be from ${shortest} to ${longest}, got ${JSON.stringify(value)}`);
      }
      return milliseconds;
    },
  };
};

/** A URL that is no secret, without a query. */
export const webUrl = (description: string, fallback?: string): Option<string> => ({
  description,
  type: 'URL (http, https)',
  ...(fallback !== undefined && { default: fallback }),
  parse: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    // Not echoed all the same: a password may stand in it.
    if (url === undefined || !isWeb || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
      throw new Error('must be a URL that starts with https:// or http:// and has no user name, query or fragment');
    }
    return value;
  },
});

/** A URL of one of the given schemes. Never echoed in a problem, since URLs carry passwords. */
export const secretUrl = (description: string, schemes: readonly string[]): Option<Secret> => ({
  description,
  type: `URL (${schemes.join(', ')})`,
  isSecret: true,
  parse: (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol : '';
    if (!schemes.some((allowed) => scheme === `${allowed}:`)) {
      throw new Error(`must be a URL that starts with ${schemes.map((allowed) => `${allowed}://`).join(' or ')}`);
    }
    return new Secret(value);
  },
});

export const secret = (description: string, type: string, check: (value: string) => boolean): Option<Secret> => ({
  description,
  type,
  isSecret: true,
  parse: (value) => {
    if (!check(value)) throw new Error(`must be ${type}`);
    return new Secret(value);
  },
});

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

type OptionValue<Entry> = Entry extends { parse(text: string): infer Value; readonly default: string }
  ? Value
  : Entry extends { parse(text: string): infer Value }
    ? Value | undefined
    : never;

export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: OptionValue<Table[Name]> };
