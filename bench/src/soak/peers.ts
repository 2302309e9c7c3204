import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { findFreePort } from '@portcullis/testkit/free-port';

/** Everything that the gateway under load talks to. */
export interface Peers extends AsyncDisposable {
  readonly llm: LlmPeer;
  /** Takes its time with every piece of a stream. */
  readonly slow: LlmPeer;
  /** Answers 500. */
  readonly failing: LlmPeer;
  /** Closes the connection in the middle of its answer. */
  readonly breaking: LlmPeer;
  /** Never answers. */
  readonly hanging: LlmPeer;
  /** Nothing listens there. */
  readonly nobody: string;
  readonly mcp: McpPeer;
  readonly judge: GuardrailPeer;
}

const forgetEveryMs = 1_000;

export async function startPeers(): Promise<Peers> {
  await using opened = new AsyncDisposableStack();
  const llm = opened.use(await startLlmPeer());
  const slow = opened.use(await startLlmPeer({ chunkDelayMs: 20 }));
  const failing = opened.use(await startLlmPeer({ fault: { kind: 'status', status: 500 } }));
  const breaking = opened.use(await startLlmPeer({ fault: { kind: 'break-off', afterPieces: 2 } }));
  const hanging = opened.use(await startLlmPeer({ fault: { kind: 'hang' } }));
  const mcp = opened.use(await startMcpPeer({ sessions: true, answers: 'sse' }));
  const judge = opened.use(await startGuardrailPeer('http'));
  // What they remember for tests would be all that grows here.
  const forget = () => {
    for (const peer of [llm, slow, failing, breaking, hanging, mcp, judge]) peer.forget();
  };
  const timer = setInterval(forget, forgetEveryMs);
  opened.defer(() => clearInterval(timer));
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  const resources = opened.move();
  return {
    llm,
    slow,
    failing,
    breaking,
    hanging,
    nobody,
    mcp,
    judge,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
