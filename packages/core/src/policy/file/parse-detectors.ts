import { policyFileLimits } from '@portcullis/contracts/policy-file';
import { detectorCatalogue } from '../plan/detector-catalogue.ts';
import type { ObjectReader } from './object-reader.ts';

/** Names of detectors; undefined when there are none. */
export function parseDetectors(reader: ObjectReader): string[] | undefined {
  const items = reader.list('detectors');
  const limit = policyFileLimits.detectors;
  if (items.length > limit)
    return reader.report(items[limit]?.path ?? '', `is one too many: at most ${limit} detectors`);
  const names = items.flatMap(({ value, path }) => {
    if (typeof value === 'string' && detectorCatalogue.has(value)) return value;
    return reader.report(path, `must be one of ${[...detectorCatalogue.keys()].join(', ')}`) ?? [];
  });
  return names.length === 0 ? undefined : [...new Set(names)];
}
