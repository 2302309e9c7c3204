import { setAccessPrompt, type ProxyAccess } from '@portcullis/contracts/routes/proxy-access';
import {
  assignPromptToProxy,
  assignPromptToUserGroup,
  listProxyPrompts,
  removePromptAssignment,
  type PromptAssignment,
} from '@portcullis/contracts/routes/system-prompts';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import { findAccess, renderAccess, updateAccess } from '../user-groups/proxy-access-queries.ts';
import {
  deleteAssignment,
  findAssignment,
  findProxyAssignment,
  listAccessPrompts,
  renderAssignment,
  replaceProxyAssignment,
} from './assignment-queries.ts';
import { loadPromptOrThrow } from './system-prompt-routes.ts';

export const promptAssignmentRoutes = (database: Database): BoundRoute[] => [
  bind(listProxyPrompts, async ({ params }) => {
    await findProxyOrThrow(database, params.id);
    const assignment = await findProxyAssignment(database, params.id);
    return {
      data: {
        proxy_id: params.id,
        proxy_assignments: assignment === undefined ? [] : [renderAssignment(assignment)],
        access_assignments: await listAccessPrompts(database, params.id),
      },
    };
  }),

  bind(assignPromptToProxy, async (call) => {
    const { after } = await audited(
      database,
      call,
      (transaction) => assign(transaction, call.params, call.body.priority),
      (change) => ({ event: 'system_prompt.assigned', resource: resourceOf(change.after), ...change }),
    );
    return { data: after, message: 'System prompt assigned' };
  }),

  bind(assignPromptToUserGroup, ({ params }) => {
    throw new GatewayError('gone', {
      message:
        'System prompts are assigned per team and proxy: PATCH ' +
        `/api/v1/user-groups/${params.groupId}/proxy-access/{accessId} with {"system_prompt_id": ${params.id}}`,
    });
  }),

  bind(setAccessPrompt, async (call) => {
    const { after } = await audited(
      database,
      call,
      (transaction) => changeAccessPrompt(transaction, call.params, call.body.system_prompt_id),
      ({ before, after }) => ({
        event: after.system_prompt_id === null ? 'system_prompt.unassigned' : 'system_prompt.assigned',
        resource: { type: 'proxy_access', id: after.id, name: after.proxy_name },
        before,
        after,
      }),
    );
    return { data: after, message: 'System prompt of the team set' };
  }),

  bind(removePromptAssignment, async (call) => {
    const { assignmentId } = call.params;
    await audited(
      database,
      call,
      async (transaction) => {
        const row = await findAssignment(transaction, assignmentId);
        if (row === undefined) {
          throw new GatewayError('not_found', { message: `There is no assignment ${assignmentId}` });
        }
        await deleteAssignment(transaction, assignmentId);
        return renderAssignment(row);
      },
      (before) => ({ event: 'system_prompt.unassigned', resource: resourceOf(before), before }),
    );
    return { message: 'System prompt taken from the proxy' };
  }),
];

interface Replacement {
  readonly before: PromptAssignment | undefined;
  readonly after: PromptAssignment;
}

async function assign(
  transaction: Queryable,
  { id, proxyId }: { readonly id: number; readonly proxyId: number },
  priority: number | undefined,
): Promise<Replacement> {
  const prompt = await loadPromptOrThrow(transaction, id);
  await checkTakesPromptsOrThrow(transaction, proxyId);
  const before = await loadProxyAssignment(transaction, proxyId);
  await replaceProxyAssignment(transaction, {
    proxy_id: proxyId,
    system_prompt_id: id,
    priority: priority ?? prompt.priority,
  });
  const after = await loadProxyAssignment(transaction, proxyId);
  if (after === undefined) throw new Error(`The assignment of proxy ${proxyId} vanished`);
  return { before, after };
}

async function changeAccessPrompt(
  transaction: Queryable,
  { id, accessId }: { readonly id: number; readonly accessId: number },
  promptId: number | null,
): Promise<{ readonly before: ProxyAccess; readonly after: ProxyAccess }> {
  const before = await findAccess(transaction, id, accessId);
  if (before === undefined) throw unknownAccess(id, accessId);
  if (promptId !== null) {
    await loadPromptOrThrow(transaction, promptId);
    await checkTakesPromptsOrThrow(transaction, before.proxy_config_id);
  }
  const after = await updateAccess(transaction, id, accessId, { system_prompt_id: promptId });
  if (after === undefined) throw unknownAccess(id, accessId);
  return { before: renderAccess(before), after: renderAccess(after) };
}

const unknownAccess = (groupId: number, accessId: number): GatewayError =>
  new GatewayError('not_found', { message: `User group ${groupId} has no access entry ${accessId}` });

async function loadProxyAssignment(database: Queryable, proxyId: number): Promise<PromptAssignment | undefined> {
  const row = await findProxyAssignment(database, proxyId);
  return row && renderAssignment(row);
}

/** @throws {GatewayError} when there is no such proxy, or it is none for LLM traffic, which alone carries prompts */
async function checkTakesPromptsOrThrow(database: Queryable, proxyId: number): Promise<void> {
  const proxy = await findProxyOrThrow(database, proxyId);
  if (proxy.type === 'llm') return;
  throw new GatewayError('bad_request', {
    message: `The proxy ${JSON.stringify(proxy.name)} is not an LLM proxy: system prompts are injected into LLM requests only`,
  });
}

const resourceOf = (assignment: PromptAssignment) => ({
  type: 'system_prompt',
  id: assignment.system_prompt_id,
  name: assignment.system_prompt_name,
});
