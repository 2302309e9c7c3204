import type { ServicePart } from '@portcullis/platform/service/service-part';
import { loadLibraryPrices, type FindLibraryPrice } from './library-prices.ts';

/** The prices of the library, none until they are loaded at the start of the service. */
export class LoadedPrices implements ServicePart {
  #find: FindLibraryPrice = () => undefined;

  readonly find: FindLibraryPrice = (place) => this.#find(place);

  async start(): Promise<void> {
    this.#find = await loadLibraryPrices();
  }
}
