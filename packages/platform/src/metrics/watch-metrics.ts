import { Counter, Gauge, type Registry } from 'prom-client';

/** Registers a gauge that asks for its value whenever the metrics are read. */
export function watchGauge(
  registry: Registry,
  family: { readonly name: string; readonly help: string; readonly aggregator?: 'max' },
  read: () => number,
): void {
  const gauge: Gauge = new Gauge({ ...family, registers: [registry], collect: () => gauge.set(read()) });
}

/** The same for a counter. */
export function watchCounter(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = () => {
    counter.reset();
    counter.inc(read());
  };
  const counter: Counter = new Counter({ registers: [registry], name, help, collect });
}

/** A counter with one label: of each entry, by its key, the value that `read` takes from it. */
export function watchCounters<Entry>(
  registry: Registry,
  { label, ...family }: { readonly name: string; readonly help: string; readonly label: string },
  entries: ReadonlyMap<string, Entry>,
  read: (entry: Entry) => number,
): void {
  const collect = () => {
    counter.reset();
    for (const [key, entry] of entries) counter.labels(key).inc(read(entry));
  };
  const counter: Counter = new Counter({ ...family, registers: [registry], labelNames: [label], collect });
}
