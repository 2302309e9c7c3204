import { hopHeader, hopsOf } from '../stages/check-hops.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { makeId } from '../invocation/task-ids.ts';

const parentFormat = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The headers that go with a call: its trace, and how often it has gone through the gateway. None of the caller's own. */
export function callHeaders(invocation: Invocation): Readonly<Record<string, string>> {
  const hops = String(hopsOf(invocation) + 1);
  invocation.traceparent ??= invocation.trace?.traceparentOfCall(invocation) ?? traceparentOf(invocation);
  // An agent that passes its trace on passes the hops on with it.
  return { [hopHeader]: hops, traceparent: invocation.traceparent, tracestate: `portcullis=${hops}` };
}

/** That of the caller, where there is one. */
function traceparentOf({ request }: Invocation): string {
  const given = request.headers['traceparent'];
  if (typeof given === 'string' && parentFormat.test(given)) return given;
  return `00-${makeId()}-${makeId().slice(0, 16)}-00`;
}
