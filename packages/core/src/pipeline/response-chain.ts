import type { PipelineObserver } from './engine.ts';
import type { Denial, Protocol, ResponseFilter, ResponseStage, StreamVerdict } from './stage.ts';

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
  /** The exchange is over: nobody listens any more. */
  close(): void;
}

interface Link<Unit> {
  readonly name: string;
  readonly filter: ResponseFilter<Unit>;
  readonly onFault: ResponseStage<unknown, Unit>['onFault'];
}

const none: readonly never[] = Object.freeze([]);
const isCongested = <Unit>({ filter }: Link<Unit>): boolean => filter.congested === true;

/** Compiles the response rows that serve `protocol` into a function that opens a chain for one exchange. */
export function compileResponseStages<Exchange, Unit>(
  stages: readonly ResponseStage<Exchange, Unit>[],
  protocol: Protocol,
  observer: PipelineObserver<Exchange>,
): (exchange: Exchange) => ResponseChain<Unit> {
  const rows = stages.filter((stage) => stage.on.includes(protocol));

  return (exchange) => {
    const links: Link<Unit>[] = [];
    let broken: ChainVerdict<Unit> | undefined;
    let listener: (verdict: ChainVerdict<Unit>) => void = () => undefined;
    /** Place of the link that was ended and waits; those behind it are ended when it no longer does. */
    let waitingAt: number | undefined;
    let closed = false;

    const fault = (link: Pick<Link<Unit>, 'name' | 'onFault'>, error: unknown, unit: Unit | undefined) => {
      observer.fault(link.name, link.onFault, error, exchange);
      const units = unit === undefined ? [] : [unit];
      return link.onFault === 'deny'
        ? ({ kind: 'cut', denial: { reason: 'internal_error' }, units: [] } as const)
        : ({ kind: 'release', units } as const);
    };

    for (const row of rows) {
      try {
        const place = links.length;
        const filter = row.open(exchange, () => wake(place));
        if (filter !== undefined) links.push({ name: row.name, filter, onFault: row.onFault });
      } catch (error) {
        const verdict = fault(row, error, undefined);
        if (verdict.kind === 'cut')
          broken = { units: [], cut: { denial: verdict.denial, stage: row.name }, ended: true };
      }
    }

    const ask = (link: Link<Unit>, unit: Unit | undefined): StreamVerdict<Unit> => {
      try {
        return unit === undefined ? link.filter.end() : link.filter.push(unit);
      } catch (error) {
        return fault(link, error, unit);
      }
    };

    const askAwake = (link: Link<Unit>): StreamVerdict<Unit> => {
      try {
        return link.filter.wake?.() ?? { kind: 'hold' };
      } catch (error) {
        return fault(link, error, undefined);
      }
    };

    const cutBy = (link: Link<Unit>, denial: Denial, units: readonly Unit[]): ChainVerdict<Unit> => {
      observer.denied(link.name, denial, exchange);
      return { units, cut: { denial, stage: link.name }, ended: true };
    };

    /** Sends units through the links from `first` on; with `ending` each link is also told that the stream is over. */
    const pass = (first: number, given: readonly Unit[], ending: boolean): ChainVerdict<Unit> => {
      let units = given;
      let ends = ending;
      for (let index = first; index < links.length; index += 1) {
        const link = links[index] as Link<Unit>;
        let released: readonly Unit[] = none;
        const questions = ends ? units.length + 1 : units.length;
        for (let place = 0; place < questions; place += 1) {
          const verdict = ask(link, place < units.length ? units[place] : undefined);
          if (verdict.kind === 'hold') continue;
          released = released.length === 0 ? verdict.units : [...released, ...verdict.units];
          if (verdict.kind === 'cut') {
            const safe = pass(index + 1, released, false);
            return safe.cut === null ? cutBy(link, verdict.denial, safe.units) : safe;
          }
        }
        units = released;
        if (ends && link.filter.waiting === true) {
          ends = false;
          waitingAt = index;
        }
      }
      return { units, cut: null, ended: ends };
    };

    /** The same for a unit that has one link to go through, as most have. */
    const passAlone = (link: Link<Unit>, unit: Unit): ChainVerdict<Unit> => {
      const verdict = ask(link, unit);
      if (verdict.kind === 'cut') return cutBy(link, verdict.denial, verdict.units);
      return { units: verdict.kind === 'hold' ? [] : verdict.units, cut: null, ended: false };
    };

    /** What a filter decides on its own goes on as if it had been pushed. */
    const wake = (place: number): void => {
      const link = links[place];
      if (closed || link === undefined) return;
      const verdict = askAwake(link);
      if (verdict.kind === 'hold') return;
      if (verdict.kind === 'cut') {
        const safe = pass(place + 1, verdict.units, false);
        return listener(safe.cut === null ? cutBy(link, verdict.denial, safe.units) : safe);
      }
      const ends = waitingAt === place && link.filter.waiting !== true;
      listener(pass(place + 1, verdict.units, ends));
    };

    const alone = links.length === 1 ? links[0] : undefined;
    return {
      active: links.length > 0 || broken !== undefined,
      push: (unit) => broken ?? (alone === undefined ? pass(0, [unit], false) : passAlone(alone, unit)),
      end: () => broken ?? pass(0, none, true),
      // Not a getter: each would be a shape of its own, and the old heap would keep the exchange by its shape.
      isCongested: () => links.some(isCongested),
      listen(given) {
        listener = given;
      },
      close() {
        if (closed) return;
        closed = true;
        for (const { filter } of links) filter.close?.();
      },
    };
  };
}
