import type { CompiledPrompt, InjectionLimits } from '@portcullis/core/prompts/decide-injection';
import type { OriginList } from '@portcullis/core/network/origin-list';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { ProxyGuardrails } from './guardrail-entry.ts';
import type { ToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import type { SourceOrigins } from '@portcullis/platform/inspection/text-source';
import { ExceptionTable } from '@portcullis/core/policy/exceptions/exception-table';
import type { ProxyTools } from './proxy-tools.ts';
import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import type { SpendingRule } from './spending-rule.ts';
import type { PriceOverrides } from '../usage/price-list.ts';
import type { ListenerType } from '@portcullis/contracts/records';
import type { TokenClaims } from '@portcullis/platform/identity/tokens';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { TokenRule } from '@portcullis/platform/oauth-upstream/token-rule';
import type { AccessTokenClaims, VerificationKey } from '@portcullis/platform/oauth-proxy/access-tokens';
import type { KeyEntry, UserEntry } from '@portcullis/platform/traffic/traffic-exchange';

/**
 * Everything a decision needs, compiled from the database and immutable: a request pins one
 * snapshot when it arrives and keeps it to its end. A change makes a new one, swapped by reference.
 */
export interface Snapshot {
  /** Last configuration revision that is part of it, but for the proxies that are behind. */
  readonly revision: number;
  readonly keysByHash: Lookup<string, KeyEntry>;
  readonly groups: Lookup<number, GroupEntry>;
  /** Those that a client certificate stands for, by its subject. */
  readonly groupsBySubject: Lookup<string, GroupEntry>;
  readonly logins: Logins;
  readonly oauth: OAuthEntries;
  readonly proxies: ReadonlyMap<number, ProxyEntry>;
  /**
   * Proxies whose newest configuration waits for its policies to be compiled. Until then they are as they were, or not
   * there; access to them is that of the revision.
   */
  readonly behind: ReadonlySet<number>;
  /** Not pinned: see `ExceptionTable`. */
  readonly exceptions: ExceptionTable;
  readonly budgets: BudgetEntries;
  readonly pricing: Pricing;
  /** Traces of requests to models are sent with what was asked and answered. */
  readonly tracesContent: boolean;
}

/** Who has signed in, as far as a request with the token of a session needs it. */
export interface Logins {
  readonly sessions: Lookup<string, { readonly userId: number; readonly tokenId: string }>;
  readonly users: Lookup<number, LoginUser>;
  /** Ids of the groups of each user. */
  readonly groups: Lookup<number, Lookup<number, true>>;
}

export interface LoginUser {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: string;
  readonly active: boolean;
  readonly mustChangePassword: boolean;
}

/** What access tokens of the OAuth proxy are checked by. */
export interface OAuthEntries {
  /** By the id that the token names. */
  readonly keys: Lookup<string, VerificationKey>;
  readonly grants: Lookup<number, GrantEntry>;
  /** Undefined for one that is switched off or cannot be used. */
  readonly providers: Lookup<number, ProviderEntry | undefined>;
  /** The user whom a provider calls so, see `identityName`. */
  readonly identities: Lookup<string, number>;
}

/** What a user granted a client: their access tokens count as long as it is there. */
export interface GrantEntry {
  readonly proxyId: number;
  readonly userId: number;
  /** The provider's token, for the target. @throws when it was sealed with a key that is not known any more */
  providerToken(): string;
}

/** Who calls with the token of a session, or with an access token of the OAuth proxy. */
export interface Login extends UserEntry {
  readonly email: string;
  readonly claims: TokenClaims | AccessTokenClaims | ProviderTokenClaims;
  /** For the target, where the OAuth proxy has one for the user. */
  readonly providerToken?: string | undefined;
}

/** What counts of a provider's access token, for as long as the provider calls the user so. */
export interface ProviderTokenClaims extends TokenClaims {
  readonly providerId: number;
  /** See `identityName`. */
  readonly identity: string;
}

/** A provider whose tokens are forwarded. */
export interface ProviderEntry extends OAuthProvider {
  /** As an admin wrote it: clients compare it to the letter. Null for plain OAuth 2. */
  readonly statedIssuer: string | null;
}

/** Which tokens of its provider a proxy forwards. */
export interface UpstreamEntry extends TokenRule {
  readonly providerId: number;
}

/** The authorization server of a proxy, as its port tells of it. */
export interface OAuthEntry {
  readonly mode: 'gateway' | 'upstream';
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** In upstream mode. */
  readonly upstream?: UpstreamEntry | undefined;
  /** Of the authorization server, JSON; undefined where clients go to that of the provider. */
  readonly serverMetadata?: string;
}

/** What maps of any make have in common. */
export interface Lookup<Key, Value> extends Iterable<readonly [Key, Value]> {
  readonly size: number;
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  values(): Iterable<Value>;
}

export interface BudgetEntries {
  /** Undefined where the organization has no budget. */
  readonly organization: SpendingRule | undefined;
  /** The latest reset of each budget in a month, by `resetKey`. */
  readonly resets: ReadonlyMap<string, BudgetReset>;
  /** Those of keys and users, by `ruleKey`; absent where there is none. */
  readonly rules?: ReadonlyMap<string, SpendingRule> | undefined;
  /** What budgets have more for a while, by `ruleKey`; absent where none has. */
  readonly raises?: ReadonlyMap<string, readonly BudgetRaise[]> | undefined;
}

export interface BudgetRaise {
  readonly amountMicroUsd: number;
  /** ISO 8601 UTC. */
  readonly endsAt: string;
}

export interface BudgetReset {
  readonly id: number;
  /** What the month had cost by then. */
  readonly spentMicroUsd: number;
}

export interface Pricing {
  readonly overrides: PriceOverrides;
  /** Refuse models without a price where a budget is set. */
  readonly blocksUnknown: boolean;
}

export interface GroupEntry {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  /** Undefined where it has none. */
  readonly budget: SpendingRule | undefined;
}

export interface AccessEntry {
  readonly permissions: string;
  /** Requests per minute; 0 is unlimited. */
  readonly rateLimit: number;
  /** Undefined when the permissions say nothing of tools. */
  readonly tools: ToolPermissions | undefined;
  /** The team's own for this proxy. */
  readonly prompt: CompiledPrompt | undefined;
}

export interface ProxyEntry {
  readonly id: number;
  readonly name: string;
  readonly type: ListenerType;
  readonly target: TargetEntry;
  readonly port: number;
  /** The pair of TLS_PAIRS_DIR that its port uses; null: that of the process, if it has one. */
  readonly tlsPair: string | null;
  /** Whether its listener should be open: desired running and enabled. */
  readonly wanted: boolean;
  /** Grows with every restart command. */
  readonly generation: number;
  /** Active access entries by group id. */
  readonly access: Lookup<number, AccessEntry>;
  /** Names of the assigned policies that are active. */
  readonly policyNames: readonly string[];
  /** Those policies compiled; undefined when there are none. */
  readonly policies: PolicyPlan | undefined;
  /** As which origins its rules read what a source says. */
  readonly origins: SourceOrigins;
  /** Undefined for proxies that are not MCP. */
  readonly tools: ProxyTools | undefined;
  /** Services outside that judge its traffic; undefined when there are none. */
  readonly guardrails: ProxyGuardrails | undefined;
  /** The system prompt that all requests get. */
  readonly prompt: CompiledPrompt | undefined;
  readonly promptLimits: InjectionLimits;
  /** Admins who ask may see how its policies decide. */
  readonly explains: boolean;
  /** Share of conversations that get a canary token, 0 to 1. */
  readonly canaryRate: number;
  /** Errors in the dialect of the client instead of the gateway's envelope. */
  readonly nativeErrors: boolean;
  /** Whether pages of an origin may use it from a browser; for MCP. */
  readonly allowsOrigin: OriginList;
  /** Methods of MCP; undefined: those of the specification, where a policy enforces something. */
  readonly allowedMethods: ReadonlySet<string> | undefined;
  /** How a blocked MCP message is answered. */
  readonly blockResponse: 'http' | 'jsonrpc' | 'tool_error';
  /** How buckets refill, see `bucketRuleFor`. */
  readonly refill: 'literal' | 'proportional';
  /** Refuse limited keys while the store of the buckets is away. */
  readonly denyWithoutStore: boolean;
  /** Forward the header that carried the gateway key. */
  readonly forwardGatewayKey: boolean;
  /** What becomes of a request that has no place for the prompt that is assigned. */
  readonly promptWithoutPlace: 'deny' | 'deny_all' | 'pass';
  /** What policies cannot read goes on, also where they enforce something. */
  readonly passesUnread: boolean;
  /** Whether streams are asked for their usage; `auto`: unless the target refuses that. */
  readonly usageFromStream: 'auto' | 'always' | 'never';
  /** Requests served at once by one runtime; 0 is unlimited. */
  readonly maxConcurrent: number;
  /** Undefined where clients have keys alone. */
  readonly oauth?: OAuthEntry | undefined;
}

export interface TargetEntry {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of the Host header. */
  readonly host: string;
  /** Path before the request's own, without a trailing slash; empty for none. */
  readonly basePath: string;
  /** Credentials that replace the client's towards the target. */
  readonly auth: TargetAuth | undefined;
  readonly timeouts: TargetTimeouts;
  /** Certificates of the authorities that may vouch for it, PEM; undefined: those the system trusts. */
  readonly ca: string | undefined;
}

/** In milliseconds; null: what the environment says. */
export interface TargetTimeouts {
  readonly connectMs: number | null;
  readonly headersMs: number | null;
  readonly idleMs: number | null;
  /** For the whole answer; without one there is no bound. */
  readonly totalMs?: number | null;
}

/** In force until the first one is loaded. */
export const emptySnapshot: Snapshot = {
  revision: 0,
  keysByHash: new Map(),
  logins: { sessions: new Map(), users: new Map(), groups: new Map() },
  oauth: { keys: new Map(), grants: new Map(), providers: new Map(), identities: new Map() },
  groups: new Map(),
  groupsBySubject: new Map(),
  proxies: new Map(),
  behind: new Set(),
  exceptions: new ExceptionTable(Date.now),
  budgets: { organization: undefined, resets: new Map() },
  pricing: { overrides: new Map(), blocksUnknown: false },
  tracesContent: false,
};
