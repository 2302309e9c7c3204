/** A key that counts no more, as far as its holder is told of it. */
export interface EndedKey {
  readonly name: string;
  /** False when revoked. */
  readonly active: boolean;
  /** Epoch milliseconds; Infinity when it never expires. */
  readonly expiresAtMs: number;
  /** The key that took its place. */
  readonly rotatedTo?: number | undefined;
}

const maxShownLength = 100;

/** What happened to a key. For one who presents the key itself alone: to others it is as unknown as any. */
export function describeEndedKey({ name, active, expiresAtMs, rotatedTo }: EndedKey): string {
  const key = name === '' ? 'This API key' : `The API key ${JSON.stringify(name.slice(0, maxShownLength))}`;
  const ended = active ? `ended at ${new Date(expiresAtMs).toISOString()}` : 'was revoked';
  return rotatedTo === undefined
    ? `${key} ${ended}: ask an admin of the gateway for another`
    : `${key} ${ended}: it was rotated, and API key ${rotatedTo} took its place`;
}
