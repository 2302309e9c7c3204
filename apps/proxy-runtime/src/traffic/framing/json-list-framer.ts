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
  let pending: Buffer = Buffer.alloc(0);
  let scanned = 0;
  let depth = 0;
  /** Where the object under way begins, -1 between objects. */
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

  return {
    push(chunk) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const members: ListMember[] = [];
      let taken = 0;
      for (let at = scanned; at < bytes.length; at += 1) {
        if (!read(bytes[at] as number, at)) continue;
        members.push({ bytes: bytes.subarray(taken, at + 1), start: start - taken });
        taken = at + 1;
        start = -1;
      }
      pending = bytes.subarray(taken);
      if (start !== -1) start -= taken;
      scanned = pending.length;
      if (pending.length > maxMemberBytes) throw new NoListOfObjects(`A member is larger than ${maxMemberBytes} bytes`);
      return members;
    },

    end() {
      return pending;
    },
  };
}

const throwNested = (): never => {
  throw new NoListOfObjects('The list has lists for members');
};
