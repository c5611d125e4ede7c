import { join } from 'node:path'

const installed = (path: string): string => join(import.meta.dirname, 'node_modules', path)

/** Node versions that are supported beside the one that runs the tests. */
export const NODES: { readonly [name: string]: string } = {
  [`Node ${process.versions.node.split('.')[0]}`]: process.execPath,
  'Node 22': installed('node22/bin/node'),
  'Node 24': installed('node24/bin/node'),
}

/** Runtime -> the command that runs a script in it. */
export const RUNTIMES: { readonly [name: string]: readonly [program: string, ...options: readonly string[]] } = {
  ...Object.fromEntries(Object.entries(NODES).map(([name, program]) => [name, [program]])),
  Deno: [installed('@deno/linux-x64-glibc/deno'), 'run', '--no-config', '--allow-net', '--allow-read'],
  Bun: [installed('@oven/bun-linux-x64/bin/bun'), 'run'],
}
