import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowsPrivateTargets, ConfigProblems, parseConfigOrThrow, type Config } from './config.ts';
import type { OptionTable } from './option-table.ts';
import { options } from './options.ts';
import { Secret } from './secret.ts';

const problemsOf = (...parameters: Parameters<typeof parseConfigOrThrow>): readonly string[] => {
  try {
    parseConfigOrThrow(...parameters);
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
  return [];
};

describe('parsing the environment', () => {
  test('every default is valid', () => {
    expect(parseConfigOrThrow({})).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      DATA_DIR: './data',
      ENVIRONMENT: 'development',
      JWT_EXPIRY: 86_400_000,
      SHUTDOWN_TIMEOUT: 30_000,
      TRACING_ENABLED: false,
      TRACING_SAMPLE_RATE: 1,
      ALLOWED_ORIGINS: ['http://localhost:8080', 'http://localhost:3000', 'http://localhost:5173'],
    });
  });

  test('an optional variable that is absent or blank is undefined', () => {
    expect(parseConfigOrThrow({ DATABASE_URL: '', REDIS_URL: '  ' })).not.toHaveProperty('DATABASE_URL');
    expect(parseConfigOrThrow({ PORT: ' ' }).PORT).toBe(8080);
  });

  test('values are parsed to their types', () => {
    const config = parseConfigOrThrow({
      PORT: ' 9000 ',
      JWT_EXPIRY: '15m',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example,',
      TRACING_ENABLED: 'true',
      TRACING_SAMPLE_RATE: '0.25',
      DATABASE_URL: 'postgres://someone:hunter2@db/portcullis',
    });
    expect(config).toMatchObject({
      PORT: 9000,
      JWT_EXPIRY: 900_000,
      ALLOWED_ORIGINS: ['https://a.example', 'https://b.example'],
      TRACING_ENABLED: true,
      TRACING_SAMPLE_RATE: 0.25,
    });
    expect(config.DATABASE_URL?.reveal()).toBe('postgres://someone:hunter2@db/portcullis');
  });

  test('a sign-in provider needs all that belongs to it', () => {
    expect(problemsOf({ OAUTH_OKTA_CLIENT_ID: 'id', OAUTH_GITHUB_CLIENT_SECRET: 's' })).toEqual([
      'OAUTH_GITHUB_CLIENT_ID is required when OAUTH_GITHUB_CLIENT_SECRET is set',
      'OAUTH_REDIRECT_BASE_URL is required when OAUTH_GITHUB_CLIENT_SECRET is set',
      'OAUTH_OKTA_CLIENT_SECRET is required when OAUTH_OKTA_CLIENT_ID is set',
      'OAUTH_OKTA_ISSUER is required when OAUTH_OKTA_CLIENT_ID is set',
      'OAUTH_REDIRECT_BASE_URL is required when OAUTH_OKTA_CLIENT_ID is set',
    ]);
    const given = { OAUTH_GITHUB_CLIENT_ID: 'id', OAUTH_GITHUB_CLIENT_SECRET: 's' };
    expect(problemsOf({ ...given, OAUTH_REDIRECT_BASE_URL: 'https://me:pw@gateway.example' })).toEqual([
      expect.stringMatching(/^OAUTH_REDIRECT_BASE_URL must be a URL (?!.*pw@)/),
    ]);
    const config = parseConfigOrThrow({ ...given, OAUTH_REDIRECT_BASE_URL: 'https://gateway.example' });
    expect([config.OAUTH_GITHUB_ISSUER, String(config.OAUTH_GITHUB_CLIENT_SECRET)]).toEqual([
      'https://github.com',
      '[redacted]',
    ]);
  });

  test('all problems are told at once, each with its variable', () => {
    expect(
      problemsOf({
        PORT: '80800',
        ENVIRONMENT: 'prod',
        LOG_LEVEL: 'loud',
        JWT_EXPIRY: 'tomorrow',
        TRACING_ENABLED: 'yes',
        TRACING_SAMPLE_RATE: '2',
      }),
    ).toEqual([
      'PORT must be an integer from 0 to 65535, got "80800"',
      'ENVIRONMENT must be one of development, production, got "prod"',
      'JWT_EXPIRY must be a duration such as 30s, 15m, 24h or 7d, got "tomorrow"',
      'LOG_LEVEL must be one of error, warn, info, debug, got "loud"',
      'TRACING_ENABLED must be true or false, got "yes"',
      'TRACING_SAMPLE_RATE must be a number from 0 to 1, got "2"',
    ]);
  });

  test.each(['8080.5', '1e3', '0x50', '-1', 'eighty'])('%j is not a port', (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(1);
  });

  test('problems never quote a secret', () => {
    const secrets = {
      ADMIN_PASSWORD: 'hunter2',
      JWT_SECRET: 'hunter2',
      ENCRYPTION_KEY: 'hunter2',
      DATABASE_URL: 'mysql://someone:hunter2@db/portcullis',
      REDIS_URL: 'hunter2',
    };
    const problems = problemsOf(secrets);
    expect(problems).toHaveLength(Object.keys(secrets).length);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  test('production needs its secrets given', () => {
    expect(problemsOf({ ENVIRONMENT: 'production', ENCRYPTION_KEY: ' ' })).toEqual([
      'JWT_SECRET is required when ENVIRONMENT is production',
      'ENCRYPTION_KEY is required when ENVIRONMENT is production',
    ]);
    expect(
      problemsOf({ ENVIRONMENT: 'production', JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: 'a1'.repeat(32) }),
    ).toEqual([]);
  });

  test('a way of running can ask for more', () => {
    const requirement = { names: ['DATABASE_URL', 'REDIS_URL'], when: 'it rains' } as const;
    expect(problemsOf({ REDIS_URL: 'redis://localhost' }, [requirement])).toEqual([
      'DATABASE_URL is required when it rains',
    ]);
  });
});

describe('a secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-secret-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (text: string | Buffer): string => {
    const path = join(folder, `secret-${(count += 1)}`);
    writeFileSync(path, text);
    return path;
  };
  let count = 0;
  const key = 'k'.repeat(32);

  test.each([key, `${key}\n`, `${key}\r\n`])('is read without the newline at its end: %j', (text) => {
    expect(parseConfigOrThrow({ ENCRYPTION_KEY_FILE: write(text) }).ENCRYPTION_KEY?.reveal()).toBe(key);
  });

  test('is one of every secret option, and counts as given', () => {
    const url = 'postgres://someone:hunter2@db/portcullis';
    const config = parseConfigOrThrow(
      {
        ENVIRONMENT: 'production',
        JWT_SECRET_FILE: write('j'.repeat(32)),
        ENCRYPTION_KEY_FILE: write(key),
        DATABASE_URL_FILE: write(`${url}\n`),
      },
      [{ names: ['DATABASE_URL'], when: 'it rains' }],
    );
    expect(config.DATABASE_URL?.reveal()).toBe(url);
    const secrets = Object.values(parseConfigOrThrow({ ADMIN_PASSWORD: 'a'.repeat(12) })).filter(
      (value) => value instanceof Secret,
    );
    expect(secrets).toHaveLength(1);
    const table: OptionTable = options;
    const secretNames = Object.entries(table).filter(([, { isSecret }]) => isSecret);
    expect(secretNames.map(([name]) => name)).toEqual(
      expect.arrayContaining(['ADMIN_PASSWORD', 'METRICS_TOKEN', 'REDIS_URL', 'OAUTH_OKTA_CLIENT_SECRET']),
    );
  });

  test('is refused by the name of its variable, without its content', () => {
    const bad = {
      JWT_SECRET_FILE: write('hunter2'),
      ENCRYPTION_KEY_FILE: join(folder, 'missing'),
      ADMIN_PASSWORD_FILE: write('\n'),
      METRICS_TOKEN_FILE: write(Buffer.from([0xff, 0xfe])),
      REDIS_URL_FILE: write('x'.repeat(70_000)),
    };
    const problems = problemsOf(bad);
    expect(new Set(problems.map((problem) => problem.split(' ')[0]))).toEqual(new Set(Object.keys(bad)));
    expect(problems.join('\n')).toMatch(/cannot be read: ENOENT/);
    expect(problems.join('\n')).toMatch(/which is empty/);
    expect(problems.join('\n')).toMatch(/not text in UTF-8/);
    expect(problems.join('\n')).toMatch(/larger than/);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  test('is refused beside the secret itself', () => {
    expect(problemsOf({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_FILE: write(key) })).toEqual([
      'ENCRYPTION_KEY_FILE is set, and so is ENCRYPTION_KEY: set one of them',
    ]);
  });

  test('is nothing for an option that is no secret', () => {
    expect(parseConfigOrThrow({ PORT_FILE: write('9000') }).PORT).toBe(8_080);
  });
});

test('a printed config shows no secret', () => {
  const config = parseConfigOrThrow({ JWT_SECRET: 'hunter2'.repeat(6) });
  expect(JSON.stringify(config)).toContain('"JWT_SECRET":"[redacted]"');
  expect(String(config.JWT_SECRET)).toBe('[redacted]');
});

test.each<[Pick<Config, 'ALLOW_PRIVATE_TARGETS' | 'ENVIRONMENT'>, boolean]>([
  [{ ALLOW_PRIVATE_TARGETS: 'auto', ENVIRONMENT: 'development' }, true],
  [{ ALLOW_PRIVATE_TARGETS: 'auto', ENVIRONMENT: 'production' }, false],
  [{ ALLOW_PRIVATE_TARGETS: 'true', ENVIRONMENT: 'production' }, true],
  [{ ALLOW_PRIVATE_TARGETS: 'false', ENVIRONMENT: 'development' }, false],
])('private targets with %j: %j', (config, allowed) => {
  expect(allowsPrivateTargets(config)).toBe(allowed);
});

test('every option says what it is for in a sentence', () => {
  for (const [name, { description }] of Object.entries(options)) {
    expect(`${name}: ${description}`).toMatch(/^[A-Z0-9_]+: [A-Z].*[.:)]$/);
  }
});
