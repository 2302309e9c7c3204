import { GatewayError } from '@portcullis/platform/http/gateway-error';

/**
 * A source that can be scanned.
 * @throws {GatewayError} `bad_request` for an empty, binary or wrongly encoded one, `payload_too_large`
 */
export function checkSource(source: string, maxBytes: number): void {
  const size = Buffer.byteLength(source);
  if (size > maxBytes) {
    const message = `skill_source has ${size} bytes, and at most ${maxBytes} are scanned; upload larger skills as a package`;
    throw new GatewayError('payload_too_large', { message });
  }
  if (source.trim() === '') throw refuse('is empty: send the whole text of the skill');
  if (!source.isWellFormed()) throw refuse('has half of a surrogate pair, so its encoding is broken: send UTF-8');
  const at = findControl(source);
  if (at >= 0) {
    const code = source.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase();
    throw refuse(`is binary: U+${code} at character ${at + 1}. Send text, or upload the skill as a package`);
  }
}

/** Where something stands that no text holds: a control character that is no blank, line end, form feed or escape. */
function findControl(source: string): number {
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code < 32 && (code < 9 || code > 13) && code !== 27) return at;
  }
  return -1;
}

const refuse = (what: string) => new GatewayError('bad_request', { message: `skill_source ${what}` });
