import type { Infrastructure } from '../lifecycle/infrastructure.ts';
import { FairShare } from './fair-share.ts';

const bytesPerMiB = 1_048_576;
const rooms = new WeakMap<Infrastructure['config'], FairShare>();

/** The memory for large request bodies, one for all data planes of a process. One body as large as allowed always fits. */
export function shareBodyRoom({ config }: Pick<Infrastructure, 'config'>): FairShare {
  const known = rooms.get(config);
  if (known !== undefined) return known;
  const room = new FairShare(Math.max(config.MAX_HELD_BODIES_MB, config.MAX_REQUEST_SIZE_MB) * bytesPerMiB);
  rooms.set(config, room);
  return room;
}
