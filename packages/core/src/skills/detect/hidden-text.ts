import type { PackageFile } from '../package/read-package.ts';
import type { SkillDetector } from '../skill-rule.ts';
import type { Detection } from '../detection.ts';

/** Tells which kind of invisible characters stands in each place that the detector of hidden characters found. */
export const classifyHidden = (
  file: PackageFile,
  spans: readonly (readonly [start: number, end: number])[],
): readonly Detection[] =>
  spans.map(([start, end]) => ({ detector: kindOf((file.text ?? '').slice(start, end)), file, start, end, weight: 1 }));

function kindOf(text: string): SkillDetector {
  const point = text.codePointAt(0) ?? 0;
  if (point >= 0xe_0000 && point < 0xe_0080) return 'tag-characters';
  if ((point >= 0xfe00 && point <= 0xfe0f) || point >= 0xe_0100) return 'bytes-in-selectors';
  return /[\u202A-\u202E\u2066-\u2069]/.test(text) ? 'direction-override' : 'zero-width-in-words';
}
