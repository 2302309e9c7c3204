import {
  decideApprovals,
  getApproval,
  grantApproval,
  listApprovals,
  rejectApproval,
} from '@portcullis/contracts/routes/approvals';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { createAnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { readsCards } from './approval-filter.ts';
import { decideApproval, decideBatch, unknownApproval } from './decide-approvals.ts';
import { findApprovals } from './find-approvals.ts';
import { loadApproval } from './load-approval.ts';

export function approvalRoutes(
  { database, coordination }: Pick<Infrastructure, 'database' | 'coordination'>,
  scanner: DefinitionScanner,
): BoundRoute[] {
  const parts = { database, bus: coordination.bus, scanner, announce: createAnnounceSkill({ database, coordination }) };
  return [
    bind(listApprovals, async ({ query, caller }) => {
      if (query.kind === 'card' && !readsCards(caller)) throw new GatewayError('forbidden');
      return { data: await readConsistent(database, (moment) => findApprovals(moment, query, caller)) };
    }),

    bind(getApproval, async ({ params: { id }, caller }) => {
      if (id.startsWith('card-') && !readsCards(caller)) throw new GatewayError('forbidden');
      const approval = await readConsistent(database, (moment) => loadApproval(moment, id));
      if (approval === undefined) throw unknownApproval(id);
      return { data: approval };
    }),

    bind(decideApprovals, async (call) => {
      const result = await decideBatch(parts, call, call.body);
      const verb = result.dry_run ? 'would be decided' : 'are decided';
      return { data: result, message: `${result.decided} of ${result.matched} ${verb}` };
    }),

    bind(grantApproval, async (call) => ({
      data: await decideApproval(parts, call, { ...call.params, ...call.body }, { decision: 'approved', ...call.body }),
      message: 'Approved',
    })),

    bind(rejectApproval, async (call) => ({
      data: await decideApproval(parts, call, { ...call.params, ...call.body }, { decision: 'rejected', ...call.body }),
      message: 'Rejected',
    })),
  ];
}
