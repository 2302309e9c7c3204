/** How alerts that resemble each other are told of. */
export interface GroupRule {
  /** Alerts of a run that go out one by one; 0: all. */
  readonly singles: number;
  /** How long the first digest of a run gathers alerts, and how long nothing may come until a run is over. */
  readonly intervalMs: number;
}

/** A run of alerts of one group: those with less than an interval between them. */
export interface AlertGroup {
  readonly begunAtMs: number;
  readonly latestAtMs: number;
  /** Of this run, gone out one by one. */
  readonly singles: number;
  /** Of this run. */
  readonly digests: number;
  /** The digest that still gathers. */
  readonly open: { readonly id: string; readonly dueAtMs: number } | undefined;
}

export type GroupAnswer =
  | { readonly kind: 'single'; readonly group: AlertGroup }
  /** It belongs to the digest that is open now; `isNew` when it is the first one of it. */
  | {
      readonly kind: 'digest';
      readonly group: AlertGroup;
      readonly id: string;
      readonly dueAtMs: number;
      readonly isNew: boolean;
    };

/** Doublings of the interval: a flood that lasts is told of less and less often. */
const maxDoublings = 4;

/**
 * Takes an alert into its group, and says how it goes out.
 * @param isCrowded whether its rule has had so many alerts of other sources that this one waits for a digest at once
 * @param newId names a digest
 */
export function joinGroup(
  group: AlertGroup | undefined,
  rule: GroupRule,
  nowMs: number,
  isCrowded: boolean,
  newId: () => string,
): GroupAnswer {
  const open = group?.open !== undefined && nowMs < group.open.dueAtMs ? group.open : undefined;
  // A digest that has just gone out stands for alerts of its whole time.
  const quietSinceMs = Math.max(group?.latestAtMs ?? 0, group?.open?.dueAtMs ?? 0);
  const goesOn = group !== undefined && (open !== undefined || nowMs - quietSinceMs < rule.intervalMs);
  const run = goesOn ? group : { begunAtMs: nowMs, singles: 0, digests: 0 };
  const common = { begunAtMs: run.begunAtMs, latestAtMs: nowMs };

  if (open !== undefined) {
    return {
      kind: 'digest',
      group: { ...common, singles: run.singles, digests: run.digests, open },
      ...open,
      isNew: false,
    };
  }
  if (rule.singles === 0 || (run.singles < rule.singles && !isCrowded)) {
    return { kind: 'single', group: { ...common, singles: run.singles + 1, digests: run.digests, open: undefined } };
  }
  const dueAtMs = nowMs + rule.intervalMs * 2 ** Math.min(run.digests, maxDoublings);
  const opened = { id: newId(), dueAtMs };
  return {
    kind: 'digest',
    group: { ...common, singles: run.singles, digests: run.digests + 1, open: opened },
    ...opened,
    isNew: true,
  };
}
