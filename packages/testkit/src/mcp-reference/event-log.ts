import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface LoggedEvent {
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

/** The events of one session, kept so that a client can take up a stream where it was cut. */
export function createEventLog(): EventStore {
  const events: LoggedEvent[] = [];
  const eventAt = (id: string): LoggedEvent | undefined => events[Number(id)];

  return {
    async storeEvent(stream, message) {
      events.push({ stream, message });
      return String(events.length - 1);
    },
    getStreamIdForEventId: async (id) => eventAt(id)?.stream,
    async replayEventsAfter(lastId, { send }) {
      const stream = eventAt(lastId)?.stream ?? '';
      for (const [id, event] of events.entries()) {
        // An event without content only gave the stream its first id.
        const isEmpty = Object.keys(event.message).length === 0;
        if (id > Number(lastId) && event.stream === stream && !isEmpty) await send(String(id), event.message);
      }
      return stream;
    },
  };
}
