import { problemText } from '@portcullis/platform/lifecycle/problem';
import { refuseRepeatedKeys } from '@portcullis/core/json/refuse-repeated-keys';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { BodyTooLarge, ClientGone, receiveBody } from '../traffic/receive-body.ts';

const jsonType = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * A body that claims to be JSON and does not parse is refused: what we cannot read, a lenient target
 * might. One that looks like JSON is read as JSON whatever it claims, for the same reason, and one
 * with a key twice in an object is refused: the target might take the one that we did not look at.
 */
const parseJson = (exchange: Exchange): Verdict => {
  const claimed = jsonType.test(exchange.request.headers['content-type'] ?? '');
  if (!claimed && !looksLikeJson(exchange.body)) return next;
  const source = exchange.body.toString('utf8');
  try {
    exchange.json = JSON.parse(source);
  } catch (error) {
    return claimed ? denyJson(error) : next;
  }
  try {
    refuseRepeatedKeys(source, exchange.json);
  } catch (error) {
    return denyJson(error);
  }
  exchange.model = exchange.protocol.readModel(exchange.json, exchange.path);
  return next;
};

const denyJson = (error: unknown): Verdict => deny('invalid_json', { message: problemText(error).slice(0, 200) });

const jsonStarts = new Set(Buffer.from('{["'));
const looksLikeJson = (body: Buffer): boolean => {
  const first = body.find((byte) => byte > 0x20);
  return first !== undefined && jsonStarts.has(first);
};

const takeBody = (exchange: Exchange, body: Buffer): Verdict => {
  exchange.body = body;
  if (body.length === 0) return next;
  const encoding = exchange.request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return deny('unsupported_media_type', { message: 'Send the body without content-encoding' });
  }
  return parseJson(exchange);
};

/** Receives the body once, within the bound, and parses it once. */
export const createParse = (maxBodyBytes: number): RequestStage<Exchange> => ({
  name: 'parse',
  on: ['llm', 'mcp'],
  onFault: 'deny',
  run(exchange) {
    return receiveBody(exchange.request, maxBodyBytes).then(
      (body) => takeBody(exchange, body),
      (error: unknown) => {
        if (error instanceof BodyTooLarge) {
          return deny('payload_too_large', { message: `The limit is ${maxBodyBytes} bytes` });
        }
        if (error instanceof ClientGone) return deny('client_closed');
        throw error;
      },
    );
  },
});
