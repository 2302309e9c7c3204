import { hash } from 'node:crypto';
import { roundMs } from '@portcullis/core/numbers/round-to';
import { skillRulesVersion } from '@portcullis/core/skills/rules/all-rules';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderAssessment } from '@portcullis/core/skills/scan/render-assessment';
import type { CallerQuota } from '../caller-quota.ts';
import { findAssessment, type Assessment } from '@portcullis/platform/skills/assessment-queries';
import type { PackedSkill } from './pack-skill.ts';
import type { ScanAnswer, ScanRequest } from './scan-messages.ts';
import type { ScanThread } from './scan-thread.ts';

export interface AssessedContent {
  readonly assessment: Assessment;
  /** It was known before. */
  readonly isCached: boolean;
}

export interface Assessor {
  /** @param contentHash names the content: the same content by the same rules is scanned once */
  assess(contentHash: string, request: ScanRequest, share: CallerQuota): Promise<AssessedContent>;
  /** Opens, scans and packs a package. @throws {GatewayError} `skill_unscannable` with what is wrong with the archive */
  assessArchive(archive: Uint8Array, share: CallerQuota): Promise<AssessedPackage>;
}

export interface AssessedPackage {
  readonly assessment: Assessment;
  readonly packed: PackedSkill;
}

export const hashSource = (source: string): string => hash('sha256', source);

export function createAssessor(database: Queryable, thread: Pick<ScanThread, 'scan'>): Assessor {
  /** The same content, sent twice at once, is scanned once. */
  const underWay = new Map<string, Promise<Assessment>>();
  const scanOnce = (contentHash: string, request: ScanRequest, share: CallerQuota): Promise<Assessment> => {
    // By rank: a user does not wait for the place of an anonymous caller in the queue.
    const key = `${share.rank} ${contentHash}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const scan = scanOrThrow(thread, request, share)
      .then((answer) => renderScanned(contentHash, answer))
      .finally(() => underWay.delete(key));
    underWay.set(key, scan);
    return scan;
  };
  return {
    async assess(contentHash, request, share) {
      const known = await findAssessment(database, contentHash, skillRulesVersion);
      if (known !== undefined) return { assessment: known, isCached: true };
      return { assessment: await scanOnce(contentHash, request, share), isCached: false };
    },
    async assessArchive(archive, share) {
      const answer = await scanOrThrow(thread, { archive }, share);
      const { packed } = answer;
      if (packed === undefined) throw new Error('the scanner answered no package');
      return { assessment: renderScanned(packed.treeHash, answer), packed };
    },
  };
}

type Scanned = Exclude<ScanAnswer, { readonly refusal: string }>;

async function scanOrThrow(
  thread: Pick<ScanThread, 'scan'>,
  request: ScanRequest,
  share: CallerQuota,
): Promise<Scanned> {
  const answer = await thread.scan(request, share);
  if ('refusal' in answer) throw new GatewayError('skill_unscannable', { message: answer.refusal });
  return answer;
}

const renderScanned = (contentHash: string, { assessment, durationMs }: Scanned): Assessment => ({
  ...renderAssessment(assessment),
  contentHash,
  rulesVersion: assessment.rulesVersion,
  riskScore: assessment.score,
  riskLevel: assessment.level,
  durationMs: roundMs(durationMs),
});
