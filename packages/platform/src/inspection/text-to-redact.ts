import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { Finding } from '@portcullis/core/policy/policy';

/** Where a string stands in a JSON value. */
export interface StringAt {
  readonly path: JsonPath;
  readonly isKey: boolean;
  readonly isNumber?: boolean;
}

/** A text of a request with what must not reach the target. */
export interface TextToRedact<Part extends string = never> {
  /** Its place in the JSON, or the name of a part of the request that is a text itself. */
  readonly place: StringAt | Part;
  readonly text: string;
  readonly findings: readonly Finding[];
  /** What stands in the place of the whole text, whatever was found in it. */
  readonly note?: string;
}
