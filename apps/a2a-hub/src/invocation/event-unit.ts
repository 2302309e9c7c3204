import type { StreamEvent } from '@portcullis/core/a2a/task';
import type { InspectedUnit } from '@portcullis/platform/inspection/inspected-unit';
import { eventContent } from '@portcullis/platform/inspection/task-content';

/** An event of an agent, with its texts. */
export interface EventUnit extends InspectedUnit {
  readonly event: StreamEvent;
}

/** @param before see `eventContent` @throws {NestedTooDeep} */
export const eventUnit = (event: StreamEvent, before?: string): EventUnit => ({
  event,
  content: eventContent(event, before),
});
