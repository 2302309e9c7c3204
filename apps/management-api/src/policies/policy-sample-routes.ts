import {
  listPolicySamples,
  maxSampleCharacters,
  replacePolicySamples,
  runPolicySamples,
  type PolicySample,
  type SampleRun,
} from '@portcullis/contracts/routes/policy-samples';
import { audited } from '@portcullis/platform/audit/audited';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { PolicyChecker } from './policy-checker.ts';
import { loadSamples, replaceSamples, runSamples } from './policy-samples.ts';
import { findPolicyOrThrow, parseFileOrThrow, policyResource, saverOf } from './save-policy.ts';

const noSamples: SampleRun = { total: 0, failed: 0, results: [] };

export function policySampleRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  return [
    bind(listPolicySamples, async ({ params }) => {
      const { id } = await findPolicyOrThrow(database, params.name);
      return { data: await loadSamples(database, id) };
    }),

    bind(replacePolicySamples, async (call) => {
      const { samples } = call.body;
      checkSamplesOrThrow(samples);
      const row = await findPolicyOrThrow(database, call.params.name);
      const after = await audited(
        database,
        call,
        async (transaction) => {
          const before = await loadSamples(transaction, row.id);
          await replaceSamples(transaction, row.id, samples, saverOf(call));
          return { before, after: await loadSamples(transaction, row.id) };
        },
        (change) => ({
          event: 'policy.samples.updated',
          resource: policyResource(row),
          // Texts may be those of callers.
          details: { before: change.before.samples.length, after: change.after.samples.length },
        }),
      );
      const run = await runSamples(database, checker, row.id, row.document);
      return { data: { samples: after.after, run: run ?? noSamples }, message: 'Samples saved' };
    }),

    bind(runPolicySamples, async ({ params, body }) => {
      const row = await findPolicyOrThrow(database, params.name);
      const file = body.document === undefined ? row.document : await parseFileOrThrow(checker, body.document);
      return { data: (await runSamples(database, checker, row.id, file)) ?? noSamples };
    }),
  ];
}

function checkSamplesOrThrow(samples: readonly PolicySample[]): void {
  const names = new Set<string>();
  const problems = samples.flatMap(({ name }, at) => {
    const isTaken = names.has(name);
    names.add(name);
    return isTaken ? [{ path: `/body/samples/${at}/name`, rule: 'must be another than those before it' }] : [];
  });
  if (samples.reduce((sum, { text }) => sum + text.length, 0) > maxSampleCharacters) {
    problems.push({ path: '/body/samples', rule: `must have at most ${maxSampleCharacters} characters in all` });
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}
