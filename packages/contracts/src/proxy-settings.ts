import { Type, type Static } from 'typebox';
import { Exact, optional } from './fields.ts';

const settings = {
  error_style: Type.Enum(['envelope', 'native'], {
    default: 'envelope',
    description: "Refusals in the gateway's envelope, or in the dialect of the client's API.",
  }),
  block_response: Type.Enum(['http', 'jsonrpc', 'tool_error'], {
    default: 'http',
    description: 'How an MCP client is told that a policy blocked its call.',
  }),
  forward_gateway_key: Type.Boolean({
    default: false,
    description: 'Forwards the header that carried the gateway key too. It hands the key to the target.',
  }),
  rate_limit_refill: Type.Enum(['per_second', 'proportional'], {
    default: 'per_second',
    description: 'One token a second, or a full bucket a minute.',
  }),
  on_store_failure: Type.Enum(['degrade', 'deny'], {
    default: 'degrade',
    description: 'Without the rate limit store: enforce what this process knows, or refuse.',
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
