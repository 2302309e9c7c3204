import {
  copyPolicy,
  exportPolicy,
  getPolicyVersion,
  listPolicyVersions,
  rollBackPolicy,
  togglePolicy,
} from '@portcullis/contracts/routes/policy-versions';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderPolicy } from './policy-queries.ts';
import type { PolicyChecker } from './policy-checker.ts';
import { runSamples } from './policy-samples.ts';
import { countVersions, findVersion, listVersionRows, renderVersion } from './policy-version-queries.ts';
import {
  changePolicyOrThrow,
  checkNotBuiltin,
  createPolicyOrThrow,
  findPolicyOrThrow,
  parseFileOrThrow,
} from './save-policy.ts';

export function policyVersionRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  const findOrThrow = (reference: string) => findPolicyOrThrow(database, reference);

  return [
    bind(listPolicyVersions, async ({ params, query }) => {
      const { id } = await findOrThrow(params.name);
      const range = { limit: query.limit ?? 50, offset: query.offset ?? 0 };
      const [versions, total] = await readConsistent(database, async (moment) => [
        await listVersionRows(moment, id, range),
        await countVersions(moment, id),
      ]);
      return { data: { versions: versions.map(renderVersion), total } };
    }),

    bind(getPolicyVersion, async ({ params }) => {
      const { id } = await findOrThrow(params.name);
      return { data: renderVersion(await findVersionOrThrow(database, id, params.revision)) };
    }),

    bind(rollBackPolicy, async (call) => {
      const row = await findOrThrow(call.params.name);
      checkNotBuiltin(row);
      const { revision } = call.body;
      const { document } = await findVersionOrThrow(database, row.id, revision);
      const file = await parseFileOrThrow(checker, document);
      const run = await runSamples(database, checker, row.id, file);
      const after = await changePolicyOrThrow(database, call, row.id, {
        file,
        event: 'policy.rolled_back',
        details: { to_revision: revision },
      });
      return {
        data: { ...renderPolicy(after), sample_run: run },
        message: `The document of revision ${revision} is in force again`,
      };
    }),

    bind(togglePolicy, async (call) => {
      const row = await findOrThrow(call.params.name);
      const active = call.body.active ?? !row.active;
      // A policy that was switched off because it cannot be run stays off until its document is another one.
      if (active && row.inactive_reason !== null) await parseFileOrThrow(checker, row.document, '/document');
      const after = await changePolicyOrThrow(database, call, row.id, { active });
      return { data: renderPolicy(after), message: after.active ? 'Policy switched on' : 'Policy switched off' };
    }),

    bind(copyPolicy, async (call) => {
      const { document } = await findOrThrow(call.params.name);
      const id = await createPolicyOrThrow(database, call, { ...document, name: call.body.name }, true);
      return { data: renderPolicy(await findPolicyOrThrow(database, id)), message: 'Policy copied' };
    }),

    bind(exportPolicy, async ({ params }) => {
      const { name, document } = await findOrThrow(params.name);
      const fileName = `${name.replaceAll(/[^\w.-]+/g, '_').slice(0, 100)}.json`;
      return {
        text: `${JSON.stringify(document, null, 2)}\n`,
        headers: { 'content-disposition': `attachment; filename="${fileName}"` },
      };
    }),
  ];
}

async function findVersionOrThrow(database: Database, policyId: number, revision: number) {
  const version = await findVersion(database, policyId, revision);
  if (version === undefined) {
    throw new GatewayError('not_found', { message: `Revision ${revision} is not kept, or never was` });
  }
  return version;
}
