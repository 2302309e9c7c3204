import { Type, type Static } from 'typebox';
import { Exact, optional } from './fields.ts';

const settings = {
  error_style: Type.Enum(['envelope', 'native'], {
    default: 'envelope',
    description: "Refusals in the gateway's envelope, or in the dialect of the client's API.",
  }),
  forward_gateway_key: Type.Boolean({
    default: false,
    description: 'Forwards the header that carried the gateway key too. It hands the key to the target.',
  }),
  system_prompt_max_body_size: Type.Integer({
    minimum: 0,
    maximum: 1_073_741_824,
    default: 102_400,
    description: 'Bytes; larger request bodies get no system prompt.',
  }),
  system_prompt_max_messages: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 10,
    description: 'Conversations with more messages get no system prompt.',
  }),
};

/** How one proxy departs from the defaults: the column `proxies.settings`. An absent key means the default. */
export const ProxySettings = Exact(optional(settings), { title: 'ProxySettings' });
export type ProxySettings = Static<typeof ProxySettings>;
