import type { PolicyFile } from '@portcullis/contracts/policy-file';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from '@portcullis/contracts/routes/policies';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import type { PolicyChecker } from './policy-checker.ts';
import { checkRunOrThrow, runSamples } from './policy-samples.ts';
import { deletePolicyRow, listPolicyRows, policyTag, renderPolicy, type PolicyRow } from './policy-queries.ts';
import {
  changePolicyOrThrow,
  checkNotBuiltin,
  createPolicyOrThrow,
  findPolicyOrThrow,
  parseFileOrThrow,
  policyResource,
} from './save-policy.ts';

export function policyRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  const findOrThrow = (reference: number | string) => findPolicyOrThrow(database, reference);

  return [
    bind(listPolicies, async () => ({ data: (await listPolicyRows(database)).map(renderPolicy) })),

    bind(createPolicy, async (call) => {
      const { document, place, active } = readNewPolicyOrThrow(call.body);
      const file = await parseFileOrThrow(checker, document, place);
      const id = await createPolicyOrThrow(database, call, file, active);
      return { data: renderPolicy(await findOrThrow(id)), message: 'Policy created' };
    }),

    bind(validatePolicy, async ({ body }) => {
      const wrapped = typeof body['document'] === 'object';
      return { data: await checker.ask('validate', wrapped ? body['document'] : body) };
    }),

    bind(getPolicy, async ({ params }) => showPolicy(await findOrThrow(params.id))),

    bind(updatePolicy, async (call) => {
      const { params, body } = call;
      const row = await findOrThrow(params.id);
      const file = body.document && (await parseFileOrThrow(checker, body.document));
      if (file !== undefined) checkReplacementOrThrow(row, file);
      const run = file === undefined ? null : await runSamples(database, checker, row.id, file);
      if (body.allow_failing_samples !== true) checkRunOrThrow(run);
      const after = await changePolicyOrThrow(database, call, row.id, {
        file,
        active: body.active,
        revision: body.revision,
        ifMatch: call.ifMatch,
        ...(run !== null && run.failed > 0 && { details: { failing_samples: run.failed, samples: run.total } }),
      });
      const { data, headers } = showPolicy(after);
      return { data: { ...data, sample_run: run }, headers, message: 'Policy updated' };
    }),

    bind(deletePolicy, async (call) => {
      const { params } = call;
      const row = await findOrThrow(params.id);
      if (row.builtin) {
        throw new GatewayError('conflict', { message: `${row.name} comes with the gateway. Switch it off instead` });
      }
      await audited(database, call, (transaction) => deletePolicyRow(transaction, row.id), {
        event: 'policy.deleted',
        resource: policyResource(row),
        before: row,
      });
      return { message: 'Policy deleted, and taken from every proxy' };
    }),
  ];
}

interface NewPolicy {
  readonly document: unknown;
  /** JSON pointer to where the file begins. */
  readonly place: string;
  readonly active: boolean;
}

/** The body is the file, or `{document: file, active}`. */
function readNewPolicyOrThrow(body: Readonly<Record<string, unknown>>): NewPolicy {
  const { document, active = true, ...others } = body;
  if (document === undefined) return { document: body, place: '/body', active: true };
  const rule = 'is not a known field beside document';
  const problems = Object.keys(others).map((name) => ({ path: `/body/${name}`, rule }));
  if (typeof active !== 'boolean') problems.push({ path: '/body/active', rule: 'must be true or false' });
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return { document, place: '/body/document', active: active === true };
}

const showPolicy = (row: PolicyRow) => ({ data: renderPolicy(row), headers: { etag: policyTag(row) } });

function checkReplacementOrThrow(row: { readonly name: string; readonly builtin: boolean }, file: PolicyFile): void {
  checkNotBuiltin(row);
  if (file.name !== row.name) {
    const rule = `must stay ${JSON.stringify(row.name)}: proxies assign policies by name`;
    throw new GatewayError('bad_request', { problems: [{ path: '/body/document/name', rule }] });
  }
}
