import passwordFixture from '../../packages/core/src/policy/builtin/rules/password-rules.fixture.json' with { type: 'json' };
import type { RuleFixtures } from '../../packages/core/src/policy/builtin/rules/rule-fixture.ts';
import * as written from '../../packages/core/src/policy/builtin/rules/secrets.fixture.ts';
import { tokenFixture } from '../../packages/core/src/policy/builtin/rules/token-rules.fixture.ts';
import type { Label, Sample } from '../../packages/detector-training/src/sample.ts';

/** Secrets and identity numbers are put together by code, so that no file of ours looks like a leak. */
function samplesOf(file: string, label: Label, fixtures: RuleFixtures): Sample[] {
  const sample = (text: string, id: string, kind: Label): Sample => ({
    id: `${file}-${id}`,
    text,
    label: kind,
    category: kind === 'benign' ? 'look-alikes' : file,
    file,
    channel: 'user',
  });
  return Object.entries(fixtures).flatMap(([id, { matches, misses }]) => [
    ...matches.map((text) => sample(`Please keep this for later: ${text} and thank you.`, id, label)),
    ...misses.map((text) => sample(`Please keep this for later: ${text} and thank you.`, id, 'benign')),
  ]);
}

export const assembledSamples = (): readonly Sample[] => [
  ...samplesOf('credentials', 'secret', {
    ...written.secretFixture,
    ...written.vendorSecretFixture,
    ...tokenFixture,
    ...written.addressFixture,
    ...passwordFixture,
  }),
  ...samplesOf('identity numbers', 'pii', written.personalFixture),
];
