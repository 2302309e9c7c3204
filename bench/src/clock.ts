/** Microseconds since the machine's boot: one clock for every process of the laboratory. */
export function monotonicMicros(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e6 + nanos / 1e3;
}
