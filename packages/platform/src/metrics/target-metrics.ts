import { Counter, Gauge, type Registry } from 'prom-client';
import { countByLabels } from './count-by-labels.ts';

export interface TargetMetrics {
  /** A call to a target failed; the reason is an `ErrorReason`. */
  countTargetFailure(target: string, reason: string): void;
  /** A target is left alone from now on, or answers again. */
  countTargetSuspension(target: string, suspended: boolean): void;
}

/** @param target scheme, host and port, as an admin configured it */
export function createTargetMetrics(registry: Registry): TargetMetrics {
  const registers = [registry];
  const labelNames = ['target'] as const;
  const countFailure = countByLabels(registry, {
    name: 'gateway_target_failures_total',
    help: 'Calls that a target did not answer, or not to the end',
    labelNames: ['target', 'reason'],
  });
  const suspensions = new Counter({
    registers,
    name: 'gateway_target_suspensions_total',
    help: 'How often a target that kept failing was left alone',
    labelNames,
  });
  const suspended = new Gauge({
    registers,
    name: 'gateway_target_suspended',
    help: 'Processes that leave a target alone at present',
    labelNames,
  });

  return {
    countTargetFailure: countFailure,
    countTargetSuspension(target, isSuspended) {
      if (isSuspended) suspensions.inc({ target });
      suspended.set({ target }, isSuspended ? 1 : 0);
    },
  };
}
