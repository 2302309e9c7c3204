import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client';

/** Values that wait. */
const maxWaiting = 256;

/**
 * Registers a histogram without labels and answers the function that observes a value. prom-client takes
 * nearly a microsecond for a value when it has not been at it for a while and a seventh of one when it has, so values are
 * handed over many at a time, and when they are read.
 */
export function createBufferedHistogram(
  registry: Registry,
  options: Omit<HistogramConfiguration<never>, 'registers' | 'collect' | 'labelNames'>,
): (value: number) => void {
  const waiting = new Float64Array(maxWaiting);
  let count = 0;
  const histogram: Histogram<never> = new Histogram({ ...options, registers: [registry], collect: () => flush() });
  const flush = (): void => {
    for (let index = 0; index < count; index += 1) histogram.observe(waiting[index] as number);
    count = 0;
  };
  return (value) => {
    waiting[count] = value;
    count += 1;
    if (count === maxWaiting) flush();
  };
}
