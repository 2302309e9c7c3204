import { answer, parseJsonBody, startLoopbackPeer, type Peer } from './loopback-peer.ts';

export interface ChatWebhookFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An incoming webhook of a chat service. */
export interface ChatWebhookPeer extends Peer {
  /** The URL to post to; its path is a secret, as with real ones. */
  readonly webhookUrl: string;
  /** Bodies of the posts that were accepted, oldest first. */
  readonly posts: readonly unknown[];
  /** Fails the next `count` posts. */
  failNext(count: number, failure: ChatWebhookFailure): void;
  /** Leaves posts unanswered from now on, or answers them again. */
  hang(hanging: boolean): void;
}

const path = '/services/T000/B000/peer-secret';

/** Starts a webhook that accepts JSON with a `text` and answers `ok`, as Slack's does. */
export async function startChatWebhookPeer({
  port,
  host,
}: { readonly port?: number; readonly host?: string } = {}): Promise<ChatWebhookPeer> {
  const posts: unknown[] = [];
  let failures: ChatWebhookFailure[] = [];
  let hanging = false;

  const peer = await startLoopbackPeer(
    (request, response) => {
      if (hanging) return;
      const failure = failures.shift();
      if (failure !== undefined) return answer(response, failure.status, failure.body ?? 'no_luck', failure.headers);
      if (request.method !== 'POST' || request.path !== path) return answer(response, 404, 'no_service');

      const post = parseJsonBody(request);
      if (post === undefined) return answer(response, 400, 'invalid_payload');
      posts.push(post);
      answer(response, 200, 'ok');
    },
    port,
    undefined,
    host,
  );

  return {
    ...peer,
    webhookUrl: `${peer.url}${path}`,
    posts,
    failNext: (count, failure) => {
      failures = Array.from({ length: count }, () => failure);
    },
    hang: (value) => {
      hanging = value;
    },
  };
}
