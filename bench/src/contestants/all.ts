import type { Contestant } from './contestant.ts';
import { direct } from './direct.ts';
import { nginx, nginxTls } from './nginx.ts';
import { nodeUndici } from './node-undici.ts';
import { portcullisServers } from './portcullis-servers.ts';
import { portcullis, portcullisBefore, portcullisTls } from './portcullis.ts';
import { portkey } from './portkey.ts';

/** In the order of the table. */
export const contestants: readonly Contestant[] = [
  direct,
  nginx,
  nginxTls,
  nodeUndici,
  portkey,
  portcullis,
  portcullisTls,
  portcullisBefore,
  portcullisServers,
];
