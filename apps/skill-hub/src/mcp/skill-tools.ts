import {
  analyzeSkillTool,
  checkSkillApprovalTool,
  compareSkillVersionsTool,
  downloadSkillTool,
  getSkillDetailsTool,
  getSkillSecurityStatusTool,
  getSystemPromptTool,
  listApprovedSkillsTool,
  reportSkillActivityTool,
  searchSkillsTool,
} from '@portcullis/contracts/tools/skill-tools';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bindTool, type McpCall, type McpTool } from '@portcullis/platform/mcp-server/mcp-tool';
import type { SkillCaller, SkillHub } from '../skill-hub.ts';
import { readAgent, readComparison, readReport, readVersion } from './read-arguments.ts';

/** Of a ZIP that one message may carry. */
const maxDownloadBytes = 16 * 1_024 * 1_024;

/** @param gatewayUrl under which a client reaches the gateway, given the origin that it called */
export const skillTools = (hub: SkillHub, gatewayUrl: (called: string) => string): readonly McpTool[] => [
  ...assessmentTools(hub),
  ...registryTools(hub),
  ...packageTools(hub),
  bindTool(getSystemPromptTool, async (_input, call) => {
    const url = gatewayUrl(call.calledOrigin);
    const prompt = hub.systemPrompt(url);
    return { data: { prompt, gateway_url: url }, text: prompt };
  }),
];

const assessmentTools = (hub: SkillHub): readonly McpTool[] => [
  bindTool(
    analyzeSkillTool,
    async ({ skill_name: name, skill_source: source, agent_name: agent, ...facts }, call) => ({
      data: { analysis: await hub.analyze(await identifiedCaller(call, agent), { name, source, ...facts }) },
    }),
    readAgent,
  ),
  bindTool(
    reportSkillActivityTool,
    async ({ skill_name: name, activity_type: activity, agent_name: agent, ...facts }, call) => ({
      data: {
        report: await hub.report(await identifiedCaller(call, agent), { name, activity, ...facts }),
      },
    }),
    readReport,
  ),
  bindTool(
    compareSkillVersionsTool,
    async ({ skill_name: name, from_version: from, to_version: to }, call) => ({
      data: { comparison: await hub.compare(callerOf(call), { name, from, to }) },
    }),
    readComparison,
  ),
];

const registryTools = (hub: SkillHub): readonly McpTool[] => [
  bindTool(
    checkSkillApprovalTool,
    async ({ skill_name: name, version, content_hash: contentHash }, call) => ({
      data: {
        approval: await hub.approval(callerOf(call), { name, version, contentHash: contentHash?.toLowerCase() }),
      },
    }),
    readVersion,
  ),
  bindTool(
    listApprovedSkillsTool,
    async ({ category, risk_level: riskLevel, status = 'approved', search, max_results: limit }, call) => ({
      data: await hub.list(callerOf(call), {
        category,
        riskLevel,
        status,
        search,
        limit,
      }),
    }),
  ),
  bindTool(
    searchSkillsTool,
    async (
      { query: search, category, risk_level: riskLevel, author, has_package: hasPackage, max_results: limit },
      call,
    ) => ({
      data: await hub.search(callerOf(call), {
        search,
        category,
        riskLevel,
        author,
        hasPackage,
        limit,
      }),
    }),
  ),
  bindTool(
    getSkillDetailsTool,
    async ({ skill_name: name, version }, call) => ({
      data: { skill: await hub.details(callerOf(call), { name, version }) },
    }),
    readVersion,
  ),
  bindTool(getSkillSecurityStatusTool, async ({ skill_names: names }, call) => ({
    data: { status: await hub.statuses(callerOf(call), names) },
  })),
];

const packageTools = (hub: SkillHub): readonly McpTool[] => [
  bindTool(
    downloadSkillTool,
    async ({ skill_name: name, version }, call) => {
      const caller = await identifiedCaller(call, call.clientName);
      const { content, name: skillName, ...facts } = await hub.download(caller, { name, version });
      if (content.length > maxDownloadBytes) {
        const message = `The package has ${content.length} bytes, and at most ${maxDownloadBytes} are sent in a message`;
        throw new GatewayError('payload_too_large', { message });
      }
      const summary = { skill_name: skillName, ...facts };
      return {
        data: { download: { ...summary, content_base64: call.attach(content) } },
        // A model has no use for the bytes; programs take them from the data.
        text: JSON.stringify(
          { download: summary, content: 'in structuredContent.download.content_base64' },
          undefined,
          2,
        ),
      };
    },
    readVersion,
  ),
];

const callerOf = (
  { clientAddress: address, requestId, userAgent, clientName }: McpCall,
  agent = clientName,
): SkillCaller => ({
  agent,
  address,
  via: 'mcp',
  requestId,
  userAgent,
});

/** With who presents a login or a key, for what is taken down. */
export const identifiedCaller = async (call: McpCall, agent: string | undefined): Promise<SkillCaller> => ({
  ...callerOf(call, agent),
  user: await call.identify(),
});
