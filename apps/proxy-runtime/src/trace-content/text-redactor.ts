import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { compileCooperatively } from '@portcullis/core/policy/compile/compile-policies';
import type { PolicyPlan, ScanContext } from '@portcullis/core/policy/policy';
import { addSpan, type MergedSpan } from '@portcullis/core/policy/redaction/merge-spans';
import type { HiddenOriginal } from './hidden-originals.ts';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';

/** The built-in policies that know credentials and personal data. They hold here for all proxies, assigned or not, as they were built in. */
const policies = builtinPolicies.filter(({ name }) =>
  ['llm-data-redaction', 'llm-compliance-gdpr', 'llm-compliance-apac'].includes(name),
);

export interface RedactedTexts {
  readonly parts: readonly string[];
  readonly cut: boolean;
}

export interface RedactTask {
  /** Characters that are shown; what lies beyond is only read. */
  readonly room: number;
  readonly direction: ScanContext['direction'];
  /** Hidden as well. */
  readonly originals: readonly HiddenOriginal[];
}

/** Takes credentials and personal data out of texts that leave the gateway for no party of the conversation. */
export class TextRedactor {
  #plan: Promise<PolicyPlan> | undefined;

  /** Compiles its rules, which takes a while the first time. */
  prepare(): Promise<PolicyPlan> {
    return (this.#plan ??= runTimeSliced(compileCooperatively(policies)));
  }

  /**
   * @param parts that follow each other; what stands across the seam of two is found too
   */
  async redact(parts: readonly string[], task: RedactTask): Promise<RedactedTexts> {
    return runTimeSliced(redactParts(await this.prepare(), parts, task));
  }
}

function* redactParts(
  plan: PolicyPlan,
  parts: readonly string[],
  { room, direction, originals }: RedactTask,
): Generator<undefined, RedactedTexts> {
  const context: ScanContext = { direction, protocol: 'llm' };
  const whole = parts.join('');
  const spans = yield* findSpans(plan, whole, context);
  let start = 0;
  for (const part of parts) {
    if (parts.length > 1) {
      for (const span of yield* findSpans(plan, part, context)) addSpan(spans, moved(span, start));
    }
    start += part.length;
  }
  for (const hidden of originals) {
    addOriginal(spans, whole, hidden);
    yield;
  }
  const shown: string[] = [];
  start = 0;
  for (const part of parts) {
    const end = Math.min(start + part.length, room);
    if (end > start) shown.push(hide(whole, spans, start, end));
    start += part.length;
  }
  return { parts: shown, cut: whole.length > room };
}

/** What stands in their place is their type. */
function* findSpans(plan: PolicyPlan, text: string, context: ScanContext): Generator<undefined, MergedSpan[]> {
  const spans: MergedSpan[] = [];
  for (const { action, start, end, type } of yield* plan.scanCooperatively(text, context)) {
    // Where its place is not known exactly, all that surrounds it goes.
    if (action === 'redact' || action === 'block') addSpan(spans, { start, end, type: `<${type}>` });
  }
  return spans;
}

/** As it is, and as it stands in JSON source. */
function addOriginal(spans: MergedSpan[], text: string, { original, instead }: HiddenOriginal): void {
  for (const form of new Set([original, JSON.stringify(original).slice(1, -1)])) {
    if (form === '') continue;
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
      addSpan(spans, { start: at, end: at + form.length, type: instead });
    }
  }
}

const moved = ({ start, end, lead: { type } }: MergedSpan, by: number) => ({ start: start + by, end: end + by, type });

/** The text from `from` to `to`; what is hidden across an end gives way as a whole. */
function hide(text: string, spans: readonly MergedSpan[], from: number, to: number): string {
  const pieces: string[] = [];
  let at = from;
  for (const { start, end, lead } of spans) {
    if (end <= at || start >= to) continue;
    pieces.push(text.slice(at, Math.max(at, start)), lead.type);
    at = end;
  }
  if (at < to) pieces.push(text.slice(at, to));
  return pieces.join('');
}
