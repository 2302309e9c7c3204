import type { TextOrigin } from '@portcullis/contracts/policy-file';
import type { Finding } from '@portcullis/core/policy/policy';

/** A finding and where it stood: a JSON pointer or a stream's channel. */
export interface LocatedFinding extends Finding {
  readonly direction: 'request' | 'response';
  readonly location: string;
  readonly origin: TextOrigin;
}
