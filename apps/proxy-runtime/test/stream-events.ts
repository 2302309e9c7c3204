import { EventStreamParser } from '@portcullis/testkit/event-stream-frame';
import { AnsweredError } from './answered-error.ts';

type Data = Readonly<Record<string, unknown>>;

const parse = (source: string): Data => JSON.parse(source) as Data;

/** Data of server-sent events. @throws {AnsweredError} at an error */
export async function* readEvents({ body }: Response): AsyncGenerator<Data> {
  let read = Buffer.alloc(0);
  for await (const chunk of body ?? []) {
    read = Buffer.concat([read, Buffer.from(chunk)]);
    for (let end = read.indexOf('\n\n'); end !== -1; end = read.indexOf('\n\n')) {
      const event = read.toString('utf8', 0, end);
      read = read.subarray(end + 2);
      const source = /^data: (.*)$/m.exec(event)?.[1] ?? '{}';
      if (/^event: error$/m.test(event)) throw new AnsweredError(403, source);
      if (source !== '[DONE]') yield parse(source);
    }
  }
}

/** JSON values, one on each line. @throws {AnsweredError} at an error */
export async function* readLines({ body }: Response): AsyncGenerator<Data> {
  let read = Buffer.alloc(0);
  for await (const chunk of body ?? []) {
    read = Buffer.concat([read, Buffer.from(chunk)]);
    for (let end = read.indexOf('\n'); end !== -1; end = read.indexOf('\n')) {
      const data = parse(read.toString('utf8', 0, end));
      read = read.subarray(end + 1);
      if (typeof data['error'] === 'string') throw new AnsweredError(403, data['error']);
      yield data;
    }
  }
}

/** Events of Amazon's frames as `{kind: payload}`, and a model's own as they are. @throws {AnsweredError} at an exception */
export async function* readFrames({ body }: Response): AsyncGenerator<Data> {
  const parser = new EventStreamParser();
  for await (const chunk of body ?? []) {
    for (const { message, kind, payload } of parser.push(chunk)) {
      if (message === 'exception') throw new AnsweredError(403, JSON.stringify(payload));
      const { bytes } = payload;
      yield kind === 'chunk' ? parse(Buffer.from(String(bytes), 'base64').toString()) : { [kind]: payload };
    }
  }
}
