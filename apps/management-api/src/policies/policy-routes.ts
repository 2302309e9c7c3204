import type { PolicyFile } from '@portcullis/contracts/policy-file';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from '@portcullis/contracts/routes/policies';
import { parsePolicyFile } from '@portcullis/core/policy/parse-policy-file';
import type { Database } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '../audit/audited.ts';
import {
  deletePolicyRow,
  findPolicy,
  insertPolicy,
  listPolicyRows,
  renderPolicy,
  updatePolicyRow,
} from './policy-queries.ts';

export function policyRoutes(database: Database): BoundRoute[] {
  const findOrThrow = async (id: number) => {
    const row = await findPolicy(database, id);
    if (row === undefined) throw new GatewayError('not_found', { message: `There is no policy ${id}` });
    return row;
  };

  return [
    bind(listPolicies, async () => ({ data: (await listPolicyRows(database)).map(renderPolicy) })),

    bind(createPolicy, async (call) => {
      const { body } = call;
      const file = parseFileOrThrow(body.document);
      const id = await audited(
        database,
        call,
        (transaction) => insertPolicy(transaction, file, body.active ?? true),
        (id) => ({ event: 'policy.created', resource: policyResource({ id, name: file.name }), after: file }),
      ).catch((error: unknown) => {
        throw violatedConstraint(error, 'unique') === undefined ? error : takenName(file.name);
      });
      return { data: renderPolicy(await findOrThrow(id)), message: 'Policy created' };
    }),

    bind(validatePolicy, ({ body }) => {
      const wrapped = typeof body['document'] === 'object';
      const { problems = [] } = parsePolicyFile(wrapped ? body['document'] : body);
      return { data: { valid: problems.length === 0, problems: [...problems] } };
    }),

    bind(getPolicy, async ({ params }) => ({ data: renderPolicy(await findOrThrow(params.id)) })),

    bind(updatePolicy, async (call) => {
      const { params, body } = call;
      const row = await findOrThrow(params.id);
      const file = body.document && parseFileOrThrow(body.document);
      if (file !== undefined) checkReplacementOrThrow(row, file);
      await audited(
        database,
        call,
        async (transaction) => {
          const before = await findPolicy(transaction, params.id);
          await updatePolicyRow(transaction, params.id, file, body.active);
          return { before, after: await findPolicy(transaction, params.id) };
        },
        ({ before, after }) => after && { event: 'policy.updated', resource: policyResource(after), before, after },
      );
      return { data: renderPolicy(await findOrThrow(params.id)), message: 'Policy updated' };
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

const policyResource = ({ id, name }: { readonly id: number; readonly name: string }) => ({ type: 'policy', id, name });

/** @throws {GatewayError} with the place of everything that is wrong with the file */
function parseFileOrThrow(document: unknown): PolicyFile {
  const { policy, problems } = parsePolicyFile(document);
  if (policy !== undefined) return policy;
  throw new GatewayError('bad_request', {
    message: 'The policy file is not valid. Nothing was changed',
    problems: problems.map(({ path, rule }) => ({ path: `/body/document${path}`, rule })),
  });
}

function checkReplacementOrThrow(row: { readonly name: string; readonly builtin: boolean }, file: PolicyFile): void {
  if (row.builtin) {
    throw new GatewayError('conflict', {
      message: `${row.name} comes with the gateway. Store the changed file under another name`,
    });
  }
  if (file.name !== row.name) {
    const rule = `must stay ${JSON.stringify(row.name)}: proxies assign policies by name`;
    throw new GatewayError('bad_request', { problems: [{ path: '/body/document/name', rule }] });
  }
}

const takenName = (name: string): GatewayError =>
  new GatewayError('conflict', { message: `There is a policy ${JSON.stringify(name)} already` });
