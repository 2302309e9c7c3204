import type { Route } from '@portcullis/contracts/route';
import { mountedPath } from '../../src/routes/mount-routes.ts';

/** The parts of an OpenAPI 3.1 document that generated requests are made from. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: OpenApiContent }>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: OpenApiSchema;
}

export type OpenApiContent = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

/** A JSON Schema, as far as contracts use it. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly patternProperties?: Readonly<Record<string, OpenApiSchema>>;
  readonly propertyNames?: OpenApiSchema;
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly allOf?: readonly OpenApiSchema[];
}

export interface NamedOperation extends OpenApiOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
}

/** Every operation with its method and path, in the order of the document. */
export const operationsOf = ({ paths }: Pick<OpenApiDocument, 'paths'>): readonly NamedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

const referencePrefix = '#/components/schemas/';

/** The name of the component that a schema refers to; undefined when it stands for itself. */
export const referredName = ({ $ref }: OpenApiSchema): string | undefined =>
  $ref?.startsWith(referencePrefix) === true ? $ref.slice(referencePrefix.length) : undefined;

/** Of what is published the part that some routes answer. */
export function partOf(document: OpenApiDocument, routes: readonly Route[]): OpenApiDocument {
  const paths = new Set(routes.map((route) => mountedPath(route).replaceAll(/:(\w+)/g, '{$1}')));
  return { ...document, paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => paths.has(path))) };
}
