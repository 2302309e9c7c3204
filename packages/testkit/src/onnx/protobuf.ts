/** The few forms of protocol buffers that ONNX needs, written by hand: field by field, in the order given. */
export type Field = readonly [number: number, bytes: Uint8Array];

/** A whole number from 0 to 2^53. */
export const varintField = (number: number, value: number): Field => [
  number,
  Uint8Array.from([...varint(number * 8), ...varint(value)]),
];

export const bytesField = (number: number, bytes: Uint8Array): Field => [
  number,
  Buffer.concat([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]),
];

export const textField = (number: number, text: string): Field => bytesField(number, Buffer.from(text));

export const messageField = (number: number, fields: readonly Field[]): Field => bytesField(number, message(fields));

export const message = (fields: readonly Field[]): Uint8Array => Buffer.concat(fields.map(([, bytes]) => bytes));

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
