import { namedTokens } from '../../detectors/tokens/named-tokens.ts';
import { exampleOf, placeheld, shortened } from '../../detectors/tokens/token-example.fixture.ts';
import { tokenGroups } from '../../detectors/tokens/token-groups.ts';
import { writeOut } from './made-up-tokens.fixture.ts';
import type { RuleFixture, RuleFixtures } from './rule-fixture.ts';

/** Of each kind of token one, and what misses it by a character or only fills its place. */
const groups = tokenGroups.map(({ name, rows }): readonly [string, RuleFixture] => [
  name,
  {
    matches: rows.map(({ shape, checksum }, index) => exampleOf(shape, index + 1, checksum)),
    // Some say by how they begin that they are secret, so that no length is too short for them.
    misses: rows.flatMap(({ shape }) => [/token|secret/i.test(shape) ? [] : shortened(shape), placeheld(shape)].flat()),
  },
]);

const named = namedTokens.flatMap(({ names, shapes }) =>
  shapes.map(
    (shape, index) => `${(names[0] ?? '').replaceAll(/[ _.-]/g, '-')}-token: "${exampleOf(shape, index + 1)}"`,
  ),
);

export const tokenFixture: RuleFixtures = {
  ...Object.fromEntries(groups),
  'named-token': {
    matches: named,
    misses: ['adafruit is a shop', 'adafruit_key = "<your key>"', writeOut('github_commit = "{hex:40}"')],
  },
  'secret-value': {
    matches: [
      `internal_token: "${exampleOf('{alnum:24}', 3)}"`,
      `kettleApiKey=${exampleOf('{hex:32}', 4)}`,
      `<password>${exampleOf('{alnum:16}', 5)}</password>`,
      `X-Api-Key: ${exampleOf('{url:40}', 6)}`,
      `--secret=${exampleOf('{base64:44}', 7)}`,
      `client.setToken("${exampleOf('{lower:32}', 8)}")`,
    ],
    misses: [
      'token: "the-name-of-it"',
      'tokenType = "AccessTokenV2"',
      writeOut('token_id = "{uuid}"'),
      'password: process.env.PASSWORD_OF_KETTLE',
      'secret = "your-secret-goes-here-2024"',
      writeOut('csrf_token: "{mixed:3}"'),
      'apiKey: config.services.kettle.apiKey1',
      'the token, AuthenticationMD5Password, is sent',
    ],
  },
};
