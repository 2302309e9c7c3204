import type { InspectedUnit, UnitContent } from '@portcullis/platform/inspection/inspected-unit';

/** The smallest part of a response that is sent or held as a whole: an event, a chunk, a JSON body. */
export interface StreamUnit extends InspectedUnit {
  readonly bytes: Buffer;
  /** How its texts stand in the bytes: as they are, in JSON source, in a member of a JSON list, in the data of an event, in the payload of a frame. */
  readonly form: 'text' | 'json' | 'member' | 'event' | 'frame';
  /** With this unit the client has its complete answer, so its records must be safe before it leaves. */
  readonly terminal: boolean;
  /** Of an event that its dialect counts. */
  readonly sequence?: number | undefined;
}

/** Nothing to read. */
export const noContent: UnitContent = Object.freeze({ kind: 'texts', texts: [] });

export const readText = (channel: string, text: string): UnitContent => ({
  kind: 'texts',
  texts: [{ channel, text, path: [], isKey: false }],
});
