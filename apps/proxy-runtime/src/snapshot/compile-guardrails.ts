import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { checkRuleOf, openGuardrail, type OpenGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { property } from '@portcullis/core/json/json-value';
import type { GuardrailAssignmentRow, GuardrailProviderRow } from './snapshot-sources.ts';
import type { GuardrailEntry, GuardrailList, GuardrailSet, ProxyGuardrails } from './guardrail-entry.ts';

/** By id. */
export const compileProviders = (
  rows: readonly GuardrailProviderRow[],
  encryption: Encryption,
  log: Logger,
): ReadonlyMap<number, GuardrailEntry> =>
  new Map(rows.map((row) => [row.id, compileProvider(row, openOrBreak(row, encryption, log))]));

const compileProvider = (row: GuardrailProviderRow, provider: OpenGuardrail): GuardrailEntry => ({
  provider,
  rule: checkRuleOf(row),
  scope: property(row.config, 'scope') === 'all' ? 'all' : 'newest',
  directions: new Set(row.direction === 'both' ? ['request', 'response'] : [row.direction as 'request' | 'response']),
  priority: row.priority,
  alertOnViolation: row.alert_on_violation,
  alertOnFailure: row.alert_on_failure,
  logContent: row.log_content,
});

/** A provider that cannot be opened is asked and fails, so that what its owner wants then is what happens. */
function openOrBreak(row: GuardrailProviderRow, encryption: Encryption, log: Logger): OpenGuardrail {
  try {
    return openGuardrail(row, encryption);
  } catch (error) {
    log.error('guardrail provider cannot be asked', { provider: row.name, reason: problemText(error) });
    const opened = openGuardrail({ ...row, credentials: null }, encryption);
    const buildRequests = () => {
      throw new Error('The credentials cannot be decrypted', { cause: error });
    };
    // A model of this process has no credentials, so it was opened.
    return opened.way.adapter === undefined
      ? opened
      : { ...opened, way: { ...opened.way, adapter: { ...opened.way.adapter, buildRequests } } };
  }
}

/** The providers of one proxy, by its assignments; undefined when it has none. */
export function compileProxyGuardrails(
  assignments: readonly GuardrailAssignmentRow[],
  providers: ReadonlyMap<number, GuardrailEntry>,
): ProxyGuardrails | undefined {
  const own = assignments.filter((row) => providers.has(row.provider_id));
  if (own.length === 0) return undefined;
  const groups = new Set(own.map(({ user_group_id: group }) => group).filter((group) => group !== null));
  const setOf = (group: number | null): GuardrailSet =>
    splitDirections(
      sortEntries(
        own.filter(({ user_group_id: of }) => of === null || of === group),
        providers,
      ),
    );
  return { forEverybody: setOf(null), byGroup: new Map([...groups].map((group) => [group, setOf(group)])) };
}

/** Each provider once, at its highest priority there. */
function sortEntries(
  rows: readonly GuardrailAssignmentRow[],
  providers: ReadonlyMap<number, GuardrailEntry>,
): GuardrailList {
  const priorities = new Map<GuardrailEntry, number>();
  for (const { provider_id: id, priority } of rows) {
    const entry = providers.get(id) as GuardrailEntry;
    priorities.set(entry, Math.max(priority, priorities.get(entry) ?? 0));
  }
  return [...priorities]
    .toSorted(([a, first], [b, second]) => second - first || b.priority - a.priority || a.provider.id - b.provider.id)
    .map(([entry]) => entry);
}

const splitDirections = (entries: GuardrailList): GuardrailSet => ({
  request: entries.filter(({ directions }) => directions.has('request')),
  response: entries.filter(({ directions }) => directions.has('response')),
});
