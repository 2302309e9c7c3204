/** One object of a JSON list as it stood on the wire, with what stood between it and the one before. */
export interface ListMember {
  readonly bytes: Buffer;
  /** Where the object begins in the bytes. */
  readonly start: number;
}

/** Cuts a JSON list of objects into its members, however the bytes arrive. */
export interface JsonListFramer {
  /** @throws {NoListOfObjects} also when a member grows beyond the bound */
  push(chunk: Buffer): readonly ListMember[];
  /** What stands behind the last member. */
  end(): Buffer;
}

export class NoListOfObjects extends Error {}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
/** What may stand before a member: the beginning of the list, a comma, white space. */
const between = new Set(Buffer.from('[, \t\r\n'));

export function createJsonListFramer(maxMemberBytes: number): JsonListFramer {
  /** What came behind the last member, as its chunks came: a large member is put together once, when it ends. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let depth = 0;
  /** Where the object under way begins behind the last member, -1 between objects. */
  let start = -1;
  let isText = false;
  let isEscaped = false;

  /** @returns whether an object ends with this byte */
  const read = (byte: number, at: number): boolean => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isText = false;
      return false;
    }
    if (start === -1 && byte !== openBrace && byte !== closeBracket && !between.has(byte)) {
      throw new NoListOfObjects('The list has members that are no objects');
    }
    if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > 1 && start === -1) start = byte === openBrace ? at : throwNested();
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    return depth === 1 && byte === closeBrace;
  };

  const take = (bytes: Buffer): Buffer => {
    const whole = pending.length === 0 ? bytes : Buffer.concat([...pending, bytes]);
    pending = [];
    pendingBytes = 0;
    return whole;
  };

  return {
    push(chunk) {
      const members: ListMember[] = [];
      let taken = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        if (!read(chunk[at] as number, pendingBytes + at - taken)) continue;
        members.push({ bytes: take(chunk.subarray(taken, at + 1)), start });
        taken = at + 1;
        start = -1;
      }
      if (taken < chunk.length) pending.push(chunk.subarray(taken));
      pendingBytes += chunk.length - taken;
      if (pendingBytes > maxMemberBytes) throw new NoListOfObjects(`A member is larger than ${maxMemberBytes} bytes`);
      return members;
    },

    end() {
      return take(Buffer.alloc(0));
    },
  };
}

const throwNested = (): never => {
  throw new NoListOfObjects('The list has lists for members');
};
