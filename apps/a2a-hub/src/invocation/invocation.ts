import type { ErrorReason } from '@portcullis/contracts/errors';
import type { SpoolRecord } from '@portcullis/contracts/records';
import type { Call } from '@portcullis/core/a2a/call';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { PresentedKey } from '@portcullis/core/identity/presented-key';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { UserCaller } from '@portcullis/platform/routes/bound-route';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import type { CertificateEntry, KeyEntry, TrafficExchange } from '@portcullis/platform/traffic/traffic-exchange';
import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AccessEntry, AgentEntry, GroupEntry, HubSnapshot } from '../snapshot/hub-snapshot.ts';
import type { Asked, Failure, Surface, Replies } from '../surfaces/surface.ts';
import type { StoredTask, TaskOwner } from '../tasks/stored-task.ts';
import type { HeldBody } from '@portcullis/platform/http/held-body';
import { startInvocationTrace, type InvocationTrace } from './invocation-trace.ts';

/** Stands for the agent until it is known which one is called. */
const noAgent: AgentEntry = {
  id: 0,
  type: 'a2a',
  name: '',
  status: 'inactive',
  routes: [],
  streams: false,
  credentialsFor: () => ({}),
  access: { get: () => undefined },
};

/** What of a request is known before any stage. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly snapshot: HubSnapshot;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly clientIp: string;
  readonly surface: Surface;
  /** Where the hub has read it already. */
  readonly body?: Buffer | undefined;
  readonly heldBody?: HeldBody | undefined;
}

/**
 * One call of an agent and everything the stages learn about it. Stages communicate through these fields only; each is
 * written by the one stage named beside it.
 */
export class Invocation implements TrafficExchange {
  readonly id: string;
  readonly eventId = randomUUIDv7();
  readonly receivedAt = Date.now();
  readonly startedAt = performance.now();
  readonly request: IncomingMessage;
  /** Pinned: a configuration change takes effect with the next request. */
  readonly snapshot: HubSnapshot;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly clientIp: string;
  readonly surface: Surface;
  readonly body: Buffer | undefined;
  /** In which the caller is answered; parse: those of the request. */
  replies: Replies;
  /** What a stage says of its refusal beyond the reason. */
  failure: Omit<Failure, 'requestId'> | undefined = undefined;
  /** Aborted when the caller leaves. */
  readonly caller = new AbortController();

  /** find-agent: the agent that is called. */
  proxy: AgentEntry = noAgent;
  /** identify */
  presentedKey: PresentedKey | undefined = undefined;
  /** identify */
  key: KeyEntry | undefined = undefined;
  /** identify */
  certificate: CertificateEntry | undefined = undefined;
  /** identify: who signed in, where no key is presented. */
  user: UserCaller | undefined = undefined;
  /** identify: the user groups of a user who is no admin. */
  userGroups: readonly number[] = [];
  /** check-group, check-access */
  group: GroupEntry | undefined = undefined;
  /** check-access */
  access: AccessEntry | undefined = undefined;
  /** limit-rate: calls per minute; 0 is no limit. */
  rateLimit = 0;
  /** limit-calls: it counts among the calls of its group that are under way. */
  holdsSlot = false;
  /** parse */
  asked: Asked | undefined = undefined;
  /** parse */
  requestBytes = 0;
  /** parse: what it has of the memory for large bodies, until free-body. */
  heldBody: HeldBody | undefined = undefined;
  /** check-access: whose tasks it sees; undefined before. */
  owner: TaskOwner | undefined = undefined;
  /** find-task: the task that the call is about. */
  task: StoredTask | undefined = undefined;
  /** find-task: what the agent calls the context that the message belongs to. */
  upstreamContextId: string | undefined = undefined;
  /** find-task: tasks of this owner that the message refers to, as the agent calls them. */
  upstreamReferences: readonly string[] | undefined = undefined;
  /** recall-message: what came of the same message before. */
  recalled: StoredTask | undefined = undefined;
  /** recall-message: it is the first of its name. */
  claimed = false;
  /** inspect-request: what was hidden from the agent. */
  placeholders: Placeholders | undefined = undefined;

  /** Those that inspect. */
  readonly findings: LocatedFinding[] = [];
  alertedFindings = 0;
  ending: ExchangeEnd | undefined = undefined;
  readonly refusal: ExchangeEnd | undefined = undefined;
  readonly records: SpoolRecord[] = [];

  /** Its spans; undefined while tracing is off. */
  readonly trace: InvocationTrace | undefined;
  /** forward: of its trace, as W3C has it. */
  traceparent: string | undefined = undefined;
  /** forward: over which interface the agent answered. */
  route: Route | undefined = undefined;
  /** forward: the task as the caller was told of it last. */
  answeredTask: StoredTask['task'] | undefined = undefined;
  /** forward: events of the agent about tasks of others, which were left out. */
  foreignEvents = 0;
  /** forward: why the agent failed, for the log. */
  agentProblem: string | undefined = undefined;
  /** forward: events sent to the caller, and when the first was. */
  events = 0;
  firstEventMs: number | undefined = undefined;
  /** As the caller got it. */
  statusCode = 0;
  responseBytes = 0;

  #spoken: Call | undefined = undefined;

  constructor({ request, requestId, snapshot, path, query, clientIp, surface, body, heldBody }: Arrival) {
    this.request = request;
    this.trace = startInvocationTrace(request);
    this.id = requestId;
    this.snapshot = snapshot;
    this.path = path;
    this.query = query;
    this.clientIp = clientIp;
    this.surface = surface;
    this.replies = surface.replies;
    this.body = body;
    this.heldBody = heldBody;
  }

  /** @throws before parse has read it */
  get call(): Call {
    if (this.asked === undefined) throw new Error('The call has not been read');
    return this.asked.call;
  }

  /** inspect-request: what goes to the agent in the place of what its caller wrote. */
  replaceCall(call: Call): void {
    this.#spoken ??= this.asked?.call;
    if (this.asked !== undefined) this.asked = { ...this.asked, call };
  }

  /** The call in its caller's own words, with what the agent does not see. */
  get spoken(): Call {
    return this.#spoken ?? this.call;
  }

  end(reason: ErrorReason, stage: string): void {
    this.ending ??= { reason, stage };
  }
}
