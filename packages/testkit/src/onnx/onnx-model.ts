import { bytesField, message, messageField, textField, varintField, type Field } from './protobuf.ts';

// Numbers of onnx.proto3: what is written here is read by every ONNX runtime.

const elementTypes = { float: 1, int64: 7 } as const;
type ElementType = keyof typeof elementTypes;

interface Initializer {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: readonly Field[];
}

interface Port {
  readonly name: string;
  readonly type: ElementType;
  /** A text names a size that the input decides. */
  readonly shape: readonly (number | string)[];
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly initializers: readonly Initializer[];
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

/** An ONNX file of operator set 13. */
export const writeModel = ({ nodes, initializers, inputs, outputs }: Graph): Uint8Array =>
  message([
    varintField(1, 7),
    messageField(7, [
      ...nodes.map(node),
      textField(2, 'graph'),
      ...initializers.map(initializer),
      ...inputs.map((it) => port(11, it)),
      ...outputs.map((it) => port(12, it)),
    ]),
    messageField(8, [textField(1, ''), varintField(2, 13)]),
  ]);

export const integerAttribute = (name: string, value: number): Field =>
  messageField(5, [textField(1, name), varintField(3, value), varintField(20, 2)]);

export const integersAttribute = (name: string, values: readonly number[]): Field =>
  messageField(5, [textField(1, name), ...values.map((value) => varintField(8, value)), varintField(20, 7)]);

export const elementTypeAttribute = (type: ElementType): Field => integerAttribute('to', elementTypes[type]);

const node = ({ operator, inputs, outputs, attributes = [] }: Node): Field =>
  messageField(1, [
    ...inputs.map((name) => textField(1, name)),
    ...outputs.map((name) => textField(2, name)),
    textField(4, operator),
    ...attributes,
  ]);

const initializer = ({ name, type, shape, values }: Initializer): Field =>
  messageField(5, [
    ...shape.map((size) => varintField(1, size)),
    varintField(2, elementTypes[type]),
    textField(8, name),
    bytesField(9, raw(type, values)),
  ]);

const raw = (type: ElementType, values: readonly number[]): Uint8Array =>
  new Uint8Array((type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt)).buffer);

const port = (number: number, { name, type, shape }: Port): Field =>
  messageField(number, [
    textField(1, name),
    messageField(2, [
      messageField(1, [
        varintField(1, elementTypes[type]),
        messageField(
          2,
          shape.map((size) => messageField(1, [typeof size === 'number' ? varintField(1, size) : textField(2, size)])),
        ),
      ]),
    ]),
  ]);
