import { fromJsonSchema, type JsonSchemaType, type McpServer } from '@modelcontextprotocol/server';
import { redPixel, silence } from './reference-media.ts';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** Every keyword of JSON Schema 2020-12 that a relay could lose. */
const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as JsonSchemaType;

/** A parameter that clients repeat in the header `Mcp-Param-Region`. */
const mirroredSchema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as JsonSchemaType;

/** Tools that answer at once: every kind of content, an error, schemas that must survive. */
export function registerContentTools(server: McpServer): void {
  const register = (name: string, answer: () => ReturnType<typeof text> | object) =>
    server.registerTool(name, { description: `Answers ${name}` }, () => answer() as ReturnType<typeof text>);

  register('test_simple_text', () => text('This is a simple text response for testing.'));
  register('test_image_content', () => ({ content: [{ type: 'image', data: redPixel, mimeType: 'image/png' }] }));
  register('test_audio_content', () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }));
  register('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  register('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: redPixel, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  register('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  register('test_never_enabled', () => text('Nobody should see this.'));
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(richSchema) },
    (input) => text(JSON.stringify(input)),
  );
  server.registerTool(
    'test_mirrored_parameter',
    { description: 'Has a parameter that is repeated in a header', inputSchema: fromJsonSchema(mirroredSchema) },
    (input) => text(JSON.stringify(input)),
  );
}
