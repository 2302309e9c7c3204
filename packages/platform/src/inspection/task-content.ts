import { artifactChannel, isTaskId, isTaskText, replaceTexts, textsOf } from '@portcullis/core/a2a/task-texts';
import type { Message, StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { UnitChanges } from './answer-texts.ts';
import type { StreamText, UnitContent, ValueContent } from './inspected-unit.ts';
import { NotRewritable } from './not-rewritable.ts';

/** The texts of a message or task that is there as a whole. Its ids and states are none. */
export const taskContent = (value: Message | Task | StreamEvent): ValueContent => ({
  kind: 'value',
  value,
  isText: isTaskText,
});

/**
 * The texts of an event of a stream: those of an artifact go on from one update to the next.
 * @param before what the artifact said already that no update of this stream has sent
 * @throws {NestedTooDeep}
 */
export const eventContent = (event: StreamEvent, before = ''): UnitContent =>
  'artifactUpdate' in event ? { kind: 'texts', texts: [...piecesOf(event, before)] } : taskContent(event);

function* piecesOf(event: StreamEvent, before: string): Generator<StreamText, void> {
  if (before !== '' && 'artifactUpdate' in event) {
    // It stands nowhere in the event: nothing of it can be rewritten.
    yield { channel: artifactChannel(event.artifactUpdate.artifact), text: before, path: [], isKey: false };
  }
  for (const { text, path, isKey, channel } of textsOf(event)) {
    const piece = { text, path, isKey };
    yield channel === undefined ? { ...piece, channel: 'event', alone: true } : { ...piece, channel };
  }
}

/** A message, task or event with other texts, and all else in it as it was. @throws {NotRewritable} for a key or an id */
export function rewriteTask<Given extends Message | Task | StreamEvent>(
  value: Given,
  { changes, numbers }: Pick<UnitChanges, 'changes' | 'numbers'>,
): Given {
  const texts = [...changes.values()];
  if (texts.some(({ isKey }) => isKey)) throw new NotRewritable('A key is to be hidden');
  if (texts.some(({ path }) => isTaskId(path))) throw new NotRewritable('An id is to be hidden');
  return replaceTexts(value, [...texts, ...numbers]);
}
