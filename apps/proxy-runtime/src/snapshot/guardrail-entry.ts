import type { CheckRule } from '@portcullis/core/guardrails/decide-check';
import type { OpenGuardrail } from '@portcullis/platform/guardrails/stored-provider';

/** A provider as the data plane works with it. */
export interface GuardrailEntry {
  readonly provider: OpenGuardrail;
  readonly rule: CheckRule;
  /** Which texts of a request it judges: those since the model's last answer, or all. */
  readonly scope: 'newest' | 'all';
  readonly directions: ReadonlySet<'request' | 'response'>;
  readonly priority: number;
  readonly alertOnViolation: boolean;
  readonly alertOnFailure: boolean;
  readonly logContent: boolean;
}

/** One that only monitors keeps no client waiting. */
export const canBlock = ({ rule }: GuardrailEntry): boolean => rule.action === 'block';

/** The providers that judge one side of a traffic, the highest priority first. */
export type GuardrailList = readonly GuardrailEntry[];

export interface GuardrailSet {
  readonly request: GuardrailList;
  readonly response: GuardrailList;
}

/** The providers of a proxy. */
export interface ProxyGuardrails {
  readonly forEverybody: GuardrailSet;
  /** Of groups that have providers of their own, together with those of all groups. */
  readonly byGroup: ReadonlyMap<number, GuardrailSet>;
}

export const guardrailsFor = (guardrails: ProxyGuardrails, groupId: number | undefined): GuardrailSet =>
  (groupId === undefined ? undefined : guardrails.byGroup.get(groupId)) ?? guardrails.forEverybody;
