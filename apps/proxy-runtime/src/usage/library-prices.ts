import type { ModelPrice, Rate } from '@portcullis/core/pricing/model-price';
import { freePrice, isFree } from './free-models.ts';
import { findOwnPrice } from './own-prices.ts';

/** Where a model was asked for, which tells whose prices count. */
export interface ModelPlace {
  readonly model: string;
  /** Scheme, host and port of the target. */
  readonly origin: string;
  /** Of the dialect; compatible servers elsewhere are found by their address first. */
  readonly provider: string | undefined;
}

/** Undefined for a model that the library does not know. */
export type FindLibraryPrice = (place: ModelPlace) => ModelPrice | undefined;

/** Loads the price table of the library, which takes a moment and some memory. */
export async function loadLibraryPrices(): Promise<FindLibraryPrice> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');

  const ask = (model: string, providerId: string | undefined): ModelPrice | undefined => {
    const found = calcPrice({ input_tokens: 0 }, model, providerId === undefined ? {} : { providerId });
    return found === null ? undefined : compilePrice(found.model_price);
  };

  return ({ model, origin, provider: maker }) => {
    const host = findProvider({ providerApiUrl: origin })?.id;
    if (isFree(model, { host, maker })) return freePrice;
    // Routers name the maker in front of the model.
    const names = new Set([model, model.slice(model.lastIndexOf('/') + 1)]);
    for (const provider of host === undefined ? [maker, undefined] : [host, maker, undefined]) {
      for (const name of names) {
        const price = ask(name, provider);
        if (price !== undefined) return price;
      }
    }
    // Their models are named by themselves alone, wherever they are asked for.
    for (const seller of sellers) {
      const price = ask(model, seller);
      if (price !== undefined) return price;
    }
    return findOwnPrice(model);
  };
}

/** Makers who sell what no name of a model tells the library. */
const sellers = ['perplexity', 'cohere', 'voyageai', 'zai', 'minimax', 'moonshotai'];

type LibraryRate = number | { readonly base: number; readonly tiers: readonly { start: number; price: number }[] };

/** A model that is not sold by the token, such as one for pictures, has no price here. */
function compilePrice(price: LibraryPrice): ModelPrice | undefined {
  const input = compileRate(price['input_mtok']);
  const output = compileRate(price['output_mtok']);
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? none,
    cachedInput: compileRate(price['cache_read_mtok']),
    cacheWrite: compileRate(price['cache_write_mtok']),
    longCacheWrite: compileRate(price['cache_write_1h_mtok']),
    output: output ?? none,
    ...compileOutputs(price),
    ...compileMedia('audio', price),
    ...compileMedia('image', price),
    fees: {
      webSearch: compileFee(price['web_searches_kcount']),
      fileSearch: compileFee(price['storage_searches_kcount']),
      request: compileFee(price['requests_kcount']),
    },
  };
}

function compileOutputs(price: LibraryPrice): Pick<ModelPrice, 'reasoning' | 'citation'> {
  const [reasoning, citation] = [
    compileRate(price['output_reasoning_mtok']),
    compileRate(price['output_citation_mtok']),
  ];
  return { ...(reasoning && { reasoning }), ...(citation && { citation }) };
}

type LibraryPrice = Readonly<Record<string, LibraryRate | undefined>>;

function compileMedia(kind: 'audio' | 'image', price: LibraryPrice): Pick<ModelPrice, 'audio' | 'image'> {
  const rates = {
    input: compileRate(price[`input_${kind}_mtok`]),
    cachedInput: compileRate(price[`cache_${kind}_read_mtok`]),
    output: compileRate(price[`output_${kind}_mtok`]),
  };
  return Object.values(rates).every((rate) => rate === undefined) ? {} : { [kind]: rates };
}

/** From USD for a thousand to micro-USD for one. */
const compileFee = (fee: LibraryRate | undefined): number =>
  (fee === undefined ? 0 : typeof fee === 'number' ? fee : fee.base) * 1_000;

const none: Rate = { base: 0, tiers: [] };

const compileRate = (rate: LibraryRate | undefined): Rate | undefined => {
  if (rate === undefined || typeof rate === 'number') return rate === undefined ? undefined : { base: rate, tiers: [] };
  const tiers = rate.tiers.map(({ start, price }) => ({ above: start, rate: price }));
  return { base: rate.base, tiers: tiers.toSorted((one, other) => one.above - other.above) };
};
