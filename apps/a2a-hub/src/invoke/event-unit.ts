import type { StreamEvent } from '@portcullis/core/a2a/task';
import type { InspectedUnit } from '@portcullis/platform/inspection/inspected-unit';
import { eventContent } from '@portcullis/platform/inspection/task-content';

/** An event of an agent, with its texts. */
export interface EventUnit extends InspectedUnit {
  readonly event: StreamEvent;
}

/** @throws {NestedTooDeep} */
export const eventUnit = (event: StreamEvent): EventUnit => ({ event, content: eventContent(event) });
