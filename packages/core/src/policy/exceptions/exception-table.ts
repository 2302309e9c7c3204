import type { Finding, FindingExceptions, ScanContext } from '../policy.ts';

/** What an admin excepted from a rule, and until when. What is null narrows nothing. */
export interface PolicyException {
  readonly id: number;
  readonly ruleId: string;
  readonly policyName: string | null;
  readonly proxyId: number | null;
  readonly agentId: number | null;
  readonly userGroupId: number | null;
  readonly tool: string | null;
  /** Epoch milliseconds. */
  readonly endsAtMs: number;
}

/** To what a text goes, and for whom: a proxy or an agent, whose ids are others. */
export interface ExceptedTraffic {
  readonly proxyId?: number | undefined;
  readonly agentId?: number | undefined;
  readonly userGroupId?: number | undefined;
}

const narrows = (wanted: number | string | null, found: number | string | undefined): boolean =>
  wanted === null || wanted === found;

/**
 * The exceptions in force. All snapshots of a process share one table: an exception that is ended holds for no further
 * text, also of requests and streams that pinned an older snapshot, and one that expires does so by the clock.
 */
export class ExceptionTable {
  readonly #now: () => number;
  #byRule: ReadonlyMap<string, readonly PolicyException[]> = new Map();

  /** @param now a clock in epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  replace(exceptions: readonly PolicyException[]): void {
    this.#byRule = Map.groupBy(
      exceptions.toSorted((a, b) => a.id - b.id),
      ({ ruleId }) => ruleId,
    );
  }

  /** Undefined while there are none at all. */
  within(traffic: ExceptedTraffic): FindingExceptions | undefined {
    if (this.#byRule.size === 0) return undefined;
    return { find: (finding, context) => this.#find(finding, context, traffic) };
  }

  #find(
    { ruleId, policyName }: Pick<Finding, 'policyName' | 'ruleId'>,
    context: Pick<ScanContext, 'calledTool'>,
    { proxyId, agentId, userGroupId }: ExceptedTraffic,
  ): number | undefined {
    return this.#byRule
      .get(ruleId)
      ?.find(
        (known) =>
          this.#now() < known.endsAtMs &&
          narrows(known.policyName, policyName) &&
          narrows(known.proxyId, proxyId) &&
          narrows(known.agentId, agentId) &&
          narrows(known.userGroupId, userGroupId) &&
          (known.tool === null || known.tool === context.calledTool),
      )?.id;
  }
}
