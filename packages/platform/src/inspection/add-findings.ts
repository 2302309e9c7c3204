import type { Finding } from '@portcullis/core/policy/policy';
import type { LocatedFinding } from '../traffic/located-finding.ts';
import { maskLocation } from './mask-location.ts';

/** Adds what was found in one text to what is known of the exchange. */
export function addFindings(
  known: LocatedFinding[],
  found: readonly Finding[],
  { direction, location, origin }: Pick<LocatedFinding, 'direction' | 'location' | 'origin'>,
): void {
  const place = maskLocation(location);
  for (const finding of found) known.push({ ...finding, direction, location: place, origin });
}
