import { Counter, type Registry } from 'prom-client';

/** Combinations of label values told apart. */
const maxChildren = 1_000;

interface Family<Names> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: Names;
}

type Values<Names> = { [Index in keyof Names]: string };

/** Registers a counter and answers the function that counts by label values, in the order of the names. */
export function countByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: Family<Names>,
): (...values: Values<Names>) => void {
  const add = addByLabels(registry, family);
  return (...values) => add(1, ...values);
}

/**
 * The same for amounts, not below 0, which come before the label values. prom-client finds a child by hashing all its
 * labels each time; here sums are kept, and handed over when they are read.
 */
export function addByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: Family<Names>,
): (amount: number, ...values: Values<Names>) => void {
  const sums: Sum[] = [];
  const places: Place = new Map();
  const counter: Counter = new Counter({
    registers: [registry],
    ...family,
    collect() {
      counter.reset();
      for (const { values, amount } of sums) counter.labels(...values).inc(amount);
    },
  });
  const open = (values: readonly string[]): Sum => {
    // Names can change for ever; the memory of them must not grow with that.
    const bounded = sums.length < maxChildren ? values : values.map(() => 'other');
    const known = findSum(places, bounded);
    if (known !== undefined) return known;
    const sum = { values: bounded, amount: 0 };
    sums.push(sum);
    keepSum(places, bounded, sum);
    return sum;
  };
  return (amount, ...values) => {
    const sum = findSum(places, values) ?? open(values);
    sum.amount += amount;
  };
}

interface Sum {
  readonly values: readonly string[];
  amount: number;
}

/** Sums by their first label value, then by the next: a key of all of them would have to be written each time. */
type Place = Map<string, Place | Sum>;

const noLabel = '';

function findSum(places: Place, values: readonly string[]): Sum | undefined {
  let place: Place | Sum | undefined = places;
  for (let index = 0; index < values.length; index += 1) {
    place = (place as Place).get(values[index] as string);
    if (place === undefined) return undefined;
  }
  return place instanceof Map ? (place.get(noLabel) as Sum | undefined) : place;
}

function keepSum(places: Place, values: readonly string[], sum: Sum): void {
  let place = places;
  for (const value of values.slice(0, -1)) {
    const next = (place.get(value) ?? new Map()) as Place;
    place.set(value, next);
    place = next;
  }
  place.set(values.at(-1) ?? noLabel, sum);
}
