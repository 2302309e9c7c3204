import { performance } from 'node:perf_hooks';
import { LruMap } from '@portcullis/core/collections/lru-map';
import { RollingWindow } from '@portcullis/core/rate-limit/rolling-window';
import type { Windows, WindowAnswer } from '../coordination.ts';

interface InProcessWindowsOptions {
  readonly maxWindows?: number;
  /** Microseconds that never go back. */
  readonly nowUs?: (() => number) | undefined;
}

interface InProcessWindows extends Windows {
  take(key: string, limit: number): WindowAnswer;
}

/** Windows of this process, lost with it. Empty ones are dropped as new ones come. */
export function createInProcessWindows({
  maxWindows = 100_000,
  nowUs = () => performance.now() * 1_000,
}: InProcessWindowsOptions = {}): InProcessWindows {
  const windows = new LruMap<RollingWindow>();

  /** Two looks for every new window: the map shrinks faster than it grows. */
  const dropUnused = (nowMs: number): void => {
    for (let looks = 2; looks > 0; looks -= 1) {
      const { oldest } = windows;
      if (oldest === undefined || (windows.size <= maxWindows && !oldest.value.isEmpty(nowMs))) return;
      windows.delete(oldest.key);
    }
  };

  return {
    take(key, limit) {
      const nowMs = nowUs() / 1_000;
      const known = windows.use(key)?.value;
      if (known !== undefined) return known.count(limit, nowMs);
      const window = new RollingWindow();
      const answer = window.count(limit, nowMs);
      windows.add(key, window);
      dropUnused(nowMs);
      return answer;
    },
  };
}
