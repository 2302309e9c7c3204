import type { ToolContract } from '@portcullis/contracts/tools/tool-contract';
import type { Static, TObject } from 'typebox';
import type { Caller } from '../routes/bound-route.ts';

/** One message of a client, as a tool sees it. */
export interface McpCall {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** Scheme, host and port that the client called; the host is one of the gateway's. */
  readonly calledOrigin: string;
  /** As the client calls itself; nothing has verified it. */
  readonly clientName: string | undefined;
  /**
   * Who presents a login or an API key, in the headers unless a token is given; undefined without either.
   * @throws {GatewayError} when it is not good
   */
  identify(token?: string): Promise<Caller | undefined>;
  /**
   * Lets bytes be sent in base64, piece by piece, so that large ones keep nobody waiting. Answers the text that stands for
   * them in the data of the answer until then.
   */
  attach(bytes: Uint8Array): string;
}

/** What a tool answers. */
export interface ToolAnswer<Data extends object = object> {
  /** Sent as `structuredContent`, and each of its fields beside `content` as well. */
  readonly data: Data;
  /** What a model reads; the data as JSON unless given. */
  readonly text?: string;
}

/** Makes arguments of other spellings to those that the contract has. */
export type ReadInput = (given: Readonly<Record<string, unknown>>, call: McpCall) => object;

/** A tool with what it does. */
export interface McpTool {
  readonly contract: ToolContract;
  readonly readInput: ReadInput;
  /** @param input fits the contract */
  call(input: unknown, call: McpCall): Promise<ToolAnswer>;
}

/** Ties what a tool does to its contract; the types of arguments and answer come from there. */
export const bindTool = <Input extends TObject, Output extends TObject>(
  contract: ToolContract<Input, Output>,
  call: (input: Static<Input>, call: McpCall) => Promise<ToolAnswer<Static<Output>>>,
  readInput: ReadInput = (given) => given,
): McpTool => ({ contract, readInput, call: (input, from) => call(input as Static<Input>, from) });
