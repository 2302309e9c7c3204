import { describe, expect, test } from '@jest/globals';
import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { doorsPolicy } from './stream-block-policy.ts';
import { sdkDrivers } from './sdk-drivers.ts';
import { goodKey, startProxy, type StartOptions } from './start-proxy.ts';

/** A refusal, and what makes it. */
interface Refusal {
  readonly reason: ErrorReason;
  readonly key?: string;
  readonly options?: Partial<StartOptions>;
}

const greets = {
  ...doorsPolicy,
  rules: doorsPolicy.rules.map((rule) => ({ ...rule, patterns: [{ regex: 'Hello', flags: '' }] })),
};
const budget = { budgetMicroUsd: 1_000_000, warningThreshold: 0.8, blockAtThreshold: false };

const refusals: readonly Refusal[] = [
  { reason: 'key_unknown', key: 'gw_nobody' },
  { reason: 'budget_exceeded', options: { budget, sums: { spentSince: () => 2_000_000 } } },
  { reason: 'access_denied', key: 'gw_other_group' },
  { reason: 'policy_violation', options: { policies: [greets] } },
  {
    reason: 'rate_limited',
    options: { rateLimit: 1, buckets: { take: () => ({ allowed: false, remaining: 0, retryAfterMs: 1_000 }) } },
  },
  { reason: 'target_unreachable' },
];

/** The text of the catalogue, or what stands beside it in the envelope and says more. */
const texts = (reason: ErrorReason): RegExp =>
  new RegExp(
    reason === 'budget_exceeded' ? 'Budget limit exceeded|monthly budget .+ is spent' : errorCatalogue[reason].text,
  );

/** What the developer reads who prints the error that was thrown. */
async function shownBy(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return '(no error)';
  } catch (error) {
    return error instanceof Error ? error.message : JSON.stringify(error);
  }
}

const styles = [
  ['the envelope', false],
  ['errors of the dialect', true],
] as const;

describe.each(sdkDrivers)('$name shows', (driver) => {
  describe.each(styles)('in %s', (_style, nativeErrors) => {
    test.each(refusals)('$reason', async ({ reason, key = goodKey, options }) => {
      await using proxy = await startProxy({
        target: `http://127.0.0.1:${await findFreePort()}`,
        proxy: { nativeErrors },
        ...options,
      });
      expect(await shownBy(driver.ask(proxy.origin, key))).toMatch(texts(reason));
      expect(await shownBy(driver.stream(proxy.origin, key))).toMatch(texts(reason));
    });
  });

  test('what ends a stream that had begun', async () => {
    await using peer = await startLlmPeer({
      chunks: ['Hello', ' there', ', op', 'en ses', 'ame', ' and on', ' and on'],
    });
    await using proxy = await startProxy({ target: peer.url, policies: [doorsPolicy] });
    const shown = await shownBy(driver.stream(proxy.origin, goodKey));
    expect(shown).toContain(errorCatalogue.policy_violation_response.text);
  });
});
