/**
 * A service from nothing to an open port, and its end: CPU time of the process without MCP and with it, and of another checkout that is
 * built (`BEFORE=/path/to/it npm run bench -- start`).
 */
import { resolve } from 'node:path'
import { compare } from './processes.js'

const programIn = (root, surfaces) => `
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
const { openService } = await import(${JSON.stringify(`${root}/bench/invoke/open-service.js`)})
const { serve } = await import(${JSON.stringify(`${root}/dist/runtime/node.js`)})
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-start-'))
const { service } = await openService(folder)
const { close } = await serve(service, { port: 0, surfaces: ${surfaces} })
await close()
rmSync(folder, { recursive: true })
process.exit(0)`

const here = resolve(import.meta.dirname, '..')
const node = (program) => ['node', '--input-type=module', '--eval', program]
const withMcp = `[(await import(${JSON.stringify(`${here}/dist/runtime/surfaces/mcp/index.js`)})).mcp()]`
const before = process.env.BEFORE

const results = compare(
  {
    'node -e 0': ['node', '-e', '0'],
    ...(before && { 'another checkout': node(programIn(resolve(before), '[]')) }),
    'without MCP': node(programIn(here, '[]')),
    'with MCP': node(programIn(here, withMcp)),
  },
  { rounds: Number(process.env.ROUNDS ?? 15) },
)
console.table(results)
