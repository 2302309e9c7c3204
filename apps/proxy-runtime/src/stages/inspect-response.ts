import { NestedTooDeep, renderPointer, visitStrings } from '@portcullis/core/json/visit-strings';
import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { decide } from '@portcullis/core/policy/decide';
import type { Finding, PolicyPlan, ScanContext, StreamScan } from '@portcullis/core/policy/policy';
import type { Exchange } from '../exchange.ts';
import type { StreamUnit } from '../traffic/stream-unit.ts';

/** Bytes that may wait behind a text that is not decided yet; a target that sends more is cut off. */
const maxHeldBytes = 1_048_576;
/** Texts told apart in one stream; a target that opens more is cut off. */
const maxChannels = 1_024;

interface Channel {
  readonly scan: StreamScan;
  /** UTF-16 units given to the scan. */
  length: number;
  /** Units from the start that can never become part of a match. */
  safeOffset: number;
}

interface HeldUnit {
  readonly unit: StreamUnit;
  /** Where each of its texts ends in its channel. */
  readonly ends: readonly TextEnd[];
}

interface TextEnd {
  readonly channel: Channel;
  readonly offset: number;
}

const isSafe = (ends: readonly TextEnd[]): boolean => ends.every(({ channel, offset }) => channel.safeOffset >= offset);

const release = (units: readonly StreamUnit[]): StreamVerdict<StreamUnit> => ({ kind: 'release', units });
const hold: StreamVerdict<StreamUnit> = { kind: 'hold' };

/**
 * Scans each channel of a stream as it passes. A unit leaves when every character in it is safe and
 * all units before it have left, so a forbidden text is stopped before its first character, however
 * it is split, and what is not forbidden goes on byte for byte.
 */
class StreamInspector implements ResponseFilter<StreamUnit> {
  readonly #exchange: Exchange;
  readonly #plan: PolicyPlan;
  readonly #context: ScanContext;
  readonly #channels = new Map<string, Channel>();
  #held: HeldUnit[] = [];
  #heldBytes = 0;

  constructor(exchange: Exchange, plan: PolicyPlan) {
    this.#exchange = exchange;
    this.#plan = plan;
    this.#context = { direction: 'response', protocol: exchange.proxy.type };
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (content.kind === 'value') return this.#inspectValue(content.value) ?? this.#queue(unit, []);
    const ends: TextEnd[] = [];
    for (const { channel: name, text } of content.texts) {
      const channel = this.#channels.get(name) ?? this.#openChannel(name);
      if (channel === undefined) return this.#cut('target_failed');
      const { safeOffset, findings } = channel.scan.push(text);
      channel.length += text.length;
      channel.safeOffset = safeOffset;
      if (this.#blocks(findings, name)) return this.#cut('policy_violation_response');
      ends.push({ channel, offset: channel.length });
    }
    return this.#queue(unit, ends);
  }

  end(): StreamVerdict<StreamUnit> {
    for (const [name, channel] of this.#channels) {
      const { findings } = channel.scan.end();
      if (this.#blocks(findings, name)) return this.#cut('policy_violation_response');
    }
    const rest = this.#held.map(({ unit }) => unit);
    this.#held = [];
    return release(rest);
  }

  /** Undefined when nothing in the value is forbidden. */
  #inspectValue(value: unknown): StreamVerdict<StreamUnit> | undefined {
    let blocked = false;
    try {
      visitStrings(value, (text, path) => {
        const findings = this.#plan.scan(text, this.#context);
        if (findings.length > 0) blocked = this.#blocks(findings, renderPointer(path)) || blocked;
      });
    } catch (error) {
      if (error instanceof NestedTooDeep) return this.#cut('target_failed');
      throw error;
    }
    return blocked ? this.#cut('policy_violation_response') : undefined;
  }

  /** Sends the unit on as soon as it and all before it are safe. */
  #queue(unit: StreamUnit, ends: readonly TextEnd[]): StreamVerdict<StreamUnit> {
    if (this.#held.length === 0 && isSafe(ends)) return release([unit]);
    this.#held.push({ unit, ends });
    this.#heldBytes += unit.bytes.length;
    const units = this.#takeSafe();
    if (units.length > 0) return release(units);
    return this.#heldBytes > maxHeldBytes ? this.#cut('target_failed') : hold;
  }

  #openChannel(name: string): Channel | undefined {
    if (this.#channels.size >= maxChannels) return undefined;
    const channel: Channel = { scan: this.#plan.openStream(this.#context), length: 0, safeOffset: 0 };
    this.#channels.set(name, channel);
    return channel;
  }

  #blocks(findings: readonly Finding[], location: string): boolean {
    if (findings.length === 0) return false;
    for (const finding of findings) this.#exchange.findings.push({ ...finding, direction: 'response', location });
    const { action } = decide(findings);
    // Nothing can be redacted yet, and letting pass what a policy wants hidden would be worse.
    return action === 'block' || action === 'redact';
  }

  /** Takes the units from the front whose texts are all safe. */
  #takeSafe(): readonly StreamUnit[] {
    let count = 0;
    for (const { unit, ends } of this.#held) {
      if (!isSafe(ends)) break;
      this.#heldBytes -= unit.bytes.length;
      count += 1;
    }
    return this.#held.splice(0, count).map(({ unit }) => unit);
  }

  /** What was safe before the match still leaves; the rest never does. */
  #cut(reason: 'policy_violation_response' | 'target_failed'): StreamVerdict<StreamUnit> {
    const units = this.#takeSafe();
    this.#held = [];
    return { kind: 'cut', denial: { reason }, units };
  }
}

/** Runs the assigned policies over every text of the response. */
export const inspectResponse: ResponseStage<Exchange, StreamUnit> = {
  name: 'inspect-response',
  on: ['llm', 'mcp'],
  onFault: 'deny',
  open: (exchange) =>
    exchange.proxy.policies === undefined ? undefined : new StreamInspector(exchange, exchange.proxy.policies),
};
