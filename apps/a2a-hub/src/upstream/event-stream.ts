import { parseStreamEvent } from '@portcullis/core/a2a/parse-task';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { StreamEvent } from '@portcullis/core/a2a/task';
import { createSseFramer, EventTooLarge, type SseEvent } from '@portcullis/platform/http/sse-framer';
import { AgentFailure } from './agent-failure.ts';
import type { CallLimits } from './call-limits.ts';
import { readAnswer, readErrorEvent } from './read-answer.ts';
import { readFault } from './read-fault.ts';

/** Reads the events of a stream as they come, within bounds. @throws {AgentFailure} */
export async function* readEventStream(
  body: AsyncIterable<Buffer>,
  { route, id }: { readonly route: Route; readonly id: string },
  limits: CallLimits,
): AsyncGenerator<StreamEvent, void> {
  const framer = createSseFramer(limits.eventBytes);
  let [events, bytes] = [0, 0];
  const read = (event: SseEvent): StreamEvent | undefined => {
    if (event.data === undefined) return undefined;
    events += 1;
    if (events > limits.streamEvents) throw tooLarge(`more than ${limits.streamEvents} events`);
    if (isErrorEvent(event)) throw readErrorEvent(event.data, route, id);
    return readAnswer(event.data, { route, id, status: 200, read: parseStreamEvent });
  };
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > limits.streamBytes) throw tooLarge(`more than ${limits.streamBytes} bytes`);
      for (const event of framer.push(chunk)) {
        const found = read(event);
        if (found !== undefined) yield found;
      }
    }
    const last = framer.end();
    const found = last && read(last);
    if (found !== undefined) yield found;
  } catch (error) {
    throw error instanceof EventTooLarge
      ? tooLarge(`an event of more than ${limits.eventBytes} bytes`)
      : readFault(error);
  }
}

const isErrorEvent = ({ lines }: SseEvent): boolean => lines !== undefined && /^event: ?error$/m.test(lines);

const tooLarge = (what: string): AgentFailure => new AgentFailure('too_large', `The agent streamed ${what}`);
