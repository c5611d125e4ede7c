/** Made by `svc build && tsc -p tsconfig.frameworks.json`, since Next.js finds no `.ts` file by an import of `.js`. */
import type { Mounted } from 'svc-kit/runtime/mount'
import { openAgents } from '../out/agents.js'

/** One service a process: Next.js loads this file for each route, and again when it changes during development. */
const kept = globalThis as { agents?: Promise<Mounted> }

export const handle = async (request: Request): Promise<Response> =>
  (await (kept.agents ??= openAgents())).fetch(request)
