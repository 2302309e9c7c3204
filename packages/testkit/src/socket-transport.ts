import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { WebSocket } from 'ws';

/** A WebSocket for the official client, which brings one that cannot send a key. */
export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Code with which it was closed. */
  closedWith: number | undefined;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  #socket: WebSocket | undefined;

  constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.#address = address;
    this.#headers = headers;
  }

  start(): Promise<void> {
    const socket = new WebSocket(this.#address, { headers: this.#headers });
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.onmessage?.(JSON.parse(data.toString()) as JSONRPCMessage));
    socket.on('close', (code) => {
      this.closedWith = code;
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#socket?.close();
    return Promise.resolve();
  }
}
