import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';

export const agents: readonly Agent[] = [claudeCode, codex, geminiCli];
