import { personalDetectors } from '../../packages/core/src/policy/detectors/personal/personal-detectors.ts';
import type { Finding } from '../../packages/core/src/policy/policy.ts';
import type { Sample, Span } from '../../packages/detector-training/src/sample.ts';
import { isEnforced, type Scanner } from './scanner.ts';

/** How spans of one type were found: by number of spans. */
export interface SpanCounts {
  /** Labelled. */
  wanted: number;
  /** Labelled, and covered by findings from end to end. */
  hidden: number;
  /** Findings of the type. */
  found: number;
  /** Findings of the type that overlap a label of it. */
  right: number;
}

const nationalTypes: ReadonlySet<string> = new Set(personalDetectors.map(({ type }) => type));
/** Numbers of states are one type in labels. */
const typeOf = ({ type }: Finding): string => (nationalTypes.has(type) ? 'NATIONAL_ID' : type);

/**
 * Of texts whose personal data is labelled place by place: recall is the share of labels that no
 * character is left of, precision the share of findings of a type that overlap a label of that type.
 */
export function measureSpans(scan: Scanner, samples: readonly Sample[]): ReadonlyMap<string, SpanCounts> {
  const types = new Map<string, SpanCounts>();
  const countsOf = (type: string): SpanCounts => {
    let counts = types.get(type);
    if (counts === undefined) types.set(type, (counts = { wanted: 0, hidden: 0, found: 0, right: 0 }));
    return counts;
  };
  for (const sample of samples) {
    if (sample.spans === undefined) continue;
    const findings = scan(sample).filter(isEnforced);
    for (const span of sample.spans) {
      const counts = countsOf(span.type);
      counts.wanted += 1;
      if (isCovered(span, findings)) counts.hidden += 1;
    }
    for (const finding of distinctPlaces(findings)) {
      const counts = countsOf(typeOf(finding));
      counts.found += 1;
      if (sample.spans.some((span) => span.type === typeOf(finding) && overlaps(span, finding))) counts.right += 1;
    }
  }
  return types;
}

type Place = Pick<Span, 'start' | 'end'>;
const overlaps = (one: Place, other: Place): boolean => one.start < other.end && other.start < one.end;

function isCovered({ start, end }: Place, findings: readonly Place[]): boolean {
  let place = start;
  for (const finding of findings.toSorted((a, b) => a.start - b.start)) {
    if (finding.start <= place && finding.end > place) place = finding.end;
  }
  return place >= end;
}

/** Several rules and policies may find the same. */
function distinctPlaces(findings: readonly Finding[]): readonly Finding[] {
  const known = new Set<string>();
  return findings.filter((finding) => {
    const key = `${finding.start} ${finding.end} ${typeOf(finding)}`;
    return !known.has(key) && known.add(key);
  });
}
