/** What a skill.json says of its skill, as far as the registry shows it. */
export interface ManifestFacts {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: string | undefined;
}

/** There is no standard for skill.json: what is not as expected is passed over. Never throws. */
export function readManifest(text: string | undefined): ManifestFacts {
  if (text === undefined) return {};
  try {
    const { name, version, description, author } = Object(JSON.parse(text)) as Record<string, unknown>;
    const writer = typeof author === 'object' && author !== null ? (author as Record<string, unknown>)['name'] : author;
    return { name: textOf(name), version: textOf(version), description: textOf(description), author: textOf(writer) };
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
