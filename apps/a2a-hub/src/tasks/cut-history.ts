import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import type { Task } from '@portcullis/core/a2a/task';

/** A task with the latest messages of its history: all of them where no length is asked for. */
export function cutHistory<Given extends Task>(task: Given, length: number | undefined): Given {
  if (length === undefined || task.history === undefined) return task;
  const history = length === 0 ? undefined : task.history.slice(-length);
  return omitUndefined({ ...task, history }) as Given;
}
