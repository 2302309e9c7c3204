import type { Contestant } from './contestant.ts';
import { direct } from './direct.ts';
import { nginx } from './nginx.ts';
import { nodeUndici } from './node-undici.ts';
import { portcullisServers } from './portcullis-servers.ts';
import { portcullis } from './portcullis.ts';
import { portkey } from './portkey.ts';

/** In the order of the table. */
export const contestants: readonly Contestant[] = [direct, nginx, nodeUndici, portkey, portcullis, portcullisServers];
