import type { JsonPath } from '../json/visit-strings.ts';
import type { Artifact, Message, Part, StreamEvent, Task } from './task.ts';

/** A part, and where it stands in the object that it was found in. */
export interface PlacedPart {
  readonly part: Part;
  readonly path: JsonPath;
}

/** All parts of an event, in document order: of its message, or of the status, the artifacts and the history of its task. */
export function* messageParts(event: StreamEvent): Generator<PlacedPart, void> {
  if ('message' in event) yield* partsIn(event.message, ['message']);
  else if ('task' in event) yield* partsOfTask(event.task);
  else if ('statusUpdate' in event)
    yield* partsIn(event.statusUpdate.status.message, ['statusUpdate', 'status', 'message']);
  else yield* partsIn(event.artifactUpdate.artifact, ['artifactUpdate', 'artifact']);
}

function* partsOfTask({ status, artifacts = [], history = [] }: Task): Generator<PlacedPart, void> {
  yield* partsIn(status.message, ['task', 'status', 'message']);
  for (const [index, artifact] of artifacts.entries()) yield* partsIn(artifact, ['task', 'artifacts', index]);
  for (const [index, message] of history.entries()) yield* partsIn(message, ['task', 'history', index]);
}

function* partsIn(holder: Message | Artifact | undefined, path: JsonPath): Generator<PlacedPart, void> {
  for (const [index, part] of (holder?.parts ?? []).entries()) yield { part, path: [...path, 'parts', index] };
}
