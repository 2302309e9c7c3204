import { scanPlacedCooperatively } from '../../../packages/platform/src/inspection/scan-media.ts';
import { stringsIn } from '../../../packages/core/src/json/visit-strings.ts';
import { builtinPolicies } from '../../../packages/core/src/policy/builtin/builtin-policies.ts';
import { originSet } from '../../../packages/core/src/policy/origins.ts';
import { compilePolicies } from '../../../packages/core/src/policy/compile/compile-policies.ts';
import { scanWorkPerBody } from '../../../packages/core/src/policy/policy.ts';
import { renderTable } from '../counts.ts';
import { isEnforced } from '../scanner.ts';
import { fileKinds, type FileKind } from './make-file.ts';

/** How many files of which length in base64. */
const wanted = [
  [120, 1_048_576],
  [24, 4_194_304],
] as const;

const asked = (part: object) => ({
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: '?' }, part] }],
});
const kindOf = (type: FileKind): string => (type.startsWith('image') ? 'image' : 'document');

/** Where each dialect has a file. */
const dialects: Readonly<Record<string, (type: FileKind, data: string) => object>> = {
  'OpenAI chat': (type, data) => asked({ type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }),
  'OpenAI responses': (type, data) => ({
    model: 'm',
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:${type};base64,${data}` }] }],
  }),
  Anthropic: (type, data) => asked({ type: kindOf(type), source: { type: 'base64', media_type: type, data } }),
  Gemini: (type, data) => ({ contents: [{ role: 'user', parts: [{ inlineData: { mimeType: type, data } }] }] }),
  MCP: (type, data) => ({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'image', data, mimeType: type }] } }),
  'any JSON': (_type, data) => ({ attachment: data }),
};

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Sends files in base64 through every dialect by all policies for LLM traffic; answers what was blocked of them. */
export function reportPictures(): readonly string[] {
  const plan = compilePolicies(builtinPolicies.filter(({ policy_type: type }) => type !== 'mcp'));
  const kinds = Object.keys(fileKinds) as FileKind[];
  const faults: string[] = [];
  const cells: string[][] = [];
  for (const [count, length] of wanted) {
    const files = Array.from({ length: count }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? 'image/png';
      return { kind, data: fileKinds[kind](`${length} ${index}`, (length / 4) * 3).toString('base64') };
    });
    for (const [name, place] of Object.entries(dialects)) {
      let [blocked, longest, all] = [0, 0, 0];
      for (const { kind, data } of files) {
        // Parsed, as bodies are: joined strings would be copied in the first step.
        const root: unknown = JSON.parse(JSON.stringify(place(kind, data)));
        const context = { direction: 'request', protocol: 'llm', role: 'user', origins: originSet('user') } as const;
        const work = { left: scanWorkPerBody };
        let found = 0;
        for (const string of stringsIn(root)) {
          if (string === undefined) continue;
          const steps = scanPlacedCooperatively(plan, { root, ...string }, { ...context, work });
          for (;;) {
            const before = cpuMs();
            const { done, value } = steps.next();
            const ms = cpuMs() - before;
            longest = Math.max(longest, ms);
            all += ms;
            if (done !== true) continue;
            const enforced = value.filter(isEnforced);
            found += enforced.length;
            for (const { ruleId } of enforced) faults.push(`${name}: ${kind} of ${length} is blocked by ${ruleId}`);
            break;
          }
        }
        if (found > 0) blocked += 1;
      }
      const size = `${count} of ${length / 1_048_576} MiB`;
      cells.push([name, size, String(blocked), `${longest.toFixed(1)} ms`, `${(all / count).toFixed(1)} ms`]);
    }
  }
  const head = ['files in base64', 'files', 'blocked', 'longest step', 'processor time each'];
  console.log(`\n${renderTable(head, cells)}`);
  return faults;
}
