import type { MessageRole, PolicyAction, PolicyFile, PolicyRedaction } from '@portcullis/contracts/policy-file';
import type { AlertCategory, ProxyType, Severity } from '@portcullis/contracts/records';
import type { OriginSet } from './origins.ts';

/** A policy in its normal form, as `parsePolicyFile` answers it. */
export type Policy = PolicyFile;

/** Work that may still be done for a body: characters that patterns look at, weighed. */
export interface ScanWork {
  left: number;
}

/** What the texts of one body may take together: texts as people write them take a twentieth of it, however long. */
export const scanWorkPerBody = 256_000_000;

/** Tells of findings which exception they fall under. */
export interface FindingExceptions {
  /**
   * The id of the exception that is in force for a finding; undefined where there is none. Asked for each finding anew: one
   * that has ended holds for nothing more, in a stream that goes on as well.
   */
  find(finding: Pick<Finding, 'policyName' | 'ruleId'>, context: Pick<ScanContext, 'calledTool'>): number | undefined;
}

/** What is being scanned. A policy applies when its type and its rules' direction agree with it. */
export interface ScanContext {
  readonly direction: 'request' | 'response';
  readonly protocol: ProxyType;
  /** Where the text comes from, as far as that tells which rules read it; absent where that is not known: all do. */
  readonly origins?: OriginSet | undefined;
  /** What conditions of rules ask about. What is not known fulfils no condition about it. */
  readonly role?: MessageRole | undefined;
  readonly tool?: string | undefined;
  /** As `tool`, but only where the protocol says it and no party to the text: what exceptions ask about. */
  readonly calledTool?: string | undefined;
  readonly model?: string | undefined;
  readonly path?: string | undefined;
  /** Under which a finding is recorded and not enforced. Asked only when something was found. */
  readonly exceptions?: FindingExceptions | undefined;
  /** What is left for all texts of a body together; each scan takes its own off. Absent: each has as much as a body. */
  readonly work?: ScanWork | undefined;
  /** JSON pointer of the text. Called only when a rule that has matched asks for it. */
  readonly pointer?: (() => string) | undefined;
}

/**
 * The reading of a text in which a finding stands: as it is, with look-alikes and invisible
 * characters folded away, or what a decoder made of a part of it.
 */
export const views = [
  'plain',
  'folded',
  'tags',
  'base64',
  'base32',
  'hex',
  'binary',
  'morse',
  'url',
  'escapes',
  'entities',
  'rot13',
  'reversed',
  'leet',
  'spaced',
] as const;
export type View = (typeof views)[number];

/** One place where one rule matched. Offsets are UTF-16 units from the start of the text or stream. */
export interface Finding {
  readonly policyName: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly category: AlertCategory;
  readonly action: PolicyAction;
  /** Of a policy that is only tried out: recorded, and never enforced. */
  readonly shadow?: true;
  /** The id of the exception under which it is recorded, and not enforced. */
  readonly exceptedBy?: number;
  /** The text in which it stands gave way to a note, and the rest goes on. */
  readonly replaced?: true;
  /** Offsets in the original text, for any view. */
  readonly start: number;
  readonly end: number;
  /** A word such as EMAIL for what was found: the detector's, or made of the rule's id. */
  readonly type: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly view: View;
  /** False when `start` and `end` only surround what was found: replacing them would not be exact. */
  readonly mapped: boolean;
  /** Of a rule with signals: the names of those that carried it. */
  readonly signals?: readonly string[];
  readonly owasp?: readonly string[];
  readonly nist?: readonly string[];
  /** How a redacting rule wants its placeholder. */
  readonly redact?: PolicyRedaction;
  /** What matched, masked and at most 120 characters: it never holds the text of a secret. */
  readonly evidence: string;
}

/** What the findings come to. */
export interface Decision {
  readonly action: PolicyAction | 'pass';
  /** The finding that decided: the strongest action, then the highest severity, then the first. */
  readonly finding: Finding | null;
}

export interface StreamStep {
  /**
   * UTF-16 units from the stream's start that can never again become part of a match of a blocking
   * or redacting rule. It never decreases, and never passes the start of a blocking match.
   */
  readonly safeOffset: number;
  /** Matches that became certain with this step. A redacting one is reported before `safeOffset` passes it. */
  readonly findings: readonly Finding[];
}

/** The scan of one text that arrives in pieces, cut anywhere. */
export interface StreamScan {
  push(text: string): StreamStep;
  /** The same, with the same findings, in steps of a few milliseconds. It takes nothing else before the last of them. */
  pushCooperatively(text: string): Generator<undefined, StreamStep>;
  /** The text is complete: what was held is decided. Must be called once, last. */
  end(): StreamStep;
}

/** Names one pattern of one policy. */
export interface PatternNote {
  readonly policyName: string;
  readonly ruleId: string;
  /** Where in the rule the pattern stands, as a JSON pointer: /patterns/0, /signals/2/patterns/1, /detectors/0. */
  readonly place: string;
}

/** What compiling made of the policies, for their author. */
export interface CompileReport {
  readonly rules: number;
  readonly patterns: number;
  /** Texts that the one automaton looks for. */
  readonly literals: number;
  /** Patterns without a required text of three characters: each runs over every text. */
  readonly unanchored: readonly PatternNote[];
  /** Patterns without a longest match: on streams they see at most `streamWindow` characters. */
  readonly unbounded: readonly PatternNote[];
  /** Patterns that native backtracking could stall on: they run on the linear engine. */
  readonly linear: readonly PatternNote[];
}

/** All policies assigned to a proxy, compiled. Immutable: a change makes a new plan. */
export interface PolicyPlan {
  readonly report: CompileReport;
  /** Some rule that is enforced blocks or replaces texts. */
  readonly enforces: boolean;
  /** Some rule that is enforced wants texts replaced. */
  readonly redacts: boolean;
  /**
   * Findings in the order of their start. The text is taken as it is, but for letter case: whoever
   * normalises or decodes it first scans the outcome as a text of its own and maps the offsets back.
   */
  scan(text: string, context: ScanContext): readonly Finding[];
  /**
   * The same findings in steps of a few milliseconds, for long texts: the caller that takes the steps can do something else,
   * other scans included, in between. The context must stay as it is meanwhile.
   */
  scanCooperatively(text: string, context: ScanContext): Generator<undefined, readonly Finding[]>;
  openStream(context: ScanContext): StreamScan;
}
