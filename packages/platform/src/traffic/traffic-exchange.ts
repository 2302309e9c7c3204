import type { IncomingMessage } from 'node:http';
import type { ProxyType, SpoolRecord } from '@portcullis/contracts/records';
import type { NameScope } from '@portcullis/core/identity/name-scope';
import type { PresentedKey } from '@portcullis/core/identity/presented-key';
import type { ExchangeEnd } from './exchange-end.ts';
import type { LocatedFinding } from './located-finding.ts';

/** An API key, as far as a request needs it. */
export interface KeyEntry {
  readonly id: number;
  readonly name: string;
  readonly groupId: number;
  /** False when revoked. */
  readonly active: boolean;
  /** Epoch milliseconds; Infinity when the key never expires. */
  readonly expiresAtMs: number;
  /** The key that took its place. */
  readonly rotatedTo?: number | undefined;
  /** The user who answers for it. */
  readonly ownerId?: number | undefined;
  /** What it may use of what its group may; undefined is all of it. */
  readonly models?: NameScope | undefined;
  readonly tools?: NameScope | undefined;
  readonly agents?: NameScope | undefined;
}

/** A client certificate that is good, and whose it is. */
export interface CertificateEntry {
  /** In the spelling of `parseDistinguishedName`. */
  readonly subject: string;
  readonly expiresAtMs: number;
  /** Undefined where no group is bound to it. */
  readonly groupId: number | undefined;
}

/** Who signed in with a login. */
export interface UserEntry {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** For which they call, on a data plane where each call is that of a group. */
  readonly groupId?: number | undefined;
}

interface Group {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

interface Lookup<Key, Value> {
  get(key: Key): Value | undefined;
}

/**
 * What the stages of this folder know of one request, on whichever data plane. The exchange of a data plane has these
 * fields and its own; what is written here is written by the stage named beside it.
 */
export interface TrafficExchange {
  readonly id: string;
  readonly receivedAt: number;
  readonly startedAt: number;
  readonly request: Pick<IncomingMessage, 'headers' | 'method' | 'socket'>;
  readonly path: string;
  readonly clientIp: string;
  /** Pinned: a configuration change takes effect with the next request. */
  readonly snapshot: {
    readonly keysByHash: Lookup<string, KeyEntry>;
    readonly groups: Lookup<number, Group>;
    /** Those that a client certificate stands for, by its subject. */
    readonly groupsBySubject: Lookup<string, Group>;
  };
  /** To what the request goes: a proxy, or an agent, which has the type `a2a`; with the groups that may use it. */
  readonly proxy: {
    readonly id: number;
    readonly name: string;
    readonly type: ProxyType;
    readonly access: Lookup<number, object>;
  };

  /** identify */
  presentedKey: PresentedKey | undefined;
  /** identify */
  key: KeyEntry | undefined;
  /** identify: where a client certificate stands in place of a key. */
  certificate: CertificateEntry | undefined;
  /** identify, on a data plane that logins may use; absent elsewhere. */
  readonly user?: UserEntry | undefined;
  /** check-group */
  group: Group | undefined;
  /** check-access */
  access: object | undefined;
  /** Those that inspect. */
  readonly findings: readonly LocatedFinding[];
  /** raise-alerts: how many of the findings have been reported already. */
  alertedFindings: number;
  /** Engine: set when the gateway refused or broke off. */
  readonly ending: ExchangeEnd | undefined;
  /** Why the last message was refused that was refused alone, in a stream that went on. */
  readonly refusal: ExchangeEnd | undefined;
  /** Settle stages: what goes to the spool. */
  readonly records: SpoolRecord[];
}
