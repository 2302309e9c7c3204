import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Tls } from '@portcullis/platform/tls/tls';
import type { ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';
import type { PortHandler } from '../traffic/traffic-handler.ts';
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

export interface ListenerSetParts extends Pick<ListenerParts, 'limits'> {
  readonly host: string;
  readonly drainMs: number;
  readonly handlerFor: (proxyId: number) => PortHandler;
  readonly unreadable: MalformedRequests;
  readonly tls: Pick<Tls, 'prepare' | 'keepOnly'>;
  readonly log: Logger;
}

/** The open proxy ports, brought in step with what a snapshot wants. */
export class ListenerSet {
  readonly #parts: ListenerSetParts;
  readonly #open = new Map<number, ProxyListener>();
  readonly #draining = new Set<Promise<void>>();

  constructor(parts: ListenerSetParts) {
    this.#parts = parts;
  }

  /** Opens, closes and restarts listeners; resolves with the state of every proxy of the snapshot. */
  async reconcile(snapshot: Snapshot): Promise<readonly ListenerState[]> {
    // Close first: a port may move from one proxy to another within one change.
    this.#closeUnwanted(snapshot);
    const wanted = [...snapshot.proxies.values()].filter((proxy) => proxy.wanted);
    this.#parts.tls.keepOnly(new Set(wanted.flatMap(({ tlsPair }) => tlsPair ?? [])));
    const states: ListenerState[] = [];
    const opening: Promise<ListenerState>[] = [];
    for (const proxy of snapshot.proxies.values()) {
      const state = this.#findState(proxy);
      if (state === undefined) opening.push(this.#openWanted(proxy));
      else states.push(state);
    }
    return [...states, ...(await Promise.all(opening))];
  }

  /** Has the open ports look again at what stays open without end. */
  reconsider(): void {
    for (const listener of this.#open.values()) listener.reconsider();
  }

  async closeAll(): Promise<void> {
    for (const [proxyId, listener] of this.#open) this.#close(proxyId, listener);
    await Promise.all(this.#draining);
  }

  /** What is known without waiting: with thousands of proxies, all but the few that a change concerns. */
  #findState({ id, port, wanted }: ProxyEntry): ListenerState | undefined {
    if (!wanted) return { proxyId: id, port, error: null, startedAt: null, state: 'stopped' };
    const known = this.#open.get(id);
    return known && { proxyId: id, port, error: null, startedAt: known.startedAt, state: 'running' };
  }

  async #openWanted(proxy: ProxyEntry): Promise<ListenerState> {
    const { host, handlerFor, log } = this.#parts;
    const state = { proxyId: proxy.id, port: proxy.port, error: null, startedAt: null };
    try {
      const listener = await openProxyListener(proxy, host, await this.#prepare(proxy), handlerFor(proxy.id));
      this.#open.set(proxy.id, listener);
      log.info('proxy started', { proxy_id: proxy.id, proxy: proxy.name, port: proxy.port });
      return { ...state, state: 'running', startedAt: listener.startedAt };
    } catch (error) {
      log.error('proxy could not start', { proxy_id: proxy.id, port: proxy.port, reason: problemText(error) });
      return { ...state, state: 'error', error: problemText(error) };
    }
  }

  async #prepare({ id, tlsPair }: ProxyEntry): Promise<ListenerParts> {
    const { limits, unreadable, tls } = this.#parts;
    return {
      limits,
      onMalformed: (request) => unreadable.take(id, request),
      createServer: await tls.prepare({ pair: tlsPair, asksClients: true }),
    };
  }

  #closeUnwanted(snapshot: Snapshot): void {
    for (const [proxyId, listener] of this.#open) {
      const proxy = snapshot.proxies.get(proxyId);
      if (proxy === undefined || !isServedBy(listener, proxy)) this.#close(proxyId, listener);
    }
  }

  /** The port is free as soon as this returns; exchanges in flight go on for a while. */
  #close(proxyId: number, listener: ProxyListener): void {
    const { drainMs, unreadable, log } = this.#parts;
    this.#open.delete(proxyId);
    unreadable.forget(proxyId);
    const closing = listener.close(drainMs).finally(() => this.#draining.delete(closing));
    this.#draining.add(closing);
    log.info('proxy stopped', { proxy_id: proxyId, port: listener.port });
  }
}

const isServedBy = (listener: ProxyListener, proxy: ProxyEntry): boolean =>
  proxy.wanted &&
  proxy.port === listener.port &&
  proxy.generation === listener.generation &&
  proxy.tlsPair === listener.tlsPair;
