import type { GuardrailSet } from '../snapshot/guardrail-entry.ts';
import type { ProxyEntry } from '../snapshot/snapshot.ts';

/** Whether answers of two states of a proxy are looked at by the same policies and the same guardrail providers. */
export const hasSameChecks = (one: ProxyEntry, other: ProxyEntry, groupId: number | undefined): boolean =>
  one === other || (one.policies === other.policies && hasSameProviders(one, other, groupId));

function hasSameProviders(one: ProxyEntry, other: ProxyEntry, groupId: number | undefined): boolean {
  if (one.guardrails === other.guardrails) return true;
  const [ones, others] = [providersOf(one, groupId), providersOf(other, groupId)];
  return ones.length === others.length && ones.every((entry, place) => entry === others[place]);
}

function providersOf({ guardrails }: ProxyEntry, groupId: number | undefined): GuardrailSet['response'] {
  const own = groupId === undefined ? undefined : guardrails?.byGroup.get(groupId);
  return (own ?? guardrails?.forEverybody)?.response ?? [];
}
