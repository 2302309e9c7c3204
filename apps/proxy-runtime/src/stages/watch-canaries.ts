import type { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import { visitStrings } from '@portcullis/core/json/visit-strings';
import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

class CanaryReader implements ResponseFilter<StreamUnit> {
  readonly #watch: CanaryWatch;

  constructor(watch: CanaryWatch) {
    this.#watch = watch;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (content.kind === 'value') visitStrings(content.value, (text) => this.#watch.read(text));
    else {
      for (const { channel, text, alone } of content.texts) {
        if (alone === true) this.#watch.read(text);
        else this.#watch.push(channel, text);
      }
    }
    return { kind: 'release', units: [unit] };
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }
}

/** Looks for canary tokens in what the model says. It holds nothing back and stops nothing. */
export const watchCanaries: ResponseStage<Exchange, StreamUnit> = {
  name: 'watch-canaries',
  open: ({ canaries }) => (canaries === undefined ? undefined : new CanaryReader(canaries.watch)),
};
