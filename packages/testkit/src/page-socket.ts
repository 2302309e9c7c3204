import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Whether the gateway takes a socket for signed in that a browser opens for a page of the origin, with its cookies. */
export async function isPageSignedIn(url: string, cookie: string, origin: string | undefined): Promise<boolean> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { cookie },
    ...(origin !== undefined && { origin }),
  });
  try {
    await once(socket, 'open');
    // Who is signed in is answered; anybody else is closed: the first message must be a token.
    socket.send(JSON.stringify({ type: 'subscribe', types: ['new_alert'] }));
    const [first] = (await Promise.race([once(socket, 'message'), once(socket, 'close')])) as [unknown];
    return String(first).includes('session.subscribed');
  } catch {
    return false;
  } finally {
    socket.terminate();
  }
}
