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

    bind(createPolicy, async ({ body }) => {
      const file = parseFileOrThrow(body.document);
      const id = await insertPolicy(database, file, body.active ?? true).catch((error: unknown) => {
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

    bind(updatePolicy, async ({ params, body }) => {
      const row = await findOrThrow(params.id);
      const file = body.document && parseFileOrThrow(body.document);
      if (file !== undefined) checkReplacementOrThrow(row, file);
      await updatePolicyRow(database, params.id, file, body.active);
      return { data: renderPolicy(await findOrThrow(params.id)), message: 'Policy updated' };
    }),

    bind(deletePolicy, async ({ params }) => {
      const row = await findOrThrow(params.id);
      if (row.builtin) {
        throw new GatewayError('conflict', { message: `${row.name} comes with the gateway. Switch it off instead` });
      }
      await deletePolicyRow(database, params.id);
      return { message: 'Policy deleted, and taken from every proxy' };
    }),
  ];
}

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
