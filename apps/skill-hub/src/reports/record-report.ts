import {
  skillActivities,
  skillActivityTypes,
  type SkillActivity,
  type SkillReportReceipt,
} from '@portcullis/contracts/skills';
import type { AlertRecord, Severity } from '@portcullis/contracts/records';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { loadSkillHubSettings } from '@portcullis/platform/settings/load-settings';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import { renderJson } from '@portcullis/platform/spool/record-line';
import type { Kysely } from 'kysely';
import type { Tables } from '@portcullis/platform/database/tables';
import { randomUUIDv7 } from 'node:crypto';
import { auditedCall } from '../submissions/analyze.ts';
import { checkName, checkText, checkVersion, checkWord } from '../registry/check-names.ts';
import { skillEvent, type AnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import { listContents, updateContents } from '@portcullis/platform/skills/content-queries';
import { lockSkill, updateSkill, type SkillRow } from '@portcullis/platform/skills/skill-queries';
import { quotaOf, type CallerQuota } from '../caller-quota.ts';
import { spendAlertQuota } from './alert-quota.ts';
import { nameOfCaller } from '../submissions/record-submission.ts';
import type { SkillCaller, SkillReport } from '../skill-hub.ts';

export interface ReportParts {
  readonly database: Queryable;
  readonly coordination: Pick<Coordination, 'windows'>;
  readonly announce: AnnounceSkill;
}

const maxTextLength = 10_000;
const maxShownEvidence = 500;
/** Reports of one caller in a minute. */
const reportsPerMinute = 30;

/** An anonymous report cannot be verified, so its severity is not Critical. */
const maxAnonymousSeverity = 'High' satisfies Severity;

const severityOf = (activity: SkillActivity, { user }: SkillCaller): Severity => {
  const severity = skillActivities[activity];
  return user === undefined && severity === 'Critical' ? maxAnonymousSeverity : severity;
};

type CheckedReport = ReturnType<typeof checkReport>;

function checkReport(caller: SkillCaller, report: SkillReport) {
  const activity = checkWord('activity_type', skillActivityTypes, report.activity);
  const description = checkText('description', report.description, maxTextLength);
  if (description.trim() === '') {
    throw new GatewayError('bad_request', { message: 'description (or details) must say what happened' });
  }
  return {
    name: checkName('skill_name', report.name),
    version: report.version === undefined ? undefined : checkVersion(report.version),
    activity,
    severity: severityOf(activity, caller),
    description,
    evidence: checkText('evidence', report.evidence ?? '', maxTextLength),
    agentName: checkName('agent_name', caller.agent ?? nameOfCaller(caller.user) ?? 'unknown'),
  };
}

/** Stores what an agent reports of a skill. Nothing of it is verified, and anyone may report. */
export async function recordReport(
  parts: ReportParts,
  caller: SkillCaller,
  report: SkillReport,
): Promise<SkillReportReceipt> {
  const checked = checkReport(caller, report);
  const share = quotaOf(caller);
  if (!(await spendQuota(parts, `skill-reports:${share.key}`, reportsPerMinute))) {
    const message = `At most ${reportsPerMinute} reports a minute are taken from one caller`;
    throw new GatewayError('too_many_requests', { message, headers: { 'retry-after': '60' } });
  }
  const { quarantine_on_report: quarantines } = await loadSkillHubSettings(parts.database);
  const { receipt, held } = await parts.database.kysely.transaction().execute(async (transaction) => {
    const quota = await spendAlertQuota((key, limit) => spendQuota(parts, key, limit), share);
    const alerts = quota !== 'none';
    const held = quarantines ? await quarantine(transaction, checked) : [];
    const id = await insertReport(transaction, caller, checked, { share, alerts, quarantined: held.length > 0 });
    if (alerts) {
      const alert = alertOf(caller, checked, id, held);
      await insertAlertRecords(transaction, `[${renderJson(quota === 'own' ? alert : gathered(alert))}]`);
    }
    await recordAudit(transaction, auditEntry(auditedCall(caller), reportAudit(checked, id, held)));
    return {
      receipt: { report_id: id, severity: checked.severity, alert_created: alerts, quarantined: held.length > 0 },
      held,
    };
  });
  for (const skill of held) {
    await parts.announce.event(skillEvent('quarantined', skill));
    await parts.announce.approval(skill.id);
  }
  return receipt;
}

async function spendQuota({ coordination }: ReportParts, key: string, limit: number): Promise<boolean> {
  try {
    return (await coordination.windows.take(key, limit)).allowed;
  } catch (error) {
    throw new GatewayError('service_unavailable', {
      message: 'Reports cannot be counted now; try again',
      cause: error,
    });
  }
}

/** Holds back what is approved of the version that the report is about; of all where it names none. */
async function quarantine(
  kysely: Kysely<Tables>,
  { name, version, activity }: CheckedReport,
): Promise<readonly SkillRow[]> {
  const rows = await kysely
    .selectFrom('skills')
    .select('id')
    .where('name', '=', name)
    .where('built_in', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('skill_contents as c')
          .select('c.id')
          .whereRef('c.skill_id', '=', 'skills.id')
          .where('c.status', '=', 'approved'),
      ),
    )
    .$if(version !== undefined, (query) => query.where('version', '=', version as string))
    .orderBy('id')
    .execute();
  const held: SkillRow[] = [];
  for (const { id } of rows) {
    if ((await lockSkill({ kysely }, id)) === undefined) continue;
    const approved = (await listContents({ kysely }, id)).filter(({ status }) => status === 'approved');
    if (approved.length === 0) continue;
    const notes = `Held back by a report of ${activity}`;
    const decided = {
      status: 'quarantined',
      reviewer: 'skill hub',
      review_notes: notes,
      reviewed_at: databaseNow,
    } as const;
    await updateContents(
      { kysely },
      approved.map((content) => content.id),
      decided,
    );
    held.push(await updateSkill({ kysely }, id, decided));
  }
  return held;
}

async function insertReport(
  kysely: Kysely<Tables>,
  { address, via, user }: SkillCaller,
  { name, version, activity, severity, agentName, description, evidence }: CheckedReport,
  {
    share,
    alerts,
    quarantined,
  }: { readonly share: CallerQuota; readonly alerts: boolean; readonly quarantined: boolean },
): Promise<number> {
  const { id } = await kysely
    .insertInto('skill_reports')
    .values({
      skill_name: name,
      version: version ?? null,
      activity_type: activity,
      severity,
      agent_name: agentName,
      user_identity: nameOfCaller(user),
      source_ip: address,
      reported_by: share.key,
      via,
      description,
      evidence,
      alert_created: alerts,
      quarantined,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** One alert for all further reports of the same minute. */
const gathered = (alert: AlertRecord): AlertRecord => ({
  ...alert,
  title: '[Unverified MCP Report] many reports at once',
  description: `Agents without a key or login report more than raises alerts one by one; the list of reports has them all. The first one: ${alert.description}`,
});

const alertOf = (
  { address, user, requestId }: SkillCaller,
  { name, version, activity, severity, agentName, description, evidence }: CheckedReport,
  reportId: number,
  held: readonly SkillRow[],
): AlertRecord => ({
  kind: 'alert',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: requestId,
  severity,
  title: `[Unverified MCP Report] ${activity}: ${name}`,
  description: `The agent ${agentName} reports that the skill ${name} did this: ${description.slice(0, maxShownEvidence)}`,
  action: held.length > 0 ? 'Block' : 'Monitor',
  category: 'Tool Security',
  proxy_id: null,
  proxy_type: null,
  source: address,
  target: `skill:${name}`,
  rule_id: `SKILL_REPORT_${activity.toUpperCase()}`,
  policy_name: 'skill-hub',
  user_identity: nameOfCaller(user),
  user_type: user === undefined ? null : user.kind === 'user' ? 'user' : 'apikey',
  user_group: null,
  raw_data: {
    report_id: reportId,
    skill_name: name,
    version: version ?? null,
    agent_name: agentName,
    evidence: evidence.slice(0, maxShownEvidence),
    quarantined: held.map((skill) => skill.version),
  },
});

const reportAudit = (
  { name, activity, severity, agentName }: CheckedReport,
  id: number,
  held: readonly SkillRow[],
) => ({
  event: 'skill.reported' as const,
  resource: { type: 'skill_report', id, name },
  details: {
    activity_type: activity,
    severity,
    agent_name: agentName,
    quarantined: held.map((skill) => `${skill.name} ${skill.version}`),
  },
});
