import {
  assignGuardrailProvider,
  listGuardrailAssignments,
  removeGuardrailAssignment,
  updateGuardrailAssignment,
  type GuardrailAssignment,
} from '@portcullis/contracts/routes/guardrail-providers';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import { findUserGroup } from '../user-groups/user-group-queries.ts';
import {
  deleteAssignmentRow,
  findAssignment,
  insertAssignment,
  loadAssignmentPage,
  updateAssignmentRow,
} from './assignment-queries.ts';
import { loadProviderOrThrow, providerResource } from './provider-routes.ts';

export const guardrailAssignmentRoutes = (database: Database): BoundRoute[] => [
  bind(listGuardrailAssignments, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadAssignmentPage(moment, query)),
  })),

  bind(assignGuardrailProvider, async (call) => {
    const { id } = call.params;
    const { user_group_id: groupId = null, ...fields } = call.body;
    const data = await audited(
      database,
      call,
      async (transaction) => {
        await loadProviderOrThrow(transaction, id);
        await checkPlaceOrThrow(transaction, fields.proxy_id, groupId);
        const values = { ...fields, provider_id: id, user_group_id: groupId };
        return loadAssignmentOrThrow(transaction, id, await insertAssignment(transaction, values));
      },
      (after) => ({ event: 'guardrail.provider.assigned', resource: resourceOf(after), after }),
    ).catch((error: unknown) => refuseTwice(error));
    return { data, message: 'Guardrail provider assigned' };
  }),

  bind(updateGuardrailAssignment, async (call) => {
    const { id, assignmentId } = call.params;
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadAssignmentOrThrow(transaction, id, assignmentId);
        await updateAssignmentRow(transaction, assignmentId, call.body);
        return { before, after: await loadAssignmentOrThrow(transaction, id, assignmentId) };
      },
      (change) => ({ event: 'guardrail.provider.assigned', resource: resourceOf(change.after), ...change }),
    );
    return { data: after, message: 'Assignment updated' };
  }),

  bind(removeGuardrailAssignment, async (call) => {
    const { id, assignmentId } = call.params;
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadAssignmentOrThrow(transaction, id, assignmentId);
        await deleteAssignmentRow(transaction, assignmentId);
        return before;
      },
      (before) => ({ event: 'guardrail.provider.unassigned', resource: resourceOf(before), before }),
    );
    return { message: 'Guardrail provider taken from the proxy' };
  }),
];

const resourceOf = (assignment: GuardrailAssignment) =>
  providerResource({ id: assignment.provider_id, name: assignment.provider_name });

async function loadAssignmentOrThrow(
  database: Queryable,
  providerId: number,
  id: number,
): Promise<GuardrailAssignment> {
  const assignment = await findAssignment(database, providerId, id);
  if (assignment === undefined) {
    throw new GatewayError('not_found', { message: `Guardrail provider ${providerId} has no assignment ${id}` });
  }
  return assignment;
}

async function checkPlaceOrThrow(database: Queryable, proxyId: number, groupId: number | null): Promise<void> {
  await findProxyOrThrow(database, proxyId);
  if (groupId !== null && (await findUserGroup(database, groupId)) === undefined) {
    throw new GatewayError('not_found', { message: `There is no user group ${groupId}` });
  }
}

function refuseTwice(error: unknown): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: 'The provider is assigned there already' });
}
