import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { ToolFilter } from '../tools/tool-filter.ts';
import type { ToolWatch } from '../tools/tool-watch.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** Takes hidden tools out of lists, before policies read them: a tool that no client sees harms none. */
export const createFilterTools = (watch: ToolWatch): ResponseStage<Exchange, StreamUnit> => ({
  name: 'filter-tools',
  open: (exchange) => (exchange.proxy.tools === undefined ? undefined : new ToolFilter(exchange, watch)),
});
