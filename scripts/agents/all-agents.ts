import type { Agent } from './agent.ts';
import { langchain, openaiAgents, vercelAi } from './agent-loops.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';

export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  qwenCode,
  continueCli,
  cline,
  pi,
  vercelAi,
  langchain,
  openaiAgents,
];
