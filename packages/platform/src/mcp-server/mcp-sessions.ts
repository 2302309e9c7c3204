import { LruMap } from '@portcullis/core/collections/lru-map';
import type { Bus } from '../coordination/coordination.ts';
import type { McpSession, SessionSeal } from './session-seal.ts';

/** Sessions of clients up to revision 2025-11-25: their ids say everything, only ends are remembered. */
export interface McpSessions extends AsyncDisposable {
  start(): Promise<void>;
  open(clientName: string | undefined): string;
  /** Undefined for one that is not of this server, too old, or ended. */
  find(sealed: string): McpSession | undefined;
  /** Here at once, and in every other process as soon as it hears of it. */
  end(session: McpSession): Promise<void>;
}

/** Ends that are remembered; the oldest give way, and their sessions end with their age. */
const maxEnded = 10_000;
const maxIdLength = 64;

interface SessionParts {
  readonly seal: SessionSeal;
  readonly bus: Bus;
  readonly topic: string;
  readonly now?: () => number;
}

export function createMcpSessions({ seal, bus, topic, now = Date.now }: SessionParts): McpSessions {
  const ended = new LruMap<true>(maxEnded);
  let stop: (() => Promise<void>) | undefined;
  const forget = (id: string): void => ended.set(id, true);

  return {
    async start() {
      stop = await bus.subscribe(topic, (id) => {
        if (typeof id === 'string' && id.length <= maxIdLength) forget(id);
      });
    },
    open: (clientName) => seal.open(clientName, now()),
    find(sealed) {
      const session = seal.read(sealed, now());
      return session === undefined || ended.use(session.id) !== undefined ? undefined : session;
    },
    async end({ id }) {
      forget(id);
      await bus.publish(topic, id);
    },
    [Symbol.asyncDispose]: async () => stop?.(),
  };
}
