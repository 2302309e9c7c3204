import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding } from '@portcullis/core/policy/policy';
import type { Exchange } from '../exchange/exchange.ts';
import { pieceContext } from './exchange-facts.ts';

type Values = Readonly<Record<string, string | string[] | undefined>>;

const none: ReadonlySet<string> = new Set();

const isEnforced = (finding: Finding): boolean => ['block', 'redact'].includes(enforcedAction(finding));

/** Numbers, dates, and ids in hexadecimal digits: they differ in every answer and leave no room for words. */
const wordless =
  /^(?:\d[\d.]{0,11}m?s?|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:req_)?[\da-f]{8}[\da-f-]{0,32}(?:-[A-Z]{3})?)$/;

const requestId = /^[\w-]{8,64}$/;

/** Cookies are random, by the kilobyte, and no client shows them. */
const isUnread = (name: string, value: string): boolean =>
  name === 'set-cookie' || wordless.test(value) || (name === 'request-id' && requestId.test(value));

/**
 * Tells which headers or trailers of an answer stay here, since policies want something in them blocked or hidden: a
 * client needs its answer more than one of them. What was found is noted in the exchange.
 */
export function findHiddenHeaders(exchange: Exchange, headers: Values): ReadonlySet<string> {
  const plan = exchange.proxy.policies;
  if (plan === undefined) return none;
  const context = pieceContext(exchange);
  let hidden: Set<string> | undefined;
  for (const name in headers) {
    const value = String(headers[name] ?? '');
    if (isUnread(name, value)) continue;
    const findings = plan.scan(`${name}\n${value}`, context);
    if (findings.length === 0) continue;
    const location = `header ${name.slice(0, 60)}`;
    for (const finding of findings) {
      exchange.findings.push({ ...finding, direction: 'response', location, origin: context.origin });
    }
    if (findings.some(isEnforced)) (hidden ??= new Set()).add(name);
  }
  return hidden ?? none;
}
