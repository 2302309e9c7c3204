import { fold } from '../../policy/views/fold.ts';
import type { PackageFile } from '../package/read-package.ts';
import type { SkillDetector } from '../skill-rule.ts';
import type { Detection } from '../detection.ts';

/** More are in no text that has a reason for them. */
const mostWords = 5;

/** Latin letters and look-alikes of them out of another alphabet, in one word. */
const mixed =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}._-]{0,60}[A-Za-z])(?=[\p{L}\p{N}._-]{0,60}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}])[\p{L}\p{N}._-]{3,60}/gu;
const commands =
  /^(?:curl|wget|bash|sudo|python3?|node|npm|npx|pip3?|ssh|scp|eval|exec|base64|chmod|git|docker|powershell|sh|rm|cat)$/i;
const host = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|ai|app|sh|co|xyz)$/i;

/** Words that read like others: commands, hosts and names in which letters of two alphabets are mixed. */
export function findMixedScripts(file: PackageFile): readonly Detection[] {
  const { text = '' } = file;
  if (!/[\u0370-\u058F\u13A0-\u13FF]/.test(text)) return [];
  const found: Detection[] = [];
  for (const { 0: word, index } of text.matchAll(mixed)) {
    const folded = fold(word)?.text ?? word;
    // A Greek letter beside a Latin one is a formula; a whole word that folds to Latin is a disguise.
    if (!/^[A-Za-z0-9._-]+$/.test(folded) || /^[\p{Script=Greek}]|[\p{Script=Greek}]$/u.test(word)) continue;
    const detector: SkillDetector = commands.test(folded)
      ? 'mixed-script-command'
      : host.test(folded)
        ? 'mixed-script-host'
        : 'mixed-script-name';
    found.push({
      detector,
      file,
      start: index,
      end: index + word.length,
      weight: detector === 'mixed-script-name' ? 0.5 : 1,
    });
    if (found.length === mostWords) break;
  }
  return found;
}
