import type { LiveEvent } from '@portcullis/contracts/events';
import { severities } from '@portcullis/contracts/records';

/** Values of which an event must have one, by what they are of. */
export type LiveFilter = ReadonlyMap<'proxy' | 'severity' | 'team', ReadonlySet<unknown>>;

export const liveFilterForm = `{"proxy": [ids], "severity": [${severities.join(', ')}], "team": [names of user groups]}`;

/** Reads the filter of a subscription; undefined when it is not of this form. */
export function parseLiveFilter(given: unknown): LiveFilter | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const filter = new Map<'proxy' | 'severity' | 'team', ReadonlySet<unknown>>();
  for (const [field, list] of Object.entries(given)) {
    if (field !== 'proxy' && field !== 'severity' && field !== 'team') return undefined;
    if (!Array.isArray(list) || list.length === 0 || !list.every((value) => allows[field](value))) return undefined;
    filter.set(field, new Set(list));
  }
  return filter;
}

const allows = {
  proxy: (value: unknown) => Number.isSafeInteger(value),
  severity: (value: unknown) => severities.some((severity) => severity === value),
  team: (value: unknown) => typeof value === 'string',
} as const;

/** Whether an event passes. What an event does not have, such as the proxy of a figure of all, does not hold it back. */
export function passesFilter(filter: LiveFilter, { type, payload }: LiveEvent): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...payload };
  const own = {
    proxy: type === 'proxy_status' ? fields['id'] : fields['proxy_id'],
    severity: fields['severity'],
    team: fields['user_group'],
  };
  return [...filter].every(([field, wanted]) => own[field] === undefined || wanted.has(own[field]));
}
