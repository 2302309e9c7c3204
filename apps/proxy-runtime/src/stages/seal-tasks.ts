import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { Exchange } from '../exchange/exchange.ts';
import type { Holder, SessionSeals } from '../mcp/session-seals.ts';
import { tasksInAnswer } from '../mcp/task-references.ts';
import { createMessageRewriter } from '../framing/unit-filter.ts';
import { parseData } from '../framing/parse-data.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

function sealTasks(source: string, holder: Holder, tasks: SessionSeals): string {
  const changes = new JsonChanges();
  for (const { path, taskId } of tasksInAnswer(parseData(source))) {
    // Half a character would not come back as it went.
    if (taskId.isWellFormed()) changes.set(path, false, tasks.seal(holder, taskId));
  }
  return spliceJson(source, changes);
}

/** What servers may answer with a task, or tell of one on a stream that stays open. */
const mayTellTasks: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'subscriptions/listen',
  'tasks/list',
  'tasks/get',
  'tasks/update',
  'tasks/result',
  'tasks/cancel',
]);

/** Tells clients the tasks of a server by ids that are good for their own key. Comes behind the policies. */
export const createSealTasks = (tasks: SessionSeals): ResponseStage<Exchange, StreamUnit> => ({
  name: 'seal-tasks',
  open(exchange) {
    const { json, proxy, request } = exchange;
    const keyId = callerNumber(exchange);
    if (keyId === undefined) return undefined;
    const mayTell = request.method === 'GET' || callsOf(json).some(({ method }) => mayTellTasks.has(method));
    if (!mayTell) return undefined;
    const holder = { proxyId: proxy.id, keyId };
    return createMessageRewriter(
      (message) => tasksInAnswer(message).length > 0,
      (source) => sealTasks(source, holder, tasks),
    );
  },
});
