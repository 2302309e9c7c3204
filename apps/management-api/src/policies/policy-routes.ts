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
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '../audit/audited.ts';
import type { PolicyChecker } from './policy-checker.ts';
import {
  deletePolicyRow,
  findPolicy,
  listPolicyRows,
  policyTag,
  renderPolicy,
  type PolicyRow,
} from './policy-queries.ts';
import {
  changePolicyOrThrow,
  checkNotBuiltin,
  createPolicyOrThrow,
  parseFileOrThrow,
  policyResource,
} from './save-policy.ts';

export function policyRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  const findOrThrow = async (id: number) => {
    const row = await findPolicy(database, id);
    if (row === undefined) throw new GatewayError('not_found', { message: `There is no policy ${id}` });
    return row;
  };

  return [
    bind(listPolicies, async () => ({ data: (await listPolicyRows(database)).map(renderPolicy) })),

    bind(createPolicy, async (call) => {
      const { body } = call;
      const file = await parseFileOrThrow(checker, body.document);
      const id = await createPolicyOrThrow(database, call, file, body.active ?? true);
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
      const after = await changePolicyOrThrow(database, call, params.id, {
        file,
        active: body.active,
        revision: body.revision,
        ifMatch: call.ifMatch,
      });
      return { ...showPolicy(after), message: 'Policy updated' };
    }),

    bind(deletePolicy, async (call) => {
      const { params } = call;
      const row = await findOrThrow(params.id);
      if (row.builtin) {
        throw new GatewayError('conflict', { message: `${row.name} comes with the gateway. Switch it off instead` });
      }
      await audited(database, call, (transaction) => deletePolicyRow(transaction, params.id), {
        event: 'policy.deleted',
        resource: policyResource(row),
        before: row,
      });
      return { message: 'Policy deleted, and taken from every proxy' };
    }),
  ];
}

const showPolicy = (row: PolicyRow) => ({ data: renderPolicy(row), headers: { etag: policyTag(row) } });

function checkReplacementOrThrow(row: { readonly name: string; readonly builtin: boolean }, file: PolicyFile): void {
  checkNotBuiltin(row);
  if (file.name !== row.name) {
    const rule = `must stay ${JSON.stringify(row.name)}: proxies assign policies by name`;
    throw new GatewayError('bad_request', { problems: [{ path: '/body/document/name', rule }] });
  }
}
