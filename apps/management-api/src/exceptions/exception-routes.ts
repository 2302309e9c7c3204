import {
  createPolicyException,
  endPolicyException,
  getPolicyException,
  listPolicyExceptions,
  offerPolicyException,
  type PolicyException,
} from '@portcullis/contracts/routes/policy-exceptions';
import { audited } from '@portcullis/platform/audit/audited';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { countRows } from '@portcullis/platform/database/list-queries';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { sql } from 'kysely';
import { actorColumns } from '../alerts/change-alert-status.ts';
import { endExceptionRow, findException, insertException, listExceptions } from './exception-queries.ts';
import { checkScopeOrThrow, offerScope, problem, readScope } from './exception-scope.ts';

const longestMs = 90 * 86_400_000;
/** All are in the memory of every runtime. */
const maxActive = 1_000;

export const exceptionRoutes = (database: Database): BoundRoute[] => [
  bind(listPolicyExceptions, async ({ query }) => ({
    data: await readConsistent(database, async (moment) => ({
      ...(await listExceptions(moment, query)),
      limit: query.limit,
      offset: query.offset,
    })),
  })),

  bind(getPolicyException, async ({ params }) => ({ data: await findOrThrow(database, params.id) })),

  bind(offerPolicyException, async ({ params }) => ({
    data: await offerScope(database, params.id),
  })),

  bind(createPolicyException, async (call) => {
    const endsAt = parseEndOrThrow(call.body.ends_at);
    const scope = await readScope(database, call.body);
    const data = await audited(
      database,
      call,
      async (transaction) => {
        await checkScopeOrThrow(transaction, scope);
        await checkRoomOrThrow(transaction);
        const { reason, alert_id: alertId = null } = call.body;
        const by = actorColumns(call.caller).actor;
        const row = { ...scope, reason, alert_id: alertId, ends_at: endsAt, created_by: by };
        return findOrThrow(transaction, await insertException(transaction, row));
      },
      (after) => ({ event: 'policy.exception.created', resource: resourceOf(after), after }),
    );
    return { data, message: `Findings of ${data.rule_id} are excepted until ${data.ends_at}` };
  }),

  bind(endPolicyException, async (call) => {
    const { id } = call.params;
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await findOrThrow(transaction, id);
        if (before.state !== 'active')
          throw new GatewayError('conflict', { message: `Exception ${id} is ${before.state} already` });
        await endExceptionRow(transaction, id, actorColumns(call.caller).actor, call.body.reason ?? null);
        return { before, after: await findOrThrow(transaction, id) };
      },
      (change) => ({ event: 'policy.exception.ended', resource: resourceOf(change.after), ...change }),
    );
    return { data: after, message: 'The exception has ended' };
  }),
];

const resourceOf = ({ id, rule_id: name }: PolicyException) => ({ type: 'policy_exception', id, name });

async function findOrThrow(database: Queryable, id: number): Promise<PolicyException> {
  const found = await findException(database, id);
  if (found === undefined) throw new GatewayError('not_found', { message: `There is no exception ${id}` });
  return found;
}

function parseEndOrThrow(text: string): Date {
  const end = new Date(text);
  const fromNow = end.getTime() - Date.now();
  if (!(fromNow > 0)) throw problem('ends_at', 'must be in the future');
  if (fromNow > longestMs) throw problem('ends_at', 'must be within 90 days');
  return end;
}

async function checkRoomOrThrow({ kysely }: Queryable): Promise<void> {
  const active = await countRows(
    kysely
      .selectFrom('policy_exceptions')
      .where('ended_at', 'is', null)
      .where('ends_at', '>', sql<Date>`now()`),
  );
  if (active >= maxActive)
    throw new GatewayError('conflict', { message: `There can be ${maxActive} active exceptions` });
}
