import type {
  AskedSkillStatus,
  SkillAnalysis,
  SkillApproval,
  SkillComparison,
  SkillDetails,
  SkillList,
  SkillReportReceipt,
  SkillRiskLevel,
  SkillStatusReport,
} from '@portcullis/contracts/skills';
import type { Caller } from '@portcullis/platform/routes/bound-route';

/** Who asks, and from where. */
export interface SkillCaller {
  /** As the agent calls itself, at most 200 characters: nothing has verified it. */
  readonly agent?: string | undefined;
  /** Of the client, for bounds and the audit log. */
  readonly address: string;
  /** The login or API key that came with the request; absent without one. */
  readonly user?: Caller | undefined;
  readonly via: 'mcp' | 'rest';
  readonly requestId: string;
  readonly userAgent?: string | undefined;
}

/** A version of a skill. Without `version` the one that was submitted last is meant. */
export interface SkillReference {
  readonly name: string;
  readonly version?: string | undefined;
}

export interface SkillSubmission {
  /** One line of 1 to 200 characters, without blanks around it. */
  readonly name: string;
  /** The whole text, at most `SKILL_SOURCE_MAX_KB`. */
  readonly source: string;
  readonly description?: string | undefined;
  readonly author?: string | undefined;
  /** `1.0.0` unless given. */
  readonly version?: string | undefined;
}

export interface SkillFilter {
  /** Every status unless given. */
  readonly status?: AskedSkillStatus | 'all' | undefined;
  /** One of `skillCategories`: skills with a finding of it. */
  readonly category?: string | undefined;
  /** In any case. */
  readonly riskLevel?: string | undefined;
  /** Part of name, description, author or a tag, in any case. */
  readonly search?: string | undefined;
  readonly author?: string | undefined;
  readonly hasPackage?: boolean | undefined;
  /** At most `maxListedSkills`; 50 unless given. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface SkillReport {
  readonly name: string;
  readonly version?: string | undefined;
  /** One of `skillActivityTypes`; others are refused with the list. */
  readonly activity: string;
  /** What happened, at most 10,000 characters. */
  readonly description: string;
  readonly evidence?: string | undefined;
}

/** A package as it is handed out. */
export interface SkillDownload {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** Of the ZIP, in bytes. */
  readonly size: number;
  /** SHA-256 of `content`, which was checked against it. */
  readonly content_hash: string;
  readonly risk_level: SkillRiskLevel;
  /** The ZIP. */
  readonly content: Uint8Array;
}

/**
 * The registry of skills: what agents may ask of it, over MCP and over REST. Each operation checks what it is given and
 * throws a `GatewayError` whose message says what was wrong, where, and what is allowed: `bad_request`, `not_found`,
 * `conflict`, `payload_too_large`, `too_many_requests`, `service_unavailable` (the scanner is busy, or broke off a scan).
 */
export interface SkillHub {
  /** Scans a source and stores it; the registry knows the skill from then on. Answers what is known for the same source. */
  analyze(caller: SkillCaller, submission: SkillSubmission): Promise<SkillAnalysis>;
  /**
   * Whether a skill may be used. With `contentHash`, the SHA-256 of the source that the caller has: approved is only what was
   * approved with that hash. A skill that is not known is no error, its status is `unknown`.
   */
  approval(
    caller: SkillCaller,
    skill: SkillReference & { readonly contentHash?: string | undefined },
  ): Promise<SkillApproval>;
  list(caller: SkillCaller, filter: SkillFilter): Promise<SkillList>;
  /** @throws `not_found` */
  details(caller: SkillCaller, skill: SkillReference): Promise<SkillDetails>;
  report(caller: SkillCaller, report: SkillReport): Promise<SkillReportReceipt>;
  /** @param names 1 to `maxAskedSkills` */
  statuses(caller: SkillCaller, names: readonly string[]): Promise<SkillStatusReport>;
  /** Instructions for agents that use skills. @param gatewayUrl scheme, host and port under which it reaches the gateway */
  systemPrompt(gatewayUrl: string): string;
  /** @throws `not_found` for a skill that is not approved, and for one without a package: which of them is said */
  download(caller: SkillCaller, skill: SkillReference): Promise<SkillDownload>;
  /**
   * One file of the package, at most `maxFileBytes`; undefined for one that it does not have.
   * @throws `not_found` as `download` does, `payload_too_large`
   */
  readFile(caller: SkillCaller, file: SkillReference & { readonly path: string }): Promise<Uint8Array | undefined>;
  /** As `list`, by relevance: names that match come first. */
  search(caller: SkillCaller, filter: SkillFilter): Promise<SkillList>;
  /** @throws `not_found` */
  compare(
    caller: SkillCaller,
    skill: { readonly name: string; readonly from: string; readonly to: string },
  ): Promise<SkillComparison>;
}
