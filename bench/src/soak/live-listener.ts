import type { World } from './soak-context.ts';

const reconnectEveryMs = 20_000;

/** Someone who watches /ws and now and then connects anew. */
export interface LiveListener extends Disposable {
  readonly heard: number;
  readonly problems: readonly string[];
}

export function listen({ admin, url }: Pick<World, 'admin' | 'url'>): LiveListener {
  let heard = 0;
  const problems: string[] = [];
  let socket: WebSocket | undefined;
  const connect = () => {
    const opened = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${admin.token}`);
    socket = opened;
    opened.addEventListener('message', ({ data }) => {
      heard += 1;
      const { type } = JSON.parse(String(data)) as { type?: unknown };
      if (typeof type !== 'string') problems.push(`/ws sent ${String(data).slice(0, 100)}`);
    });
    opened.addEventListener('close', ({ code }) => {
      if (socket === opened) problems.push(`/ws closed with ${code}`);
    });
  };
  connect();
  const timer = setInterval(() => {
    const old = socket;
    connect();
    old?.close();
  }, reconnectEveryMs);
  return {
    get heard() {
      return heard;
    },
    problems,
    [Symbol.dispose]() {
      clearInterval(timer);
      const last = socket;
      socket = undefined;
      last?.close();
    },
  };
}
