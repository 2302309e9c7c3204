import type { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import { visitStrings } from '@portcullis/core/json/visit-strings';
import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { createUnitFilter, release } from '../framing/unit-filter.ts';

function readUnit({ content }: StreamUnit, watch: CanaryWatch): void {
  if (content.kind === 'value') visitStrings(content.value, (text) => watch.read(text));
  else {
    for (const { channel, text, alone } of content.texts) {
      if (alone === true) watch.read(text);
      else watch.push(channel, text);
    }
  }
}

/** Looks for canary tokens in what the model says. It holds nothing back and stops nothing. */
export const watchCanaries: ResponseStage<Exchange, StreamUnit> = {
  name: 'watch-canaries',
  open: ({ canaries }) =>
    canaries &&
    createUnitFilter((unit) => {
      readUnit(unit, canaries.watch);
      return release(unit);
    }),
};
