import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { UpgradeSink, type Upgrade, type UpgradeParts } from './upgrade-sink.ts';

export interface SocketHandlerParts extends Omit<UpgradeParts, 'places' | 'server' | 'chosen'> {
  readonly maxMessageBytes: number;
}

/** Answers upgrades to a WebSocket: each goes through the request stages like any request, and so does each message. */
export function createSocketHandler(parts: SocketHandlerParts): (upgrade: Upgrade) => void {
  const chosen = new WeakMap<IncomingMessage, string>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: parts.maxMessageBytes,
    handleProtocols: (_offered, request) => chosen.get(request) ?? false,
  });
  const shared: UpgradeParts = { ...parts, places: new FairShare(parts.limits.maxSockets), server, chosen };
  return (upgrade) => {
    upgrade.socket.on('error', () => undefined);
    const sink = new UpgradeSink(upgrade, shared);
    void parts.driver.drive(sink.exchange, sink);
  };
}
