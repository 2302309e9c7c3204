import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { Dispatcher } from 'undici';
import { openAnswerDecoder, type AnswerDecoder } from './answer-decoder.ts';
import { inSteps, type LastUnits, type ResponseReader } from './readers/response-reader.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** What is held back, let go and broken off. */
export type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

export interface AnswerBodyParts {
  readonly controller: Flow;
  readonly reader: ResponseReader;
  /** Undefined where the body comes as it is. */
  readonly encoding: string | undefined;
  /** Bytes that may come out of a coding at any ratio. */
  readonly freeBytes: number;
  readonly listener: AnswerBodyListener;
}

export interface AnswerBodyListener {
  takeUnits(units: readonly StreamUnit[]): void;
  /** The same, and nothing follows. */
  takeLastUnits(units: readonly StreamUnit[]): void;
  /** It is not what its coding claims, or beyond the bounds of its reader. */
  takeBodyFault(error: Error): void;
}

/**
 * The body of an answer on its way from the connection to units. A target that was asked for an answer as it is may
 * compress it all the same: policies and meters read what it holds.
 */
export class AnswerBody implements Flow {
  readonly #parts: AnswerBodyParts;
  #decoder: AnswerDecoder | undefined;

  constructor(parts: AnswerBodyParts) {
    this.#parts = parts;
  }

  push(chunk: Buffer): void {
    const { encoding, controller } = this.#parts;
    if (encoding === undefined) return this.#read(chunk);
    this.#decoder ??= this.#openDecoder(encoding, chunk);
    if (!this.#decoder.write(chunk)) controller.pause();
  }

  end(): void {
    if (this.#decoder === undefined) this.#readEnd();
    else this.#decoder.end();
  }

  pause(): void {
    this.#decoder?.pause();
    this.#parts.controller.pause();
  }

  resume(): void {
    this.#decoder?.resume();
    this.#parts.controller.resume();
  }

  abort(reason: Error): void {
    this.#parts.controller.abort(reason);
  }

  /** Nothing of it is wanted any more. */
  close(): void {
    this.#decoder?.destroy();
  }

  #read(chunk: Buffer): void {
    const { reader, listener } = this.#parts;
    let units: readonly StreamUnit[];
    try {
      units = reader.push(chunk);
    } catch (error) {
      return listener.takeBodyFault(asError(error));
    }
    listener.takeUnits(units);
  }

  #readEnd(): void {
    const { reader, listener } = this.#parts;
    let last: LastUnits;
    try {
      last = reader.end();
    } catch (error) {
      return listener.takeBodyFault(asError(error));
    }
    if (!inSteps(last)) return listener.takeLastUnits(last);
    runTimeSliced(last)
      .then((units) => listener.takeLastUnits(units))
      .catch((error: unknown) => listener.takeBodyFault(asError(error)));
  }

  #openDecoder(encoding: string, first: Buffer): AnswerDecoder {
    const { controller, freeBytes, listener } = this.#parts;
    return openAnswerDecoder(encoding, first, freeBytes, {
      data: (chunk) => this.#read(chunk),
      end: () => this.#readEnd(),
      drain: () => controller.resume(),
      error: (error) => listener.takeBodyFault(error),
    });
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
