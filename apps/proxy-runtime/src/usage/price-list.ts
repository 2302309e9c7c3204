import type { ModelPrice } from '@portcullis/core/pricing/model-price';
import type { FindLibraryPrice, ModelPlace } from './library-prices.ts';

/** Prices that an admin set, by the name of the model, or its beginning with a `*` behind it. */
export type PriceOverrides = ReadonlyMap<string, ModelPrice>;

export interface PriceList {
  /** Undefined for a model without a price. */
  find(place: ModelPlace, overrides: PriceOverrides): ModelPrice | undefined;
}

export interface PriceListParts {
  readonly findLibraryPrice: FindLibraryPrice;
  /** Told once of every model that has no price. */
  readonly onUnpriced: (model: string) => void;
  readonly nowMs?: () => number;
}

/** Prices change with the day, so one that was looked up counts for this long. */
const keptForMs = 3_600_000;
/** Models come from the answers of targets, so there is a bound to those that are remembered. */
const maxKept = 2_000;

interface KnownPrice extends Omit<ModelPlace, 'model'> {
  readonly price: ModelPrice | undefined;
  readonly untilMs: number;
}

/** What is set wins over what the library knows, and the whole name over its beginning. */
export function createPriceList({
  findLibraryPrice,
  onUnpriced,
  nowMs = () => performance.now(),
}: PriceListParts): PriceList {
  // By model, one for each place: a key of all three would have to be written for every exchange.
  const known = new Map<string, readonly KnownPrice[]>();
  let kept = 0;
  const unpriced = new Set<string>();

  const askLibrary = (place: ModelPlace): ModelPrice | undefined => {
    const { provider, origin, model } = place;
    const now = nowMs();
    const isHere = (each: KnownPrice): boolean => each.provider === provider && each.origin === origin;
    const found = known.get(model)?.find(isHere);
    if (found !== undefined && now < found.untilMs) return found.price;
    if (kept >= maxKept) {
      known.clear();
      kept = 0;
    }
    const price = findLibraryPrice(place);
    const others = (known.get(model) ?? []).filter((each) => !isHere(each));
    known.set(model, [...others, { provider, origin, price, untilMs: now + keptForMs }]);
    kept += 1;
    return price;
  };

  return {
    find(place, overrides) {
      const price = findOverride(overrides, place.model) ?? askLibrary(place);
      if (price === undefined && !unpriced.has(place.model) && unpriced.size < maxKept) {
        unpriced.add(place.model);
        onUnpriced(place.model);
      }
      return price;
    },
  };
}

function findOverride(overrides: PriceOverrides, model: string): ModelPrice | undefined {
  if (overrides.size === 0) return undefined;
  const exact = overrides.get(model);
  if (exact !== undefined) return exact;
  let longest = '';
  for (const name of overrides.keys()) {
    if (name.length > longest.length && name.endsWith('*') && model.startsWith(name.slice(0, -1))) longest = name;
  }
  return overrides.get(longest);
}
