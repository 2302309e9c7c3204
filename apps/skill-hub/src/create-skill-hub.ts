import {
  maxListedSkills,
  skillCategories,
  skillRiskLevels,
  skillStatuses,
  type Skill,
} from '@portcullis/contracts/skills';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { analyze, type AnalyzeParts } from './submissions/analyze.ts';
import { checkText, checkWord } from './registry/check-names.ts';
import { loadSkillPage, type SkillQuery } from './registry/load-skill-page.ts';
import { renderForAgents, renderSkill } from './registry/render-skill.ts';
import {
  compareVersions,
  findSkillOrThrow,
  loadApproval,
  loadDetails,
  loadStatuses,
} from './registry/skill-details.ts';
import { recordReport, type ReportParts } from './reports/record-report.ts';
import type { SkillCaller, SkillFilter, SkillHub } from './skill-hub.ts';
import { renderSystemPrompt } from './system-prompt.ts';

export type SkillHubParts = AnalyzeParts & ReportParts & Pick<SkillHub, 'download' | 'readFile'>;

export function createSkillHub(parts: SkillHubParts): SkillHub {
  const { database } = parts;
  const loadList = async (caller: SkillCaller, filter: SkillFilter, sort: SkillQuery['sort']) => {
    const query = readFilter(filter, sort);
    const { rows, total } = await readConsistent(database, (moment) => loadSkillPage(moment, query));
    return { skills: rows.map((row) => renderFor(caller, renderSkill(row))), total };
  };
  return {
    analyze: (caller, submission) => analyze(parts, caller, submission),
    approval: (_caller, skill) => loadApproval(database, skill),
    list: (caller, filter) => loadList(caller, filter, 'submitted_at'),
    search: (caller, filter) => loadList(caller, filter, filter.search === undefined ? 'submitted_at' : 'relevance'),
    details: (caller, skill) =>
      readConsistent(database, async (moment) =>
        renderFor(caller, await loadDetails(moment, await findSkillOrThrow(moment, skill))),
      ),
    report: (caller, report) => recordReport(parts, caller, report),
    statuses: (_caller, names) => loadStatuses(database, names),
    systemPrompt: renderSystemPrompt,
    download: (caller, skill) => parts.download(caller, skill),
    readFile: (caller, file) => parts.readFile(caller, file),
    compare: (_caller, skill) => readConsistent(database, (moment) => compareVersions(moment, skill)),
  };
}

const renderFor = <Shown extends Skill>({ via }: SkillCaller, skill: Shown): Shown =>
  via === 'mcp' ? renderForAgents(skill) : skill;

/** @throws {GatewayError} `bad_request` */
function readFilter(filter: SkillFilter, sort: SkillQuery['sort']): SkillQuery {
  const { status = 'all', category, riskLevel, search, author, hasPackage, limit = 50, offset = 0 } = filter;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxListedSkills) {
    throw new GatewayError('bad_request', { message: `max_results must be a whole number of 1 to ${maxListedSkills}` });
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > 1_000_000) {
    throw new GatewayError('bad_request', { message: 'offset must be a whole number of 0 to 1000000' });
  }
  const wanted = checkWord('status', [...skillStatuses, 'all', 'unknown'], status);
  if (wanted === 'unknown') throw new GatewayError('bad_request', { message: 'No skill of the registry is unknown' });
  return {
    status: wanted === 'all' ? undefined : wanted,
    // An agent that looks for what it may use finds it, also while something else of it waits.
    shows: wanted === 'approved' ? 'approved' : 'last',
    category: category === undefined ? undefined : checkWord('category', skillCategories, category),
    riskLevel: riskLevel === undefined ? undefined : checkWord('risk_level', skillRiskLevels, riskLevel),
    search: search === undefined || search.trim() === '' ? undefined : checkText('search', search.trim(), 200),
    author: author === undefined ? undefined : checkText('author', author, 200),
    hasPackage,
    sort,
    order: 'desc',
    limit,
    offset,
  };
}
