import { firstOf, must, type Journey } from './journey.ts';

/** A tool whose description changed: the inbox, what changed word by word, and the decision. */
export const changedTool: Journey = {
  name: 'A changed tool: inbox to decision',
  mostCalls: 4,
  async walk(walker) {
    const { mcpUrl: target, changeTool, findPort } = walker.world;
    await walker.prepare(async () => {
      await walker.signIn();
      const body = { name: 'tools', type: 'mcp', target, port: await findPort() };
      const proxy = await walker.api('POST', '/proxies', { body });
      const id = String(proxy['id']);
      await walker.api('POST', `/proxies/${id}/tools/discover`);
      changeTool();
      await walker.api('POST', `/mcp/tools/${id}/detect-changes`);
    });
    await walker.signIn();
    const held = firstOf(await walker.api('GET', '/approvals?kind=tool'), 'approvals');
    const path = `/approvals/${String(held['id'])}`;
    const shown = await walker.api('GET', path);
    must(Array.isArray(firstOf(shown, 'differences')['words']), 'the description is compared word by word');
    const body = { version: held['version'], note: 'Release 2' };
    const decided = await walker.api('POST', `${path}/approve`, { body });
    must(decided['status'] === 'approved', 'the change is approved');
  },
};
