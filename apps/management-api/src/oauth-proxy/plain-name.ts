/** A name is shown to users: no control characters, nothing that turns the direction of the text. */
export function plainName(name: string | undefined): string | undefined {
  const plain = name
    ?.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100);
  return plain === '' ? undefined : plain;
}
