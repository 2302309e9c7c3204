import { refused, type DeliveryOutcome } from '../../senders/delivery-outcome.ts';
import type { HttpPost, HttpSender } from '../../senders/http-sender.ts';

/** Posts messages of one channel; while something is missing they are refused with what it is. */
export const createMessagePoster =
  <Message>(http: HttpSender, missing: string | undefined, render: (message: Message) => HttpPost) =>
  async (message: Message, signal: AbortSignal): Promise<DeliveryOutcome> =>
    missing === undefined ? http.post(render(message), signal) : refused(null, missing);
