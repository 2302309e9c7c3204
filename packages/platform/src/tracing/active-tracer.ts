import type { Tracer } from '@opentelemetry/api';

let current: Tracer | undefined;

/** Undefined while tracing is off: asking costs one read, so the hot path asks before it makes anything. */
export const activeTracer = (): Tracer | undefined => current;

/** For the SDK alone, when it starts and ends. */
export const setActiveTracer = (tracer: Tracer | undefined): void => {
  current = tracer;
};
