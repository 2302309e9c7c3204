import type { CompiledPlan } from '../plan/compiled-plan.ts';
import type { PlanScopes } from '../scope/plan-scope.ts';
import type { Finding, ScanContext } from '../policy.ts';
import { TextScan } from './text-scan.ts';

/** Tables of more scans than this are made anew: so many are rarely under way at once. */
const maxIdle = 4;

/** Scans that go on in steps, with others in between: each has tables of its own while it lasts. */
export class CooperativeScans {
  readonly #plan: CompiledPlan;
  readonly #scopes: PlanScopes;
  readonly #idle: TextScan[] = [];

  constructor(plan: CompiledPlan, scopes: PlanScopes) {
    this.#plan = plan;
    this.#scopes = scopes;
  }

  scan(text: string, context: ScanContext): Generator<undefined, readonly Finding[]> {
    return this.#borrow((scan) => scan.scanCooperatively(text, context));
  }

  /** `scanReadings` of a text in steps. */
  scanReadings(text: string, context: ScanContext): Generator<undefined, readonly Finding[]> {
    return this.#borrow((scan) => scan.scanReadingsCooperatively(text, context));
  }

  *#borrow(
    take: (scan: TextScan) => Generator<undefined, readonly Finding[]>,
  ): Generator<undefined, readonly Finding[]> {
    const scan = this.#idle.pop() ?? new TextScan(this.#plan, this.#scopes);
    try {
      return yield* take(scan);
    } finally {
      if (this.#idle.length < maxIdle) this.#idle.push(scan);
    }
  }
}
