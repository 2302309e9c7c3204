import type { ListTasksCall } from '@portcullis/core/a2a/call';
import type { PageTokens } from '@portcullis/core/a2a/page-token';
import type { TaskPage } from '@portcullis/core/a2a/task';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { cutHistory } from '../tasks/cut-history.ts';
import type { TaskPlace } from '../tasks/task-queries.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { Invocation } from '../invocation/invocation.ts';

const defaultPageSize = 50;

/** A page of the caller's tasks of an agent, as the gateway knows them; undefined for a token that is none of this list. */
export async function listTasks(
  { proxy, owner, user, surface }: Pick<Invocation, 'proxy' | 'owner' | 'user' | 'surface'>,
  call: ListTasksCall,
  store: TaskStore,
  tokens: PageTokens,
): Promise<TaskPage | undefined> {
  const {
    contextId,
    state,
    pageSize = defaultPageSize,
    pageToken,
    historyLength,
    includeArtifacts,
    statusTimestampAfter,
  } = call;
  const viewer = user?.role === 'admin' ? undefined : owner;
  const scope = JSON.stringify([proxy.id, viewer ?? `all ${owner}`, contextId, state, statusTimestampAfter]);
  const behind = pageToken === undefined ? undefined : parsePlace(tokens.open(pageToken, scope));
  if (pageToken !== undefined && behind === undefined) return undefined;
  const changedAfter = statusTimestampAfter === undefined ? undefined : new Date(statusTimestampAfter);
  const page = { behind, limit: pageSize + 1 };
  const { tasks, total } = await store.list(proxy.id, viewer, { contextId, state, changedAfter }, page);
  const shown = tasks.slice(0, pageSize);
  const last = tasks.length > pageSize ? shown.at(-1) : undefined;
  // The REST API returns tasks whole; 1.0 leaves artifacts out of lists unless they are asked for.
  const isWhole = surface.name === 'rest' || includeArtifacts === true;
  return {
    tasks: shown.map(({ task }) => {
      const cut = cutHistory(task, historyLength);
      return isWhole ? cut : omitUndefined({ ...cut, artifacts: undefined });
    }),
    nextPageToken: last === undefined ? '' : tokens.seal(`${last.changedAt.toISOString()} ${last.task.id}`, scope),
    pageSize,
    totalSize: total,
  };
}

function parsePlace(position: string | undefined): TaskPlace | undefined {
  const [time = '', id] = position?.split(' ') ?? [];
  return id === undefined ? undefined : { changedAt: new Date(time), id };
}
