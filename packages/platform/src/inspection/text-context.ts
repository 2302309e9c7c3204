import type { MessageRole, TextOrigin } from '@portcullis/contracts/policy-file';
import type { ProxyType } from '@portcullis/contracts/records';
import { renderPointer, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { OriginSet } from '@portcullis/core/policy/origins';
import {
  scanWorkPerBody,
  type FindingExceptions,
  type ScanContext,
  type ScanWork,
} from '@portcullis/core/policy/policy';
import { originOf, type SourceOrigins, type TextSource } from './text-source.ts';

/**
 * What a data plane tells of the texts that it hands to inspection. Who a text is by, who speaks and which tool it is
 * about is asked by the place of the text, and only when a rule wants to know.
 */
export interface TextFacts {
  readonly direction: 'request' | 'response';
  readonly protocol: ProxyType;
  readonly model: string | undefined;
  readonly path: string;
  /** As which origins rules read what a source says. */
  readonly origins: SourceOrigins;
  /** Undefined while there are none. Asked when something was found. */
  readonly exceptions?: FindingExceptions | undefined;
  sourceAt(place: JsonPath): TextSource;
  roleAt(place: JsonPath): MessageRole | undefined;
  toolAt(place: JsonPath): string | undefined;
  /** Absent where no tools are called. */
  calledToolAt?(place: JsonPath): string | undefined;
}

/** What the texts of one body may take together. A stream may go on for days: its pieces have a bound each, and share none. */
export const workOfBody = (): ScanWork => ({ left: scanWorkPerBody });

/** What conditions of rules ask about texts of one kind. One object for all of them, moved from place to place. */
export class TextContext implements ScanContext {
  readonly direction: ScanContext['direction'];
  readonly protocol: ScanContext['protocol'];
  readonly model: string | undefined;
  readonly path: string;
  readonly work: ScanContext['work'];
  readonly #facts: TextFacts;
  /** Where the text stands in its value. */
  place: JsonPath = [];

  /** @param work what its texts may take together; undefined where each has its own bound */
  constructor(facts: TextFacts, work?: ScanWork) {
    this.direction = facts.direction;
    this.protocol = facts.protocol;
    this.model = facts.model;
    this.path = facts.path;
    this.work = work;
    this.#facts = facts;
  }

  get origins(): OriginSet {
    return this.#facts.origins[this.#facts.sourceAt(this.place)];
  }

  /** Where the text comes from, as records have it. */
  get origin(): TextOrigin {
    return originOf[this.#facts.sourceAt(this.place)];
  }

  get role(): MessageRole | undefined {
    return this.#facts.roleAt(this.place);
  }

  get tool(): string | undefined {
    return this.#facts.toolAt(this.place);
  }

  get calledTool(): string | undefined {
    return this.#facts.calledToolAt?.(this.place);
  }

  get exceptions(): FindingExceptions | undefined {
    return this.#facts.exceptions;
  }

  readonly pointer = (): string => renderPointer(this.place);
}
