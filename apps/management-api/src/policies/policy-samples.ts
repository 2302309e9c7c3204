import type { PolicyFile } from '@portcullis/contracts/policy-file';
import type { PolicySample, SampleRun, SampleSet } from '@portcullis/contracts/routes/policy-samples';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import type { PolicyChecker } from './policy-checker.ts';

export async function loadSamples({ kysely }: Queryable, policyId: number): Promise<SampleSet> {
  const row = await kysely
    .selectFrom('policy_samples')
    .select([sql<PolicySample[]>`samples`.as('samples'), 'updated_at', 'updated_by'])
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return {
    samples: row?.samples ?? [],
    updated_at: row?.updated_at.toISOString() ?? null,
    updated_by: row?.updated_by ?? null,
  };
}

export const replaceSamples = async (
  { kysely }: Queryable,
  policyId: number,
  samples: readonly PolicySample[],
  updatedBy: string | null,
): Promise<void> => {
  const values = { samples: JSON.stringify(samples), updated_by: updatedBy };
  await kysely
    .insertInto('policy_samples')
    .values({ policy_id: policyId, ...values })
    .onConflict((conflict) => conflict.column('policy_id').doUpdateSet({ ...values, updated_at: databaseNow }))
    .execute();
};

/** What a file does with the samples of the policy; null where it has none. */
export async function runSamples(
  database: Queryable,
  checker: PolicyChecker,
  policyId: number,
  policy: PolicyFile,
): Promise<SampleRun | null> {
  const { samples } = await loadSamples(database, policyId);
  return samples.length === 0 ? null : checker.ask('samples', { policy, samples });
}

/** @throws {GatewayError} `conflict`, with the run, where a sample has failed */
export function checkRunOrThrow(run: SampleRun | null): void {
  if (run === null || run.failed === 0) return;
  const failed = run.results.filter(({ passed }) => !passed).map(({ name }) => JSON.stringify(name));
  throw new GatewayError('conflict', {
    message: `${run.failed} of ${run.total} samples of the policy would fail: ${failed.slice(0, 5).join(', ')}. Nothing was changed; allow_failing_samples saves it all the same`,
    data: { sample_run: run },
  });
}
