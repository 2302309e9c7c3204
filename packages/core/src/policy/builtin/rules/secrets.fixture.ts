import addresses from './address-rules.fixture.json' with { type: 'json' };
import encodings from './encoding-rules.fixture.json' with { type: 'json' };
import { writeOut } from './made-up-tokens.fixture.ts';
import numbers from './personal-rules.fixture.json' with { type: 'json' };
import type { RuleFixtures } from './rule-fixture.ts';
import secrets from './secret-rules.fixture.json' with { type: 'json' };
import vendorSecrets from './vendor-secret-rules.fixture.json' with { type: 'json' };

const written = (fixtures: RuleFixtures): RuleFixtures =>
  Object.fromEntries(
    Object.entries(fixtures).map(([id, { matches, misses }]) => [
      id,
      { matches: matches.map(writeOut), misses: misses.map(writeOut) },
    ]),
  );

/** What looks like a number of a person and is none: a wrong digit, a version, a part number, a time. */
const misses = [
  'release 2.4.1 of 2024',
  'part 12-34-56 at 10:15',
  'order 77 was paid',
  'see page 1234 of the guide',
] as const;

export const addressFixture = written(addresses);
export const encodingFixture = written(encodings);
export const secretFixture = written(secrets);
export const vendorSecretFixture = written(vendorSecrets);
/** Numbers whose check digits agree, with the word that announces them where the form alone does not. */
export const personalFixture: RuleFixtures = Object.fromEntries(
  Object.entries(numbers).map(([name, matches]) => [`pii-${name}`, { matches, misses }]),
);
