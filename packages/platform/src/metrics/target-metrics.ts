import { Counter, Gauge, type Registry } from 'prom-client';
import { countByLabels } from './count-by-labels.ts';

export interface TargetMetrics {
  /** A call to a target failed; the reason is an `ErrorReason`. */
  countTargetFailure(target: string, reason: string): void;
  /** The circuit of a target opened, or closed again. */
  countTargetSuspension(target: string, suspended: boolean): void;
}

/** @param target scheme, host and port, as an admin configured it */
export function createTargetMetrics(registry: Registry): TargetMetrics {
  const registers = [registry];
  const labelNames = ['target'] as const;
  const countFailure = countByLabels(registry, {
    name: 'gateway_target_failures_total',
    help: 'Requests that a target did not answer, or not completely',
    labelNames: ['target', 'reason'],
  });
  const suspensions = new Counter({
    registers,
    name: 'gateway_target_circuit_opened_total',
    help: 'Times that the circuit of a target opened',
    labelNames,
  });
  const suspended = new Gauge({
    registers,
    name: 'gateway_target_circuit_open',
    help: 'Processes in which the circuit of the target is open',
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
