import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SpoolRecord } from '@portcullis/contracts/records';
import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import type { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import type { InjectionDecision } from '@portcullis/core/prompts/decide-injection';
import type { PresentedKey } from '@portcullis/core/identity/presented-key';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { ExchangeBudget } from './exchange-budget.ts';
import type { AddedText } from '../dialects/shared/added-text.ts';
import type { CheckLedger } from './check-ledger.ts';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import type { StreamForm, Dialect } from '../dialects/shared/dialect.ts';
import type { ToolCall } from './tool-call.ts';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';
import type { Progress } from './progress.ts';
import { RequestBody } from '../http/request-body.ts';
import { startExchangeTrace, type ExchangeTrace } from './exchange-trace.ts';
import type { AnswerExcerpt } from '../trace-content/answer-excerpt.ts';
import type { BackgroundWork } from '../usage/background-work.ts';
import { TextSample } from '../usage/text-sample.ts';
import type { Usage } from '../usage/usage.ts';
import type { CertificateEntry, KeyEntry, TrafficExchange } from '@portcullis/platform/traffic/traffic-exchange';
import type { AccessEntry, GroupEntry, Login, ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';

/** The token of one conversation. */
export interface ConversationCanary {
  readonly token: string;
  /** Some record says that it was planted. */
  isRecorded: boolean;
}

/** The canary tokens of an exchange, and whose it is. */
export interface ExchangeCanaries {
  readonly principal: string;
  readonly session: string;
  /** The token that went to the target. */
  planted: ConversationCanary | undefined;
  readonly watch: CanaryWatch;
}

/** A request as it was before it asked for its usage. */
export interface OriginalBody {
  readonly body: Buffer;
  /** To be told when the target took this one and not the other. */
  readonly refused: () => void;
}

/** Kept of the text of each stream until it ends. */
const maxSampledCharacters = 4_096;

const requestIdFormat = /^[\w.:-]{8,128}$/;

/** What of a request is known before any stage. */
export interface IncomingRequest {
  readonly request: IncomingMessage;
  readonly snapshot: Snapshot;
  readonly proxy: ProxyEntry;
  readonly clientIp: string;
  /** Of its target, without the query. */
  readonly path: string;
  /** With its question mark, empty without one. */
  readonly query: string;
  /** By its path. */
  readonly dialect: Dialect;
  /** Where the body has come already. */
  readonly received?: Buffer;
  /** What that takes of the memory for large bodies. */
  readonly heldBytes?: number;
}

/**
 * One request on a proxy port and everything the stages learn about it. Stages communicate through
 * these fields only; each is written by the ones named beside it.
 */
export class Exchange implements TrafficExchange {
  readonly id: string;
  readonly receivedAt = Date.now();
  /** Of what is recorded once of every exchange. */
  readonly eventId = randomUUIDv7();
  /** The same for records, ISO 8601 UTC. */
  readonly timestamp = new Date(this.receivedAt).toISOString();
  readonly startedAt = performance.now();
  readonly request: IncomingMessage;
  /** Pinned: a configuration change takes effect with the next request. */
  readonly snapshot: Snapshot;
  /** As it was when the request came; standing-streams: as it is, for what stays open without end. */
  proxy: ProxyEntry;
  /** By its path; parse: by its body where the path leaves that open. */
  dialect: Dialect;
  /** Path without its query. */
  readonly path: string;
  /** With its question mark, empty without one. identify takes the key out of it, follow-endpoint adds what was announced, inspect-request may redact it. */
  query: string;
  readonly clientIp: string;
  /** Its spans; undefined while tracing is off. */
  readonly trace: ExchangeTrace | undefined;

  /** identify */
  presentedKey: PresentedKey | undefined = undefined;
  /** identify */
  key: KeyEntry | undefined = undefined;
  /** identify: where a client certificate stands in place of a key. */
  certificate: CertificateEntry | undefined = undefined;
  /** identify: who signed in, where the token of a session is presented. */
  user: Login | undefined = undefined;
  /** check-group */
  group: GroupEntry | undefined = undefined;
  /** limit-concurrency, free-slot: it has one of the proxy's places. */
  holdsSlot = false;
  /** parse, free-body: bytes of a large body that count as taken. A message of a socket comes with its own. */
  heldBytes: number;
  /** check-access; standing-streams, as for the proxy. */
  access: AccessEntry | undefined = undefined;
  /** check-budget: where a budget pays for it; reserve-budget: what is held. */
  budget: ExchangeBudget | undefined = undefined;
  /** follow-session: as the target knows it; undefined where none is told to the target. */
  session: string | undefined = undefined;
  /** forward: the session that the target named in its answer. */
  answeredSession: string | undefined = undefined;
  /** find-session, record: the task of an agent that it belongs to. */
  sessionId: string | undefined = undefined;
  /** follow-endpoint: path and query on the target, where they were announced and the client has others for it. */
  endpoint: string | undefined = undefined;
  /** follow-endpoint: its path. */
  announcedPath: string | undefined = undefined;
  /** point-endpoint: path and query on the target to which the client of a stream sends its messages. */
  announcedEndpoint: string | undefined = undefined;
  /** parse takes it; follow-state, inject-prompt and inspect-request rewrite it, plant-canary and ask-for-usage amend it. */
  readonly body = new RequestBody();
  /** parse: bytes of the body as the client meant it, regardless of what the gateway adds or hides. */
  requestBytes = 0;
  /** parse: the body came compressed and is held as what it says. */
  bodyDecoded = false;
  /** parse */
  model: string | undefined = undefined;
  /** inject-prompt: where prompts are assigned. */
  prompting: Pick<InjectionDecision, 'injected' | 'skipped'> | undefined = undefined;
  /** inject-prompt, plant-canary: what they put beside the client's own instructions. */
  added: AddedText | undefined = undefined;
  /** check-tools: the calls of tools in a message of MCP; filter-tools marks those that failed. */
  toolCalls: readonly ToolCall[] = [];
  /** filter-tools: names of tools that were taken out of lists. */
  hiddenTools: readonly string[] = [];
  /** inspect-request: made when something is redacted. */
  placeholders: Placeholders | undefined = undefined;
  /** inspect-request: headers with something redacted in them, by name. */
  mirrored: ReadonlyMap<string, string> | undefined = undefined;
  /** inspect-response: time of its scans so far. */
  responseScanMs = 0;
  /** inspect-request, inspect-response */
  readonly findings: LocatedFinding[] = [];
  /** inspect-request: how long it took; undefined when it never came to it. */
  inspectionMs: number | undefined = undefined;
  /** ask-guardrails: where the proxy has guardrail providers. */
  guardrails: CheckLedger | undefined = undefined;
  /** plant-canary: where the proxy works with canary tokens. */
  canaries: ExchangeCanaries | undefined = undefined;
  /** forward, by its readers: as the provider told it. meter takes back what cannot be. */
  usage: Usage | undefined = undefined;
  /** forward, by its readers: the answer is one that the provider writes in the background. */
  background: BackgroundWork | undefined = undefined;

  /** forward, by its readers: how the answer streams; undefined when it does not, or in no way that could end in an error. */
  streamForm: StreamForm | undefined = undefined;
  /** forward: path and query on the target; empty until it goes there. An MCP server may redirect it once. */
  targetPath = '';
  /** forward: why the target failed, for the log. */
  targetProblem: string | undefined = undefined;
  /** forward: what the target answered with; 0 while it has not, undefined when nothing was sent to it. */
  targetStatus: number | undefined = undefined;
  /** forward: when it left for the target, and how long until the target's answer began. */
  forwardedAt: number | undefined = undefined;
  targetWaitMs: number | undefined = undefined;
  /** forward: what a header of the answer says that it cost. */
  statedCostMicroUsd: number | undefined = undefined;
  /** forward, by its readers: text that a stream carried, for an estimate when no usage is told. */
  readonly streamed = new TextSample(maxSampledCharacters);
  /** note-answer: its beginning as the client has it, where traces are to show it. */
  answerExcerpt: AnswerExcerpt | undefined = undefined;
  /** forward, by its readers: a whole answer that tells no usage. */
  answerWithoutUsage: unknown = undefined;
  /** ask-for-usage: the client did not ask for the event that tells the usage. forward takes it back with the question. */
  hidesUsage = false;
  /** ask-for-usage: the body without its question, where the target may refuse that; forward: undefined once it is settled. */
  originalBody: OriginalBody | undefined = undefined;
  /** meter: micro-USD; on its way while tokens are counted. */
  cost: number | Promise<number> = 0;
  /** inspect-response, socket-relay: why the last message was refused that was refused alone, in a stream that went on. */
  refusal: ExchangeEnd | undefined = undefined;
  /** inspect-response: messages that were refused alone and that no client waits for. */
  readonly dropped: unknown[] = [];
  /** raise-alerts, record-findings: how many of the findings have been told already. */
  alertedFindings = 0;
  /** Settle stages: what goes to the spool. */
  readonly records: SpoolRecord[] = [];

  /** The body where it has come already, as a message of a socket has. */
  readonly received: Buffer | undefined;
  readonly #progress: Readonly<Progress>;

  /** @param progress of its sink, which keeps it up to date */
  constructor(incoming: IncomingRequest, progress: Readonly<Progress>) {
    const { request, snapshot, proxy, path, query, dialect, clientIp, received, heldBytes = 0 } = incoming;
    this.request = request;
    this.trace = startExchangeTrace(request);
    this.snapshot = snapshot;
    this.proxy = proxy;
    this.path = path;
    this.query = query;
    this.dialect = dialect;
    this.clientIp = clientIp;
    this.received = received;
    this.heldBytes = heldBytes;
    this.#progress = progress;
    const given = request.headers['x-request-id'];
    this.id = typeof given === 'string' && requestIdFormat.test(given) ? given : this.eventId;
  }

  /** The JSON value of the body, undefined when it is not JSON. */
  get json(): unknown {
    return this.body.json;
  }

  /** Sink: it is on its way to the target. */
  get forwarded(): boolean {
    return this.#progress.forwarded;
  }

  /** Sink: status sent to the client. */
  get statusCode(): number {
    return this.#progress.statusCode;
  }

  /** Sink: body bytes sent to the client. */
  get responseBytes(): number {
    return this.#progress.responseBytes;
  }

  /** Sink: number of the last event that went to the client, in dialects that count them. */
  get sequence(): number {
    return this.#progress.sequence;
  }

  /** Sink: set when the gateway refused or broke off. */
  get ending(): ExchangeEnd | undefined {
    return this.#progress.ending;
  }

  /** Sink: id of a message of MCP that was refused before it was parsed; null while none is known. */
  get refusedId(): RpcId | null {
    return this.#progress.refusedId;
  }
}
