import { dirname } from 'node:path';
import type { FileImport } from './read-imports.ts';

/** A folder of a package with the files in it, or a file that stands in no folder. */
export interface Floor {
  readonly folder: string;
  readonly imports: readonly string[];
  /** From 1: one above the highest that it imports. Folders in a circle share one. */
  readonly floor: number;
}

export interface Circle {
  readonly folders: readonly string[];
  /** The fewer imports, without which there were no circle. */
  readonly closedBy: readonly FileImport[];
}

type NodeOf = (file: string) => string;

/** Every folder by itself, or the first level with all that is below. */
export const byFolder: NodeOf = (file) => (file.includes('/') ? dirname(file) : file);
export const byFirstFolder: NodeOf = (file) => file.split('/', 1)[0] as string;

interface Graph {
  readonly nodes: readonly string[];
  readonly edges: ReadonlyMap<string, ReadonlyMap<string, readonly FileImport[]>>;
}

function graphOf(files: readonly string[], imports: readonly FileImport[], nodeOf: NodeOf): Graph {
  const between = imports.filter(({ from, to }) => nodeOf(from) !== nodeOf(to));
  const edges = new Map(
    Array.from(
      Map.groupBy(between, ({ from }) => nodeOf(from)),
      ([node, list]) => [node, Map.groupBy(list, ({ to }) => nodeOf(to))] as const,
    ),
  );
  return { nodes: [...new Set(files.map(nodeOf))].toSorted(), edges };
}

/** Groups of nodes that reach each other, those below first (Tarjan). */
function componentsOf({ nodes, edges }: Graph): readonly (readonly string[])[] {
  const components: string[][] = [];
  const seen = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    const index = seen.size;
    seen.set(node, index);
    open.push(node);
    let low = index;
    for (const next of edges.get(node)?.keys() ?? []) {
      if (!seen.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? seen.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === index) components.push(open.splice(open.indexOf(node)).toSorted());
    return low;
  };
  for (const node of nodes) if (!seen.has(node)) visit(node);
  return components;
}

/** The folders of a package, the highest floor first. */
export function findFloors(files: readonly string[], imports: readonly FileImport[]): readonly Floor[] {
  const graph = graphOf(files, imports, byFolder);
  const floorOf = new Map<string, number>();
  for (const component of componentsOf(graph)) {
    const below = component.flatMap((node) => [...(graph.edges.get(node)?.keys() ?? [])]);
    const floor = 1 + Math.max(0, ...below.map((node) => (component.includes(node) ? 0 : (floorOf.get(node) ?? 0))));
    for (const node of component) floorOf.set(node, floor);
  }
  return graph.nodes
    .map((folder) => ({
      folder,
      imports: [...(graph.edges.get(folder)?.keys() ?? [])].toSorted(),
      floor: floorOf.get(folder) ?? 0,
    }))
    .toSorted((one, other) => other.floor - one.floor);
}

export function findCircles(
  files: readonly string[],
  imports: readonly FileImport[],
  nodeOf: NodeOf,
): readonly Circle[] {
  const graph = graphOf(files, imports, nodeOf);
  return componentsOf(graph)
    .filter(({ length }) => length > 1)
    .map((folders) => ({ folders, closedBy: closingImports(graph, folders) }));
}

/** Puts the folder on top that imports most and is imported least, and so on; what goes up in that order closes the circle. */
function closingImports({ edges }: Graph, folders: readonly string[]): readonly FileImport[] {
  const left = new Set(folders);
  const count = (from: string, to: string): number => edges.get(from)?.get(to)?.length ?? 0;
  const lead = (node: string): number =>
    [...left].reduce((sum, other) => sum + count(node, other) - count(other, node), 0);
  const closing: FileImport[] = [];
  while (left.size > 0) {
    const top = [...left].reduce((best, node) => (lead(node) > lead(best) ? node : best));
    left.delete(top);
    for (const other of left) closing.push(...(edges.get(other)?.get(top) ?? []));
  }
  return closing;
}
