/** How long a change of the settings may take to be in force. */
const maxAgeMs = 1_000;

/** Settings that are read often. */
export interface CachedSettings<Value> {
  current(): Promise<Value>;
  /** Why they could not be read last time. */
  problem(): string | undefined;
}

/**
 * Answers what `load` answered, asked again when that is older than a second. While it fails, the last good answer stays in
 * force; `current` rejects only when there never was one.
 */
export function createCachedSettings<Value>(
  load: () => Promise<Value>,
  now: () => number = () => performance.now(),
): CachedSettings<Value> {
  let loaded: { readonly value: Value; readonly atMs: number } | undefined;
  let loading: Promise<Value> | undefined;
  let problem: string | undefined;

  const reload = async (): Promise<Value> => {
    try {
      loaded = { value: await load(), atMs: now() };
      problem = undefined;
      return loaded.value;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      if (loaded === undefined) throw error;
      loaded = { ...loaded, atMs: now() };
      return loaded.value;
    } finally {
      loading = undefined;
    }
  };

  return {
    current() {
      if (loaded !== undefined && now() - loaded.atMs < maxAgeMs) return Promise.resolve(loaded.value);
      loading ??= reload();
      return loading;
    },
    problem: () => problem,
  };
}
