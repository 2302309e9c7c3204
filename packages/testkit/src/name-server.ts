import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';

/** A name server on loopback that says something else each time, as a hostile one does. */
export interface NameServer extends AsyncDisposable {
  /** For the environment of a gateway that is to ask it, and no other one, about names that end in `.test`. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * What a name has for addresses: one list for each question, the last one for all that follow. Names below it have
   * lists of their own, which are the same.
   */
  answer(name: string, ...answers: readonly (readonly string[])[]): void;
  /** How often a name was asked about. */
  countOf(name: string): number;
}

const [ipv4, notFound] = [1, 3];

/** Starts it. Questions for addresses of IPv4 are answered, with no time to live; all others have no answer. */
export async function startNameServer(): Promise<NameServer> {
  const known = new Map<string, readonly (readonly string[])[]>();
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');

  const answersOf = (name: string) => known.get(name) ?? known.get(name.slice(name.indexOf('.') + 1));
  const reply = (question: Buffer, from: RemoteInfo): void => {
    const { name, type, end } = readQuestion(question);
    const answers = answersOf(name);
    const count = asked.get(name) ?? 0;
    if (type === ipv4) asked.set(name, count + 1);
    const addresses = type === ipv4 ? (answers?.[count] ?? answers?.at(-1) ?? []) : [];
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (answers === undefined ? notFound : 0), 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, ipv4, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  };
  socket.on('message', reply);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    environment: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'query-name-server.ts')}`,
      TEST_NAME_SERVER: `127.0.0.1:${socket.address().port}`,
    },
    answer: (name, ...answers) => void known.set(name, answers),
    countOf: (name) => asked.get(name) ?? 0,
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** The one question of a request, and where it ends. */
function readQuestion(bytes: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: bytes.readUInt16BE(at + 1), end: at + 5 };
}
