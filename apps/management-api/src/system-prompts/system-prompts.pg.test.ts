import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProxy, deleteProxy } from '@portcullis/contracts/routes/proxies';
import { grantProxyAccess, listProxyAccess, setAccessPrompt } from '@portcullis/contracts/routes/proxy-access';
import {
  assignPromptToProxy,
  assignPromptToUserGroup,
  createSystemPrompt,
  deleteSystemPrompt,
  getSystemPrompt,
  listProxyPrompts,
  listSystemPrompts,
  removePromptAssignment,
  updateSystemPrompt,
} from '@portcullis/contracts/routes/system-prompts';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const unknown = 999_999;

describe.each(stores)('system prompts (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const unique = (word: string) => `${word}-${(counter += 1)}`;
  const createPrompt = (fields: object = {}) =>
    management.admin.data(createSystemPrompt, {
      body: { name: unique('prompt'), content: 'You serve {{.UserGroup}}.', ...fields },
    });
  const createTarget = (type: 'llm' | 'mcp' = 'llm') =>
    management.admin.data(createProxy, {
      body: { name: unique(type), type, target: 'http://127.0.0.1:9', port: 24_000 + counter },
    });
  const grantAccess = async (proxyId: number) => {
    const group = await management.admin.data(createUserGroup, { body: { name: unique('group') } });
    const access = await management.admin.data(grantProxyAccess, {
      params: group,
      body: { proxy_config_id: proxyId },
    });
    return { group, access };
  };
  const changesOf = async (kind: string) => {
    const { kysely } = management.infrastructure.database;
    const rows = await kysely.selectFrom('config_changes').select('id').where('kind', '=', kind).execute();
    return rows.map(({ id }) => id);
  };
  const auditOf = async (resourceId: number) => {
    const { kysely } = management.infrastructure.database;
    const rows = kysely.selectFrom('audit_log').select(['event_type', 'actor_name', 'changes']);
    return rows.where('resource_id', '=', String(resourceId)).orderBy('id').execute();
  };

  test('are created with defaults, shown, listed and changed in the given fields', async () => {
    const prompt = await createPrompt();
    expect(prompt).toEqual({
      id: expect.any(Number),
      name: expect.stringMatching(/^prompt-/),
      description: '',
      content: 'You serve {{.UserGroup}}.',
      priority: 0,
      active: true,
      injection_count: 0,
      skip_count: 0,
      last_injected_at: null,
      template_problems: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await management.admin.data(getSystemPrompt, { params: prompt })).toEqual(prompt);
    expect(await management.admin.data(listSystemPrompts)).toContainEqual(prompt);
    const body = { priority: 100, active: false, description: 'For tests' };
    const changed = await management.admin.data(updateSystemPrompt, { params: prompt, body });
    expect(changed).toEqual({ ...prompt, ...body, updated_at: expect.any(String) });
    expect(await changesOf('system_prompts')).toContain(String(prompt.id));
  });

  test('show what traffic counted', async () => {
    const prompt = await createPrompt();
    const last = new Date('2026-03-04T05:06:07.000Z');
    await management.infrastructure.database.kysely
      .insertInto('system_prompt_usage')
      .values({ system_prompt_id: prompt.id, injection_count: 3, skip_count: 2, last_injected_at: last })
      .execute();
    expect(await management.admin.data(getSystemPrompt, { params: prompt })).toMatchObject({
      injection_count: 3,
      skip_count: 2,
      last_injected_at: last.toISOString(),
    });
  });

  test('are stored with a wrong template, and told why they will be skipped', async () => {
    const prompt = await createPrompt({ content: 'Hi {{.Usr}}\n{{if}}' });
    expect(prompt.template_problems).toEqual([
      { line: 1, column: 4, problem: 'there is no variable .Usr' },
      { line: 2, column: 1, problem: 'if is not a variable, such as .User' },
    ]);
    const mended = await management.admin.data(updateSystemPrompt, { params: prompt, body: { content: 'Hi' } });
    expect(mended.template_problems).toEqual([]);
  });

  test('have a content of at most 10,000 characters, a priority of 0 to 100 and a name of their own', async () => {
    const longest = await createPrompt({ content: '🏰'.repeat(10_000), priority: 100 });
    expect(longest.content).toHaveLength(20_000);
    const refuse = (body: object) => management.admin.refusal(createSystemPrompt, { body });
    expect(await refuse({ name: 'x', content: 'y'.repeat(10_001) })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/content', rule: 'must have at most 10000 characters' }],
    });
    for (const priority of [-1, 101, 1.5]) {
      expect(await refuse({ name: 'x', content: 'y', priority })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/priority' }],
      });
    }
    expect(await refuse({ name: 'x' })).toMatchObject({ problems: [{ path: '/body/content', rule: 'is required' }] });
    expect(await refuse({ name: longest.name, content: 'y' })).toMatchObject({
      status: 409,
      message: `There is a system prompt "${longest.name}" already`,
    });
    const other = await createPrompt();
    const body = { name: longest.name };
    expect(await management.admin.status(updateSystemPrompt, { params: other, body })).toBe(409);
  });

  test('of a proxy are replaced by a new one, with its priority unless another is given', async () => {
    const [one, other, proxy] = [await createPrompt({ priority: 7 }), await createPrompt(), await createTarget()];
    const assign = (id: number, body?: { priority: number }) =>
      management.admin.data(assignPromptToProxy, {
        params: { id, proxyId: proxy.id },
        ...(body !== undefined && { body }),
      });
    expect(await assign(one.id)).toMatchObject({ system_prompt_id: one.id, proxy_id: proxy.id, priority: 7 });
    const replaced = await assign(other.id, { priority: 100 });
    expect(replaced).toMatchObject({ system_prompt_name: other.name, priority: 100, active: true });
    const list = () => management.admin.data(listProxyPrompts, { params: proxy });
    expect(await list()).toEqual({ proxy_id: proxy.id, proxy_assignments: [replaced], access_assignments: [] });
    expect(await changesOf('proxy_system_prompts')).toContain(String(proxy.id));

    const params = { assignmentId: replaced.id };
    expect(await management.admin.status(removePromptAssignment, { params })).toBe(200);
    expect(await management.admin.status(removePromptAssignment, { params })).toBe(404);
    expect(await list()).toMatchObject({ proxy_assignments: [] });
    expect((await auditOf(other.id)).map(({ event_type }) => event_type)).toEqual([
      'system_prompt.created',
      'system_prompt.assigned',
      'system_prompt.unassigned',
    ]);
  });

  test('of a team on a proxy stand in its access entry', async () => {
    const [prompt, proxy] = [await createPrompt(), await createTarget()];
    const { group, access } = await grantAccess(proxy.id);
    expect(access.system_prompt_id).toBeNull();
    const params = { id: group.id, accessId: access.id };
    const body = { system_prompt_id: prompt.id };
    const changed = await management.admin.data(setAccessPrompt, { params, body });
    expect(changed).toEqual({ ...access, system_prompt_id: prompt.id });
    expect(await management.admin.data(listProxyAccess, { params: group })).toEqual({ proxy_access: [changed] });
    expect(await management.admin.data(listProxyPrompts, { params: proxy })).toMatchObject({
      access_assignments: [
        {
          access_id: access.id,
          user_group_id: group.id,
          user_group_name: group.name,
          system_prompt_id: prompt.id,
          system_prompt_name: prompt.name,
          active: true,
        },
      ],
    });
    const taken = await management.admin.data(setAccessPrompt, { params, body: { system_prompt_id: null } });
    expect(taken).toEqual(access);

    const refuse = (refused: object, refusedBody: unknown = body) =>
      management.admin.status(setAccessPrompt, { params: { ...params, ...refused }, body: refusedBody });
    expect(await refuse({ accessId: unknown })).toBe(404);
    expect(await refuse({ id: unknown })).toBe(404);
    expect(await refuse({}, { system_prompt_id: unknown })).toBe(404);
    expect(await refuse({}, {})).toBe(400);
    expect(await refuse({}, { system_prompt_id: '1' })).toBe(400);
  });

  test('go to LLM proxies only', async () => {
    const [prompt, mcp] = [await createPrompt(), await createTarget('mcp')];
    const message = `The proxy "${mcp.name}" is not an LLM proxy: system prompts are injected into LLM requests only`;
    const params = { id: prompt.id, proxyId: mcp.id };
    expect(await management.admin.refusal(assignPromptToProxy, { params })).toMatchObject({ status: 400, message });
    const { group, access } = await grantAccess(mcp.id);
    const refused = { params: { id: group.id, accessId: access.id }, body: { system_prompt_id: prompt.id } };
    expect(await management.admin.refusal(setAccessPrompt, refused)).toMatchObject({ status: 400, message });
  });

  test('are deleted with all assignments, which proxies survive', async () => {
    const [prompt, proxy] = [await createPrompt(), await createTarget()];
    const { group, access } = await grantAccess(proxy.id);
    await management.admin.data(assignPromptToProxy, { params: { id: prompt.id, proxyId: proxy.id } });
    const params = { id: group.id, accessId: access.id };
    await management.admin.data(setAccessPrompt, { params, body: { system_prompt_id: prompt.id } });

    expect(await management.admin.status(deleteSystemPrompt, { params: prompt })).toBe(200);
    expect(await management.admin.status(getSystemPrompt, { params: prompt })).toBe(404);
    expect(await management.admin.data(listProxyPrompts, { params: proxy })).toEqual({
      proxy_id: proxy.id,
      proxy_assignments: [],
      access_assignments: [],
    });
    expect(await management.admin.data(listProxyAccess, { params: group })).toEqual({ proxy_access: [access] });
    expect((await auditOf(prompt.id)).at(-1)).toMatchObject({
      event_type: 'system_prompt.deleted',
      actor_name: 'admin',
    });
  });

  test('leave with their proxy', async () => {
    const [prompt, proxy] = [await createPrompt(), await createTarget()];
    await management.admin.data(assignPromptToProxy, { params: { id: prompt.id, proxyId: proxy.id } });
    expect(await management.admin.status(deleteProxy, { params: proxy })).toBe(200);
    expect(await management.admin.status(getSystemPrompt, { params: prompt })).toBe(200);
  });

  test('are no longer assigned to user groups, and the answer says what to do instead', async () => {
    const params = { id: 3, groupId: 4 };
    expect(await management.admin.refusal(assignPromptToUserGroup, { params })).toMatchObject({
      status: 410,
      error_code: 'GONE',
      message:
        'System prompts are assigned per team and proxy: PATCH /api/v1/user-groups/4/proxy-access/{accessId} with {"system_prompt_id": 3}',
    });
  });

  test('that do not exist answer 404, ids that are none 400', async () => {
    for (const route of [getSystemPrompt, deleteSystemPrompt, listProxyPrompts]) {
      expect(await management.admin.status(route, { params: { id: unknown } })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
    }
    expect(await management.admin.status(updateSystemPrompt, { params: { id: unknown }, body: {} })).toBe(404);
    const [prompt, proxy] = [await createPrompt(), await createTarget()];
    for (const params of [
      { id: unknown, proxyId: proxy.id },
      { id: prompt.id, proxyId: unknown },
    ]) {
      expect(await management.admin.status(assignPromptToProxy, { params })).toBe(404);
    }
    const params = { id: prompt.id, proxyId: proxy.id };
    expect(await management.admin.status(assignPromptToProxy, { params, body: { priority: 101 } })).toBe(400);
  });

  test('are read by viewers and changed by admins', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    const prompt = await createPrompt();
    expect(await viewer.status(getSystemPrompt, { params: prompt })).toBe(200);
    expect(await viewer.status(updateSystemPrompt, { params: prompt, body: {} })).toBe(403);
    expect(await viewer.status(createSystemPrompt, { body: { name: 'x', content: 'y' } })).toBe(403);
    expect(await management.anonymous.status(listSystemPrompts)).toBe(401);
  });
});
