import { objectOf, type JsonObject } from '@portcullis/core/json/json-object';
import type { JsonPath } from '@portcullis/core/json/visit-strings';

/** Where a message names a task, and how it is called there. */
export interface TaskReference {
  readonly path: JsonPath;
  readonly taskId: string;
  /** The message is about this task and comes to nothing without it. */
  readonly isAsked: boolean;
}

const relatedTask = 'io.modelcontextprotocol/related-task';

const ofTasks: ReadonlySet<unknown> = new Set(['tasks/get', 'tasks/update', 'tasks/result', 'tasks/cancel']);

/** Each message of a body with the path to it. */
const placed = (body: unknown): readonly (readonly [message: JsonObject, path: JsonPath])[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message, index) => {
    const object = objectOf(message);
    return object === undefined ? [] : [[object, Array.isArray(body) ? [index] : []] as const];
  });

const placeAt = (value: unknown, path: JsonPath, isAsked = false): readonly TaskReference[] =>
  typeof value === 'string' ? [{ path, taskId: value, isAsked }] : [];

const placesOfList = (list: unknown, path: JsonPath): readonly TaskReference[] =>
  Array.isArray(list) ? list.flatMap((value, index) => placeAt(value, [...path, index], true)) : [];

/** What a message of either side says that it belongs to. */
const related = (holder: JsonObject | undefined, path: JsonPath, isAsked = false): readonly TaskReference[] =>
  placeAt(
    objectOf(objectOf(holder?.['_meta'])?.[relatedTask])?.['taskId'],
    [...path, '_meta', relatedTask, 'taskId'],
    isAsked,
  );

/** Where a client names tasks of the server. Those that it has itself stand in its answers, and in what servers ask. */
export function tasksInRequest(body: unknown): readonly TaskReference[] {
  return placed(body).flatMap(([message, path]) => {
    const [params, result] = [objectOf(message['params']), objectOf(message['result'])];
    const at = [...path, 'params'];
    if (typeof message['method'] !== 'string') return related(result, [...path, 'result']);
    const own = ofTasks.has(message['method']) ? placeAt(params?.['taskId'], [...at, 'taskId'], true) : [];
    const watched = message['method'] === 'subscriptions/listen' ? params : undefined;
    return [
      ...own,
      ...related(params, at, true),
      ...placesOfList(watched?.['taskIds'], [...at, 'taskIds']),
      ...placesOfList(objectOf(watched?.['notifications'])?.['taskIds'], [...at, 'notifications', 'taskIds']),
    ];
  });
}

/** Where a server names its tasks: in the answers to what begins them and asks about them, and in what it tells unasked. */
export function tasksInAnswer(body: unknown): readonly TaskReference[] {
  return placed(body).flatMap(([message, path]) => {
    const [params, result] = [objectOf(message['params']), objectOf(message['result'])];
    const [inParams, inResult] = [
      [...path, 'params'],
      [...path, 'result'],
    ];
    const { method } = message;
    if (typeof method === 'string') {
      const status = method.startsWith('notifications/tasks') ? params : undefined;
      return [...placeAt(status?.['taskId'], [...inParams, 'taskId']), ...related(params, inParams)];
    }
    if (result === undefined) return [];
    const isTask = typeof result['status'] === 'string' || result['resultType'] === 'task';
    return [
      ...(isTask ? placeAt(result['taskId'], [...inResult, 'taskId']) : []),
      ...placeAt(objectOf(result['task'])?.['taskId'], [...inResult, 'task', 'taskId']),
      ...listed(result['tasks'], [...inResult, 'tasks']),
      ...related(result, inResult),
    ];
  });
}

const listed = (tasks: unknown, path: JsonPath): readonly TaskReference[] =>
  Array.isArray(tasks)
    ? tasks.flatMap((task, index) => placeAt(objectOf(task)?.['taskId'], [...path, index, 'taskId']))
    : [];
