import type { LiveEventType, LivePayload } from '@portcullis/contracts/live-events';
import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { LiveSocket, LiveState } from './live-socket.ts';

export const LiveContext = createContext<LiveSocket | undefined>(undefined);

/** Calls back for each event of the type for as long as the component is shown. */
export function useLive<Type extends LiveEventType>(type: Type, onEvent: (payload: LivePayload<Type>) => void): void {
  const socket = use(LiveContext);
  const latest = useEffectEvent(onEvent);
  useEffect(() => socket?.subscribe(type, (payload) => latest(payload as LivePayload<Type>)), [socket, type]);
}

const never = () => () => undefined;

export function useLiveState(): LiveState {
  const socket = use(LiveContext);
  return useSyncExternalStore(socket?.subscribeState ?? never, socket?.state ?? (() => 'connecting'));
}
