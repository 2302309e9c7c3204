import type { FileRoute } from '@portcullis/contracts/route';
import type { RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import type { ReadBodyBytes } from './body-reader.ts';
import { GatewayError } from '../http/gateway-error.ts';

const formType = 'multipart/form-data';
/** A form has the file and what is said of it. */
const maxParts = 20;

const files = new WeakMap<IncomingMessage, Uint8Array>();

/** The file that came with a request; undefined for one whose body is JSON. */
export const fileOf = (request: IncomingMessage): Uint8Array | undefined => files.get(request);

/**
 * Reads the body of a route that takes a file: a form with the file in a field of any name, whose texts become `request.body`, or the file
 * alone in its content type; all else is left to `readJson`. Refusals go to the error funnel.
 */
export function createFileBody(
  { contentType, nameField }: FileRoute,
  readBytes: ReadBodyBytes,
  readJson: RequestHandler,
): RequestHandler {
  return async (request, response, next) => {
    const kind = request.is([formType, contentType]);
    if (typeof kind !== 'string') {
      await readJson(request, response, next);
      return;
    }
    const bytes = new Uint8Array(await readBytes(request, response));
    const isForm = kind === formType;
    const { file, texts } = isForm
      ? await readForm(bytes, request.headers['content-type'] ?? '', nameField)
      : { file: bytes, texts: {} };
    files.set(request, file);
    request.body = texts;
    next();
  };
}

interface ReadForm {
  readonly file: Uint8Array;
  readonly texts: Record<string, string>;
}

/** Node's own parser, which reads what is whole already; how many parts there are is bounded before it runs. */
async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string, nameField: string): Promise<ReadForm> {
  const boundary = /;\s{0,20}boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(type);
  if (boundary === null) throw refuse('says no boundary in its content type');
  checkParts(bytes, boundary[1] ?? boundary[2] ?? '');
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw refuse('cannot be read: its parts are not as multipart/form-data has them');
  });
  const texts: Record<string, string> = {};
  const found: File[] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string') found.push(value);
    else if (Object.hasOwn(texts, name)) throw refuse(`has the field ${JSON.stringify(name.slice(0, 100))} twice`);
    else texts[name] = value;
  }
  const [file, ...others] = found;
  if (file === undefined || others.length > 0) {
    throw refuse(`has ${found.length} files; send one, as curl does with -F file=@name`);
  }
  if (file.name !== '' && texts[nameField] === undefined) texts[nameField] = file.name;
  return { file: new Uint8Array(await file.arrayBuffer()), texts };
}

function checkParts(bytes: Uint8Array<ArrayBuffer>, boundary: string): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    // The last one ends the form.
    if (parts > maxParts + 1) throw refuse(`has more than ${maxParts} parts`);
  }
}

const refuse = (rule: string) => new GatewayError('bad_request', { message: `The form ${rule}` });
