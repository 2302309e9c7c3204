const mib = 1_048_576;

/** What the gateway takes from agents and their callers. Everything beyond is refused by name. */
export const a2aLimits = {
  cardBytes: 256 * 1024,
  /** One event of a stream. */
  eventBytes: 4 * mib,
  bodyBytes: 10 * mib,
  problems: 50,

  idLength: 256,
  nameLength: 500,
  urlLength: 2_048,
  mediaTypeLength: 255,
  cardTextLength: 20_000,
  interfaces: 32,
  skills: 256,
  extensions: 64,
  schemes: 32,
  scopes: 256,
  modes: 64,
  tags: 64,
  signatures: 16,
  signatureLength: 16 * 1024,

  parts: 1_000,
  /** Messages in the history of a task, and its artifacts. */
  history: 1_000,
  artifacts: 1_000,
  referenceTasks: 64,
  /** Levels of metadata, of the value of a data part, and of the parameters of an extension. */
  valueDepth: 64,
} as const;
