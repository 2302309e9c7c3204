import { addressFixture } from '../../packages/core/src/policy/builtin/rules/address-rules.fixture.ts';
import { passwordFixture } from '../../packages/core/src/policy/builtin/rules/password-rules.fixture.ts';
import { personalFixture } from '../../packages/core/src/policy/builtin/rules/personal-rules.fixture.ts';
import type { RuleFixture } from '../../packages/core/src/policy/builtin/rules/rule-fixture.ts';
import { secretFixture } from '../../packages/core/src/policy/builtin/rules/secret-rules.fixture.ts';
import { tokenFixture } from '../../packages/core/src/policy/builtin/rules/token-rules.fixture.ts';
import { vendorSecretFixture } from '../../packages/core/src/policy/builtin/rules/vendor-secret-rules.fixture.ts';
import type { Label, Sample } from '../../packages/detector-training/src/sample.ts';

type Fixtures = Readonly<Record<string, RuleFixture>>;

/** Secrets and identity numbers are put together by code, so that no file of ours looks like a leak. */
function samplesOf(file: string, label: Label, fixtures: Fixtures): Sample[] {
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
    ...secretFixture,
    ...vendorSecretFixture,
    ...tokenFixture,
    ...addressFixture,
    ...passwordFixture,
  }),
  ...samplesOf('identity numbers', 'pii', personalFixture),
];
