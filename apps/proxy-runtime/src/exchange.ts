import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SpoolRecord } from '@portcullis/contracts/records';
import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import type { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import type { InjectionDecision } from '@portcullis/core/prompts/decide-injection';
import type { PresentedKey } from '@portcullis/core/identity/presented-key';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { ExchangeBudget } from './budgets/exchange-budget.ts';
import type { AddedText } from './dialects/shared/added-text.ts';
import type { CheckLedger } from './guardrails/check-ledger.ts';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import type { StreamForm, Dialect } from './dialects/dialect.ts';
import type { ToolCall } from './tools/tool-call.ts';
import type { Ending } from '@portcullis/platform/traffic/ending';
import { RequestBody } from './traffic/request-body.ts';
import { startExchangeTrace, type ExchangeTrace } from './traffic/exchange-trace.ts';
import type { BackgroundWork } from './usage/background-work.ts';
import { TextSample } from './usage/text-sample.ts';
import type { Usage } from './usage/usage.ts';
import type { CertificateEntry, KeyEntry, TrafficExchange } from '@portcullis/platform/traffic/traffic-exchange';
import type { AccessEntry, GroupEntry, ProxyEntry, Snapshot } from './snapshot/snapshot.ts';

/** The canary tokens of an exchange, and whose it is. */
export interface ExchangeCanaries {
  readonly principal: string;
  readonly session: string;
  /** The token that went to the target. */
  planted: string | undefined;
  readonly watch: CanaryWatch;
}

/** A request as it was before it asked for its usage. */
export interface UnaskedBody {
  readonly body: Buffer;
  /** To be told when the target took this one and not the other. */
  readonly refused: () => void;
}

/** Kept of the text of each stream until it ends. */
const maxSampledCharacters = 4_096;

const requestIdFormat = /^[\w.:-]{8,128}$/;

/**
 * One request on a proxy port and everything the stages learn about it. Stages communicate through
 * these fields only; each is written by the one stage named beside it.
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
  readonly dialect: Dialect;
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
  /** check-group */
  group: GroupEntry | undefined = undefined;
  /** limit-concurrency, free-slot: it has one of the proxy's places. */
  holdsSlot = false;
  /** parse, free-body: bytes of a large body that count as taken. */
  heldBytes = 0;
  /** Among those under way; undefined before and after. */
  place: number | undefined = undefined;
  /** check-access */
  access: AccessEntry | undefined = undefined;
  /** check-budget: where a budget pays for it; reserve-budget: what is held. */
  budget: ExchangeBudget | undefined = undefined;
  /** follow-session: as the target knows it; undefined where none is told to the target. */
  session: string | undefined = undefined;
  /** follow-endpoint: path and query on the target, where they were announced and the client has others for it. */
  endpoint: string | undefined = undefined;
  /** follow-endpoint: its path. */
  announcedPath: string | undefined = undefined;
  /** point-endpoint: path and query on the target to which the client of a stream sends its messages. */
  announcedEndpoint: string | undefined = undefined;
  /** parse takes it; follow-state, inject-prompt and inspect-request rewrite it, plant-canary and ask-for-usage amend it. */
  readonly body = new RequestBody();
  /** parse: bytes of the body as the client meant it, whatever the gateway adds or hides. */
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
  /** forward: as the provider told it. */
  usage: Usage | undefined = undefined;
  /** forward: the answer is one that the provider writes in the background. */
  background: BackgroundWork | undefined = undefined;

  /** Handler: id of a message of MCP that was refused before it was parsed; null while none is known. */
  refusedId: RpcId | null = null;
  /** Handler: it is on its way to the target. */
  forwarded = false;
  /** forward: how the answer streams; undefined when it does not, or in no way that could end in an error. */
  streamForm: StreamForm | undefined = undefined;
  /** forward: status sent to the client. */
  statusCode = 0;
  /** forward: number of the last event that went to the client, in dialects that count them. */
  sequence = -1;
  /** forward: body bytes sent to the client. */
  responseBytes = 0;
  /** forward: why the target failed, for the log. */
  targetProblem: string | undefined = undefined;
  /** forward: what the target answered with; 0 while it has not, undefined when nothing was sent to it. */
  targetStatus: number | undefined = undefined;
  /** forward: text that a stream carried, for an estimate when no usage is told. */
  readonly streamed = new TextSample(maxSampledCharacters);
  /** forward: a whole answer that tells no usage. */
  untold: unknown = undefined;
  /** ask-for-usage: the client did not ask for the event that tells the usage. */
  hidesUsage = false;
  /** ask-for-usage: the body without its question, where the target may refuse that. */
  unasked: UnaskedBody | undefined = undefined;
  /** meter: micro-USD; on its way while tokens are counted. */
  cost: number | Promise<number> = 0;
  /** Engine and forward: set when the gateway refused or broke off. */
  ending: Ending | undefined = undefined;
  /** inspect-response: why the last message was refused that was refused alone, in a stream that went on. */
  refusal: Ending | undefined = undefined;
  /** inspect-response: messages that were refused alone and that nobody on this side waits for. */
  readonly dropped: unknown[] = [];
  /** raise-alerts: how many of the findings have been told already. */
  toldFindings = 0;
  /** Settle stages: what goes to the spool. */
  readonly records: SpoolRecord[] = [];

  /** The body where it has come already, as a message of a socket has. */
  readonly received: Buffer | undefined;

  constructor(
    request: IncomingMessage,
    snapshot: Snapshot,
    proxy: ProxyEntry,
    findDialect: (type: ProxyEntry['type'], path: string) => Dialect,
    clientIp: string,
    received?: Buffer,
  ) {
    const url = request.url ?? '/';
    const queryAt = url.indexOf('?');
    this.request = request;
    this.trace = startExchangeTrace(request);
    this.snapshot = snapshot;
    this.proxy = proxy;
    this.path = queryAt === -1 ? url : url.slice(0, queryAt);
    this.query = queryAt === -1 ? '' : url.slice(queryAt);
    this.dialect = findDialect(proxy.type, this.path);
    this.clientIp = clientIp;
    this.received = received;
    const given = request.headers['x-request-id'];
    this.id = typeof given === 'string' && requestIdFormat.test(given) ? given : randomUUID();
  }

  /** The JSON value of the body, undefined when it is not JSON. */
  get json(): unknown {
    return this.body.json;
  }
}
