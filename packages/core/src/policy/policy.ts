import type { PolicyAction, PolicyFile, PolicyType } from '@portcullis/contracts/policy-file';
import type { AlertCategory, Severity } from '@portcullis/contracts/records';

/** A policy in its normal form, as `parsePolicyFile` answers it. */
export type Policy = PolicyFile;

/** What is being scanned. A policy applies when its type and its rules' direction agree with it. */
export interface ScanContext {
  readonly direction: 'request' | 'response';
  readonly protocol: Exclude<PolicyType, 'both'>;
}

/** One place where one rule matched. Offsets are UTF-16 units from the start of the text or stream. */
export interface Finding {
  readonly policyName: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly category: AlertCategory;
  readonly action: PolicyAction;
  readonly start: number;
  readonly end: number;
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
  /** The text is complete: what was held is decided. Must be called once, last. */
  end(): StreamStep;
}

/** Names one pattern of one policy. */
export interface PatternNote {
  readonly policyName: string;
  readonly ruleId: string;
  /** Place in the rule's list of patterns. */
  readonly patternIndex: number;
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
  /**
   * Findings in the order of their start. The text is taken as it is, but for letter case: whoever
   * normalises or decodes it first scans the outcome as a text of its own and maps the offsets back.
   */
  scan(text: string, context: ScanContext): readonly Finding[];
  openStream(context: ScanContext): StreamScan;
}
