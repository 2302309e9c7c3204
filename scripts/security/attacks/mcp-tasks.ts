import { answer, parseJsonBody, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, posting } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

const task = { taskId: 'task-of-the-server', status: 'working' };
const call = (method: string, params: object = {}) =>
  posting('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
const related = (taskId: string) => ({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });

/** Says for each request which task it was asked about. */
const startTaskServer = () =>
  startLoopbackPeer((request, response) => {
    const { id, method } = parseJsonBody(request) as Asked;
    answer(response, 200, { jsonrpc: '2.0', id, result: method === 'tools/call' ? { task } : task });
  });

export const mcpTasks: readonly Attack[] = [
  {
    name: 'the tasks of another key, of an MCP server that knows all clients by one credential',
    attacker: 'key holder',
    expected: 'not found by any id, and not listed; the key that began one reads, changes and ends it',
    async run({ admin, openProxy }) {
      await using target = await startTaskServer();
      const proxy = await openProxy({ target: target.url, type: 'mcp', settings: { tool_filtering: 'off' } });
      const { body } = await ask(proxy, call('tools/call', { name: 'slow', task: {} }));
      const { taskId } = (JSON.parse(body) as { result: { task: { taskId: string } } }).result.task;
      const issued = await admin.expect<{ key: string }>('POST', '/api-keys', {
        name: `tasks-${process.pid}-${Date.now()}`,
        user_group_id: proxy.groupId,
      });
      const other = { ...proxy, key: issued.key };
      const faults: string[] = [];
      for (const method of ['tasks/get', 'tasks/update', 'tasks/result', 'tasks/cancel']) {
        for (const id of [taskId, task.taskId]) {
          const before = target.requests.length;
          const got = await ask(other, call(method, { taskId: id }));
          if (target.requests.length > before) faults.push(`${method} came to the server: ${got.status}`);
        }
        const own = await ask(proxy, call(method, { taskId }));
        if (!own.body.includes(taskId)) faults.push(`${method} of the own task answered ${own.body.slice(0, 80)}`);
      }
      const beside = await ask(other, call('tools/call', { name: 'a', ...related(taskId) }));
      if (!beside.body.includes('Task not found')) faults.push(`named beside a call: ${beside.body.slice(0, 80)}`);
      const listed = await ask(other, call('tasks/list'));
      if (listed.body.includes('"tasks"')) faults.push('they are listed');
      return judge(faults, 'not found');
    },
  },
  {
    name: 'a method that no revision of MCP knows, on a proxy with policies',
    attacker: 'key holder',
    expected: 'an error, and nothing comes to the server; ping does',
    async run({ openProxy }) {
      await using target = await startTaskServer();
      const proxy = await openProxy({ target: target.url, type: 'mcp' });
      const faults: string[] = [];
      for (const method of ['secrets/export', 'tools/call ', 'Tools/Call', 'tools/call\u0000', '']) {
        await ask(proxy, call(method));
        if (target.requests.length > 0) faults.push(`${JSON.stringify(method)} came to the server`);
        target.forget();
      }
      const { status } = await ask(proxy, call('ping'));
      if (status !== 200 || target.requests.length === 0) faults.push(`ping answered ${status}`);
      return judge(faults, 'refused');
    },
  },
];
