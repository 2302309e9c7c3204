import type { ProxyType } from '@portcullis/contracts/records';
import type { PipelineObserver } from './engine.ts';
import type { Denial, OnFault, ResponseFilter, ResponseStage, Row, StreamVerdict } from './stage.ts';

/** What became of the units given to a chain: units to send now and, when it was cut, why and by whom. */
export interface ChainVerdict<Unit> {
  readonly units: readonly Unit[];
  readonly cut: { readonly denial: Denial; readonly stage: string } | null;
  /** Nothing more will come. */
  readonly ended: boolean;
}

/** The response filters of one exchange, in order. After a cut it must not be used again. */
export interface ResponseChain<Unit> {
  /** False when no filter has anything to do: units may be sent without asking. */
  readonly active: boolean;
  push(unit: Unit): ChainVerdict<Unit>;
  /** The target has finished. Unless the verdict says `ended`, filters still wait, and the listener is told. */
  end(): ChainVerdict<Unit>;
  /** Some filter holds so much that the target should pause until the listener is told. */
  isCongested(): boolean;
  /** Takes what filters decide on their own, later. */
  listen(listener: (verdict: ChainVerdict<Unit>) => void): void;
  /** The exchange is over: there are no listeners any more. */
  close(): void;
}

interface Link<Unit> {
  readonly name: string;
  readonly filter: ResponseFilter<Unit>;
  readonly onFault: OnFault;
}

const none: readonly never[] = Object.freeze([]);
const isCongested = <Unit>({ filter }: Link<Unit>): boolean => filter.congested === true;
const hold = Object.freeze({ kind: 'hold' });

/** Compiles the response rows that serve `type` into a function that opens a chain for one exchange. */
export function compileResponseStages<Exchange, Unit>(
  table: readonly Row<ResponseStage<Exchange, Unit>>[],
  type: ProxyType,
  observer: PipelineObserver<Exchange>,
): (exchange: Exchange) => ResponseChain<Unit> {
  const rows = table.filter(({ on }) => on.includes(type));
  return (exchange) => new FilterChain(exchange, rows, observer);
}

/** A class, since each exchange would have to make the functions of an object anew. */
class FilterChain<Exchange, Unit> implements ResponseChain<Unit> {
  readonly active: boolean;
  readonly #exchange: Exchange;
  readonly #observer: PipelineObserver<Exchange>;
  readonly #links: Link<Unit>[] = [];
  /** What it answers to everything when a filter could not be opened. */
  #broken: ChainVerdict<Unit> | undefined;
  #listener: ((verdict: ChainVerdict<Unit>) => void) | undefined;
  /** Place of the link that was ended and waits; those behind it are ended when it no longer does. */
  #waitingAt: number | undefined;
  #closed = false;

  constructor(
    exchange: Exchange,
    rows: readonly Row<ResponseStage<Exchange, Unit>>[],
    observer: PipelineObserver<Exchange>,
  ) {
    this.#exchange = exchange;
    this.#observer = observer;
    for (const row of rows) this.#open(row);
    this.active = this.#links.length > 0 || this.#broken !== undefined;
  }

  push(unit: Unit): ChainVerdict<Unit> {
    if (this.#broken !== undefined) return this.#broken;
    const [first] = this.#links;
    return first !== undefined && this.#links.length === 1
      ? this.#passAlone(first, unit)
      : this.#pass(0, [unit], false);
  }

  end(): ChainVerdict<Unit> {
    return this.#broken ?? this.#pass(0, none, true);
  }

  isCongested(): boolean {
    return this.#links.some(isCongested);
  }

  listen(listener: (verdict: ChainVerdict<Unit>) => void): void {
    this.#listener = listener;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { filter } of this.#links) filter.close?.();
  }

  #open({ stage, onFault }: Row<ResponseStage<Exchange, Unit>>): void {
    const place = this.#links.length;
    try {
      const filter = stage.open(this.#exchange, () => this.#wake(place));
      if (filter !== undefined) this.#links.push({ name: stage.name, filter, onFault });
    } catch (error) {
      const verdict = this.#fault({ name: stage.name, onFault }, error, undefined);
      if (verdict.kind === 'cut')
        this.#broken = { units: [], cut: { denial: verdict.denial, stage: stage.name }, ended: true };
    }
  }

  #fault(link: Pick<Link<Unit>, 'name' | 'onFault'>, error: unknown, unit: Unit | undefined) {
    this.#observer.fault(link.name, link.onFault, error, this.#exchange);
    const units = unit === undefined ? [] : [unit];
    return link.onFault === 'deny'
      ? ({ kind: 'cut', denial: { reason: 'internal_error' }, units: [] } as const)
      : ({ kind: 'release', units } as const);
  }

  #ask(link: Link<Unit>, unit: Unit | undefined): StreamVerdict<Unit> {
    try {
      return unit === undefined ? link.filter.end() : link.filter.push(unit);
    } catch (error) {
      return this.#fault(link, error, unit);
    }
  }

  #askAwake(link: Link<Unit>): StreamVerdict<Unit> {
    try {
      return link.filter.wake?.() ?? hold;
    } catch (error) {
      return this.#fault(link, error, undefined);
    }
  }

  #cutBy(link: Link<Unit>, denial: Denial, units: readonly Unit[]): ChainVerdict<Unit> {
    this.#observer.denied(link.name, denial, this.#exchange);
    return { units, cut: { denial, stage: link.name }, ended: true };
  }

  /** Sends units through the links from `first` on; with `ending` each link is also told that the stream is over. */
  #pass(first: number, given: readonly Unit[], ending: boolean): ChainVerdict<Unit> {
    let units = given;
    let ends = ending;
    for (let index = first; index < this.#links.length; index += 1) {
      const link = this.#links[index] as Link<Unit>;
      let released: readonly Unit[] = none;
      const questions = ends ? units.length + 1 : units.length;
      for (let place = 0; place < questions; place += 1) {
        const verdict = this.#ask(link, place < units.length ? units[place] : undefined);
        if (verdict.kind === 'hold') continue;
        released = released.length === 0 ? verdict.units : [...released, ...verdict.units];
        if (verdict.kind === 'cut') {
          const safe = this.#pass(index + 1, released, false);
          return safe.cut === null ? this.#cutBy(link, verdict.denial, safe.units) : safe;
        }
      }
      units = released;
      if (ends && link.filter.waiting === true) {
        ends = false;
        this.#waitingAt = index;
      }
    }
    return { units, cut: null, ended: ends };
  }

  /** The same for a unit that has one link to go through, as most have. */
  #passAlone(link: Link<Unit>, unit: Unit): ChainVerdict<Unit> {
    const verdict = this.#ask(link, unit);
    if (verdict.kind === 'cut') return this.#cutBy(link, verdict.denial, verdict.units);
    return { units: verdict.kind === 'hold' ? none : verdict.units, cut: null, ended: false };
  }

  /** What a filter decides on its own goes on as if it had been pushed. */
  #wake(place: number): void {
    const link = this.#links[place];
    if (this.#closed || link === undefined) return;
    const verdict = this.#askAwake(link);
    if (verdict.kind === 'hold') return;
    if (verdict.kind === 'cut') {
      const safe = this.#pass(place + 1, verdict.units, false);
      this.#listener?.(safe.cut === null ? this.#cutBy(link, verdict.denial, safe.units) : safe);
      return;
    }
    const ends = this.#waitingAt === place && link.filter.waiting !== true;
    this.#listener?.(this.#pass(place + 1, verdict.units, ends));
  }
}
