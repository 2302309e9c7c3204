import {
  createSystemPrompt,
  deleteSystemPrompt,
  getSystemPrompt,
  listSystemPrompts,
  updateSystemPrompt,
  type SystemPrompt,
} from '@portcullis/contracts/routes/system-prompts';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import {
  deletePromptRow,
  findPrompt,
  insertPrompt,
  listPromptRows,
  renderPrompt,
  updatePromptRow,
} from './system-prompt-queries.ts';

export const systemPromptRoutes = (database: Database): BoundRoute[] => [
  bind(listSystemPrompts, async () => ({ data: (await listPromptRows(database)).map(renderPrompt) })),

  bind(getSystemPrompt, async ({ params }) => ({ data: await loadPromptOrThrow(database, params.id) })),

  bind(createSystemPrompt, async (call) => {
    const data = await audited(
      database,
      call,
      async (transaction) => loadPromptOrThrow(transaction, await insertPrompt(transaction, call.body)),
      (after) => ({ event: 'system_prompt.created', resource: resourceOf(after), after }),
    ).catch((error: unknown) => refuseTakenName(error, call.body.name));
    return { data, message: describeDone('System prompt created', data) };
  }),

  bind(updateSystemPrompt, async (call) => {
    const { id } = call.params;
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadPromptOrThrow(transaction, id);
        await updatePromptRow(transaction, id, call.body);
        return { before, after: await loadPromptOrThrow(transaction, id) };
      },
      (change) => ({ event: 'system_prompt.updated', resource: resourceOf(change.after), ...change }),
    ).catch((error: unknown) => refuseTakenName(error, call.body.name));
    return { data: after, message: describeDone('System prompt updated', after) };
  }),

  bind(deleteSystemPrompt, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadPromptOrThrow(transaction, call.params.id);
        await deletePromptRow(transaction, call.params.id);
        return before;
      },
      (before) => ({ event: 'system_prompt.deleted', resource: resourceOf(before), before }),
    );
    return { message: 'System prompt deleted, with all its assignments' };
  }),
];

const resourceOf = ({ id, name }: SystemPrompt) => ({ type: 'system_prompt', id, name });

export async function loadPromptOrThrow(database: Queryable, id: number): Promise<SystemPrompt> {
  const row = await findPrompt(database, id);
  if (row === undefined) throw unknownPrompt(id);
  return renderPrompt(row);
}

const unknownPrompt = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no system prompt ${id}` });

const describeDone = (done: string, { template_problems: problems }: SystemPrompt): string =>
  problems.length === 0 ? done : `${done}. Its template cannot be rendered: it will be skipped until that is mended`;

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is a system prompt ${JSON.stringify(name)} already` });
}
