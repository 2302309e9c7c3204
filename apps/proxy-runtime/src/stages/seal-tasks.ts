import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { Exchange } from '../exchange.ts';
import type { Holder, SessionSeals } from '../mcp/session-seals.ts';
import { tasksInAnswer } from '../mcp/task-places.ts';
import { rewriteJson } from '../redaction/rewrite-unit.ts';
import { parseData } from '../traffic/readers/parse-data.ts';
import type { StreamUnit } from '../traffic/stream-unit.ts';

const cut: StreamVerdict<StreamUnit> = { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };

class TaskSealer implements ResponseFilter<StreamUnit> {
  readonly #holder: Holder;
  readonly #tasks: SessionSeals;

  constructor(holder: Holder, tasks: SessionSeals) {
    this.#holder = holder;
    this.#tasks = tasks;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (content.kind !== 'value' || tasksInAnswer(content.value).length === 0)
      return { kind: 'release', units: [unit] };
    try {
      return { kind: 'release', units: [rewriteJson(unit, (source) => this.#seal(source))] };
    } catch (error) {
      if (error instanceof NestedTooDeep || error instanceof RepeatedKey || error instanceof NotRewritable) return cut;
      throw error;
    }
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }

  /** Of what stands there now: policies may have redacted it. */
  #seal(source: string): string {
    const changes = new JsonChanges();
    for (const { path, taskId } of tasksInAnswer(parseData(source))) {
      // Half a character would not come back as it went.
      if (taskId.isWellFormed()) changes.set(path, false, this.#tasks.seal(this.#holder, taskId));
    }
    return spliceJson(source, changes);
  }
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
    return mayTell ? new TaskSealer({ proxyId: proxy.id, keyId }, tasks) : undefined;
  },
});
