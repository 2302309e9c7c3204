import type { SpoolRecord } from '@portcullis/contracts/records';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { next, type RequestStage, type Verdict, deny } from '@portcullis/core/pipeline/stage';
import type { GuardrailMessage } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import type { Exchange } from '../exchange/exchange.ts';
import { CheckLedger, type Check } from '../exchange/check-ledger.ts';
import type { GuardrailService } from '../guardrails/guardrail-service.ts';
import { canBlock, guardrailsFor, type GuardrailEntry, type GuardrailList } from '../snapshot/guardrail-entry.ts';
import { denialOf } from '../guardrails/check-denial.ts';
import { readRequest } from '../guardrails/read-messages.ts';
import { renderCheck } from '../guardrails/render-checks.ts';

export interface GuardrailParts {
  readonly service: Pick<GuardrailService, 'ask' | 'watch'>;
  /** Takes records of checks that end after their exchange. */
  readonly appendLate: (records: readonly SpoolRecord[]) => void;
}

/** Asks the providers about the request. Those that only monitor are asked too, and keep no client waiting. */
export const createAskGuardrails = ({ service, appendLate }: GuardrailParts): RequestStage<Exchange> => ({
  name: 'ask-guardrails',
  run(exchange) {
    if (exchange.proxy.guardrails === undefined) return next;
    const { request } = guardrailsFor(exchange.proxy.guardrails, exchange.group?.id);
    exchange.guardrails = new CheckLedger((check) => appendLate(renderCheck(exchange, check)));
    if (request.length === 0) return next;
    try {
      return askAbout(exchange, exchange.guardrails, request, service);
    } catch (error) {
      if (error instanceof NestedTooDeep) return deny('bad_request', { message: error.message });
      throw error;
    }
  },
});

function askAbout(
  exchange: Exchange,
  ledger: CheckLedger,
  guardrails: GuardrailList,
  service: GuardrailParts['service'],
): Verdict | Promise<Verdict> {
  const read = new Map<GuardrailEntry['scope'], readonly GuardrailMessage[]>();
  for (const { scope } of guardrails) if (!read.has(scope)) read.set(scope, readRequest(exchange, scope));
  const messagesFor = ({ scope }: GuardrailEntry) => read.get(scope) ?? [];
  const questionFor = (guardrail: GuardrailEntry) =>
    ({ direction: 'request', messages: messagesFor(guardrail) }) as const;
  const concerned = guardrails.filter((guardrail) => messagesFor(guardrail).length > 0);
  const monitors = concerned.filter((guardrail) => !canBlock(guardrail));
  if (monitors.length > 0) service.watch(monitors, questionFor, ledger);
  const blockers = concerned.filter(canBlock);
  return blockers.length === 0
    ? next
    : waitFor(exchange, (signal) => service.ask(blockers, questionFor, { ledger, signal }));
}

/** Until the first one blocks, all have answered, or the client has gone. */
async function waitFor(
  { request: { socket } }: Exchange,
  ask: (signal: AbortSignal) => Promise<Check | undefined>,
): Promise<Verdict> {
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  socket.once('close', giveUp);
  const blocking = await ask(stop.signal);
  socket.off('close', giveUp);
  // What else is still asked changes nothing any more.
  stop.abort();
  if (blocking === undefined) return next;
  return { kind: 'deny', denial: denialOf(blocking) };
}
