import type { ServiceHealth } from '@portcullis/platform/service/service';
import type { RuntimeReport } from '../listeners/state-reporter.ts';
import type { TargetNews } from '../target/target-pool.ts';
import type { ProxyStats } from '../listeners/proxy-stats.ts';

/** What a worker tells the process that supervises it. Both run the same code, so nothing is checked. */
export type WorkerMessage =
  | ({ readonly kind: 'states' } & RuntimeReport)
  | { readonly kind: 'stats'; readonly stats: readonly (readonly [proxyId: number, ProxyStats])[] }
  | { readonly kind: 'health'; readonly health: ServiceHealth }
  | { readonly kind: 'take slot'; readonly call: number; readonly proxyId: number; readonly limit: number }
  | { readonly kind: 'free slot'; readonly proxyId: number }
  | TargetMessage;

/** What a worker learned of a target; the supervising process passes it on to the others as it is. */
export interface TargetMessage {
  readonly kind: 'target';
  readonly news: TargetNews;
}

/** The answer to `take slot`. */
export interface SlotAnswer {
  readonly kind: 'slot';
  readonly call: number;
  readonly taken: boolean;
}

/** The way to the supervising process. */
export interface SupervisorChannel {
  send(message: WorkerMessage): void;
  onAnswer(listener: (answer: SlotAnswer) => void): void;
  onNews(listener: (news: TargetNews) => void): void;
}

/** The channel of this process. @throws where it has no supervisor */
export function openSupervisorChannel(): SupervisorChannel {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('This process is no worker');
  return {
    // A supervisor that has gone takes this process with it.
    send: (message) => void send(message, undefined, undefined, () => undefined),
    onAnswer: (listener) => listenFor('slot', listener),
    onNews: (listener) => listenFor('target', ({ news }: TargetMessage) => listener(news)),
  };
}

const listenFor = <Message extends SlotAnswer | TargetMessage>(
  kind: Message['kind'],
  listener: (message: Message) => void,
): void =>
  void process.on('message', (message) => {
    if ((message as Partial<Message>).kind === kind) listener(message as Message);
  });
