import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Tls } from '@portcullis/platform/tls/tls';
import type { ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';
import type { PortHandler } from '../traffic/handle-exchange.ts';
import { openProxyListener, type ListenerParts, type ProxyListener } from './proxy-listener.ts';
import type { MalformedRequests } from './malformed-requests.ts';

/** What this process really does with a proxy. */
export interface ListenerState {
  readonly proxyId: number;
  readonly state: 'running' | 'stopped' | 'error';
  readonly error: string | null;
  readonly port: number;
  readonly startedAt: Date | null;
}

/** The open proxy ports, brought in step with what a snapshot wants. */
export interface ListenerSet {
  /** Opens, closes and restarts listeners; resolves with the state of every proxy of the snapshot. */
  reconcile(snapshot: Snapshot): Promise<readonly ListenerState[]>;
  /** Has the open ports look again at what stays open without end. */
  reconsider(): void;
  closeAll(): Promise<void>;
}

export interface ListenerSetParts extends Pick<ListenerParts, 'limits'> {
  readonly host: string;
  readonly drainMs: number;
  readonly handlerFor: (proxyId: number) => PortHandler;
  readonly unreadable: MalformedRequests;
  readonly tls: Pick<Tls, 'prepare' | 'keepOnly'>;
  readonly log: Logger;
}

export function createListenerSet(parts: ListenerSetParts): ListenerSet {
  const { host, drainMs, handlerFor, unreadable, tls, log } = parts;
  const prepareParts = async ({ id, tlsPair }: ProxyEntry): Promise<ListenerParts> => ({
    limits: parts.limits,
    onMalformed: (request) => unreadable.take(id, request),
    createServer: await tls.prepare({ pair: tlsPair, asksClients: true }),
  });
  const open = new Map<number, ProxyListener>();
  const draining = new Set<Promise<void>>();

  /** The port is free as soon as this returns; exchanges in flight go on for a while. */
  const close = (proxyId: number, listener: ProxyListener): void => {
    open.delete(proxyId);
    unreadable.forget(proxyId);
    const closing = listener.close(drainMs).finally(() => draining.delete(closing));
    draining.add(closing);
    log.info('proxy stopped', { proxy_id: proxyId, port: listener.port });
  };

  const closeUnwanted = (snapshot: Snapshot): void => {
    for (const [proxyId, listener] of open) {
      const proxy = snapshot.proxies.get(proxyId);
      if (proxy === undefined || !isServedBy(listener, proxy)) close(proxyId, listener);
    }
  };

  const openWanted = async (proxy: ProxyEntry): Promise<ListenerState> => {
    const state = { proxyId: proxy.id, port: proxy.port, error: null, startedAt: null };
    try {
      const listener = await openProxyListener(proxy, host, await prepareParts(proxy), handlerFor(proxy.id));
      open.set(proxy.id, listener);
      log.info('proxy started', { proxy_id: proxy.id, proxy: proxy.name, port: proxy.port });
      return { ...state, state: 'running', startedAt: listener.startedAt };
    } catch (error) {
      log.error('proxy could not start', { proxy_id: proxy.id, port: proxy.port, reason: problemText(error) });
      return { ...state, state: 'error', error: problemText(error) };
    }
  };

  /** What is known without waiting: with thousands of proxies, all but the few that a change concerns. */
  const findState = ({ id, port, wanted }: ProxyEntry): ListenerState | undefined => {
    if (!wanted) return { proxyId: id, port, error: null, startedAt: null, state: 'stopped' };
    const known = open.get(id);
    return known && { proxyId: id, port, error: null, startedAt: known.startedAt, state: 'running' };
  };

  return {
    async reconcile(snapshot) {
      // Close first: a port may move from one proxy to another within one change.
      closeUnwanted(snapshot);
      const wanted = [...snapshot.proxies.values()].filter((proxy) => proxy.wanted);
      tls.keepOnly(new Set(wanted.flatMap(({ tlsPair }) => tlsPair ?? [])));
      const states: ListenerState[] = [];
      const opening: Promise<ListenerState>[] = [];
      for (const proxy of snapshot.proxies.values()) {
        const state = findState(proxy);
        if (state === undefined) opening.push(openWanted(proxy));
        else states.push(state);
      }
      return [...states, ...(await Promise.all(opening))];
    },

    reconsider() {
      for (const listener of open.values()) listener.reconsider();
    },

    async closeAll() {
      for (const [proxyId, listener] of open) close(proxyId, listener);
      await Promise.all(draining);
    },
  };
}

const isServedBy = (listener: ProxyListener, proxy: ProxyEntry): boolean =>
  proxy.wanted &&
  proxy.port === listener.port &&
  proxy.generation === listener.generation &&
  proxy.tlsPair === listener.tlsPair;
