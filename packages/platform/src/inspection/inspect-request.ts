import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/collections/finish-steps';
import { decide } from '@portcullis/core/policy/verdict/decide';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import { isUnreadable } from './not-rewritable.ts';
import { RequestScan } from './request-scan.ts';
import type { RequestTexts } from './request-texts.ts';

/** Requests larger than this are scanned in slices, so that others go on meanwhile. */
const longRequest = 32_768;

/**
 * Runs policies over every text of a request, and has what they want hidden put out of the target's sight.
 * @param findPlan the policies of an exchange; undefined where it has none
 */
export const createInspectRequest = <Exchange, Part extends string = never>(
  findPlan: (exchange: Exchange) => PolicyPlan | undefined,
  openTexts: (exchange: Exchange) => RequestTexts<Part>,
): RequestStage<Exchange> => ({
  name: 'inspect-request',
  run(exchange): Verdict | Promise<Verdict> {
    const plan = findPlan(exchange);
    if (plan === undefined) return next;
    const texts = openTexts(exchange);
    if (plan.enforces && !texts.isReadable()) return deny('unreadable_body');
    const scan = new RequestScan<Part>(plan, texts.context, texts.findings, () => texts.findConversation?.());
    if (texts.size > longRequest) {
      return runTimeSliced(texts.scanCooperatively(scan))
        .then(() => (texts.findings.length === 0 ? next : runTimeSliced(settle(texts, scan))))
        .catch(refuse);
    }
    try {
      texts.scan(scan);
      return texts.findings.length === 0 ? next : finish(settle(texts, scan));
    } catch (error) {
      return refuse(error);
    }
  },
});

/** What the findings mean for the request. */
function* settle<Part extends string>(
  texts: RequestTexts<Part>,
  scan: RequestScan<Part>,
): Generator<undefined, Verdict> {
  if (decide(texts.findings).action === 'block' && !scan.replaceRefused()) return deny('policy_violation');
  const { toRedact } = scan;
  if (toRedact.length > 0) yield* texts.redact(toRedact);
  return next;
}

/** What is wrong with the request, if that is what the error says. */
function refuse(error: unknown): Verdict {
  if (isUnreadable(error)) return deny('bad_request', { message: error.message });
  throw error;
}
