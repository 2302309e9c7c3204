import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startA2aPeer, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startMcpPeer, type McpPeer, type McpTool } from '@portcullis/testkit/mcp-peer';
import { testAdmin, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { countCalls, expectedRefusals, findMark, readGuides, scansSkills, type GuideBlock } from './guide-blocks.ts';
import { openGuideShell, type GuideShell } from './guide-shell.ts';
import { startGateway } from './start-gateway.ts';

const guides = readGuides();
const allBlocks = guides.flatMap(({ blocks }) => blocks);
const firstLine = ({ guide, code }: GuideBlock): string => `${guide}: ${code.split('\n', 1)[0]?.split(/ +#/)[0]}`;
const runs = (block: GuideBlock): boolean =>
  findMark(block) === undefined &&
  (block.language === 'js' || (block.language === 'sh' && (countCalls(block) > 0 || scansSkills(block))));

describe('what the guides print', () => {
  test('nothing that calls is skipped but what says so, and no block goes unlooked at', () => {
    const marked = allBlocks.filter((block) => findMark(block) !== undefined);
    expect(marked.map((block) => `${block.guide}: ${findMark(block)}`)).toEqual([
      'docs/llm-proxies.md: one line for each official client, with a proxy of its own behind it',
      'docs/operations.md: needs a gateway with the certificate',
      'docs/operations.md: needs a gateway with the certificate',
    ]);
    const others = allBlocks.filter((block) => !runs(block) && !marked.includes(block));
    // Data and drawings, which are not typed.
    const typed = others.filter(({ language }) => !['json', 'text', 'yaml'].includes(language));
    expect(typed.map(firstLine)).toEqual([
      'README.md: npm run demo',
      'docs/audit.md: npm run verify-audit',
      'docs/audit.md: npm run verify-audit -- --head head.json',
      'docs/coding-agents.md: npm run agents',
      'docs/operations.md: mkdir -m 700 secrets && cd secrets',
      'docs/operations.md: ALLOWED_PRIVATE_TARGETS=ollama,mcp.internal,10.20.0.0/16',
      'docs/operations.md: mkdir -p tls && cd tls',
      'docs/operations.md: cd tls',
      'docs/operations.md: export ENCRYPTION_KEY_PREVIOUS=$(node -p \'JSON.parse(fs.readFileSync("data/secrets.json")).ENCRYPTION_KEY\')',
      'docs/operations.md: mv data data.damaged',
      'docs/tracing.md: TRACING_ENABLED=true',
      'docs/tracing.md: docker run --rm -p 16686:16686 -p 4318:4318 jaegertracing/jaeger',
      'docs/users-and-keys.md: OAUTH_REDIRECT_BASE_URL=https://gateway.example.com',
    ]);
    expect(others.filter(({ code }) => /\b(?:curl|api) -?\w/.test(code)).map(firstLine)).toEqual([]);
  });

  test('calls have one spelling: the helper of the README, and localhost with a port', () => {
    const code = allBlocks.filter(runs).map((block) => block.code.replaceAll(/^api\(\).*$/gm, ''));
    const addresses = code.flatMap((text) => text.match(/^ *curl .*$/gm) ?? []);
    expect(
      addresses.filter((line) => !/ "?(?:http:\/\/localhost:\d+\/|\$GATEWAY\/(?:api|a2a)\/v1\b)/.test(line)),
    ).toEqual([]);
    expect(code.join('\n').match(/localhost:8080/g)).toHaveLength(1);
    expect(guides.filter(({ prose }) => /`curl |\$API\b/.test(prose))).toEqual([]);
  });
});

const town = { type: 'object', properties: { city: { type: 'string' } } };
const tools = (say: string): readonly McpTool[] =>
  ['get_weather', 'search'].map((name) => ({ name, description: say, inputSchema: town, call: () => 'Sunny' }));

describe('a reader who types them', () => {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<ReadonlyMap<string, string>>();
  const peerKey = 'peer-key';
  let gateway: TestGateway;
  let shell: GuideShell;
  let model: LlmPeer;
  let server: McpPeer;
  let judge: GuardrailPeer;
  let agent: A2aPeer;

  beforeAll(async () => {
    model = await startLlmPeer({ reply: 'Paris', requireKey: peerKey });
    server = await startMcpPeer({ tools: tools('Tells what it knows of a city') });
    judge = await startGuardrailPeer('openai_moderation');
    agent = await startA2aPeer({ generation: '1.0' });
    gateway = await startGateway('one process', { OAUTH_REDIRECT_BASE_URL: 'https://gateway.example.com' });
    shell = await openGuideShell('README.md');
    const printed = new Set(
      allBlocks.filter(runs).flatMap(({ code }) => code.match(/(?<=localhost:|"port": ?)\d+/g) ?? []),
    );
    printed.delete('8080');
    const ports = await Promise.all([...printed].map(async (port) => [port, String(await findFreePort())] as const));
    becomeReady(
      new Map([
        ['http://localhost:8080', gateway.url],
        ['https://api.openai.com', model.url],
        ['https://api.anthropic.com', model.url],
        ['http://mcp.internal:3000', server.url],
        ['http://agent.internal:9000', agent.url],
        ['<your vendor key>', peerKey],
        ['<printed at the first start>', testAdmin.password],
        ['<your password>', testAdmin.password],
        ['<a new password>', 'another horse, another battery'],
        ...ports,
      ]),
    );
  });

  afterAll(async () => {
    await shell?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    for (const peer of [model, server, judge, agent]) await peer?.[Symbol.asyncDispose]();
  });

  /** Waits for what readers find done by the time that they have read on. */
  async function readOn({ guide, code }: GuideBlock): Promise<void> {
    const evaluation = /evaluations\/(\$[A-Z]+)\/(?:dashboard|results)/.exec(code)?.[1];
    if (evaluation !== undefined) {
      const status = `api GET /security/guardrails/evaluations/${evaluation}/status`;
      const isOver = async () => (await shell.run(guide, status)).output.includes('"status":"completed"');
      await waitFor(isOver, { what: status });
    }
    if (guide !== 'docs/agents.md') return;
    agent.behave({ conduct: code.includes('/cancel') ? 'slow' : code.includes('"taskId"') ? 'ask' : 'stream' });
    const waitedFor = /"(\/agents\/\$AGENT\/logs\?.*?)"/.exec(code)?.[1];
    const look = code.includes('/invoke"')
      ? 'curl -s "$GATEWAY/api/v1/agents/$AGENT/tasks" -H "x-api-key: $KEY"'
      : waitedFor && `api GET "${waitedFor}"`;
    const isThere = async () => /"tasks"|"blocked":true/.test((await shell.run(guide, look ?? '')).output);
    if (look !== undefined) await waitFor(isThere, { what: look });
  }

  /** Runs a script with the names of the reader's shell. */
  async function runScript({ guide, code }: GuideBlock): Promise<string> {
    const { output } = await shell.run(guide, 'echo "$GATEWAY $AGENT $KEY"');
    const [GATEWAY, AGENT, KEY] = output.trim().split(' ');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: join(import.meta.dirname, '..'),
      env: { GATEWAY, AGENT, KEY },
    });
    return stdout;
  }

  /** Runs a block as it is printed, but for what belongs to the reader. */
  async function type(block: GuideBlock) {
    await readOn(block);
    if (block.language === 'js') return runScript(block);
    const own = new Map(await ready);
    if (block.guide === 'docs/guardrail-providers.md') own.set('https://api.openai.com', judge.url);
    const printed = new RegExp([...own.keys()].map((text) => RegExp.escape(text)).join('|'), 'g');
    const code = block.code.replaceAll(printed, (text) => own.get(text) ?? text);
    expect(code).not.toMatch(/<[a-z ]+>|https:\/\/api\./);
    const { output, calls } = await shell.run(block.guide, code);
    const answers = calls.map(({ status, call }) => `${status} ${call}`).join('\n');
    const refused = calls.map(({ status }) => status).filter((status) => status < 200 || status > 299);
    if (calls.length !== countCalls(block) || refused.join() !== expectedRefusals(block).join()) {
      throw new Error(`${block.code}\nmade ${calls.length} calls:\n${answers}\nand printed:\n${output}`);
    }
    return output;
  }

  test('README.md: five minutes end with a blocked prompt and its alert', async () => {
    const [steps, alerts, ...more] = allBlocks.filter((block) => block.guide === 'README.md' && runs(block));
    if (steps === undefined || alerts === undefined) throw new Error('The README has lost its five minutes');
    expect(more).toEqual([]);
    const output = await type(steps);
    expect(output).toContain('Paris');
    expect(output).toContain('Request blocked by security policy');
    await waitFor(async () => (await type(alerts)).includes('"policy_name":"llm-security"'), { what: 'the alert' });
    expect(model.requests).toHaveLength(1);
  });

  const others = guides.filter(({ name, blocks }) => name !== 'README.md' && blocks.some(runs));
  test.each(others.map(({ name, blocks }) => [name, blocks.filter(runs)] as const))(
    '%s runs as written',
    async (_name, guide) => {
      server.behave({ tools: tools('Tells what it knows of a city') });
      for (const block of guide) {
        // What a guide says of changed tools needs tools that changed.
        if (/\/mcp\/tools\/\S+\/detect-changes/.test(block.code))
          server.behave({ tools: tools('Sends your question elsewhere') });
        await expect(type(block)).resolves.toEqual(expect.stringMatching(/\S/));
      }
    },
  );
});
