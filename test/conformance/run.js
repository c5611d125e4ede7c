/**
 * The conformance suite against the travel example and what it lacks, built and served as a user would, so that every
 * case applies: `node test/conformance/run.js`.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { addCapabilities, entitle } from './more-capabilities.js'
import { credentials, remove, scaffold, start, svc } from '../../examples/demo/project.js'

const root = resolve(import.meta.dirname, '../..')
const folder = scaffold()
try {
  addCapabilities(folder)
  entitle(folder)
  svc(folder, 'build')
  svc(folder, 'sign')
  const running = await start(folder)
  const { developer, approver, agent } = credentials(folder)
  const env = { ...process.env, SVC_DEVELOPER_KEY: developer, SVC_APPROVER_KEY: approver, SVC_AGENT_KEY: agent }
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'bin/svc.cjs'), 'conformance', running.url, '--strict', ...process.argv.slice(2)],
    { env, stdio: 'inherit', timeout: 600_000 },
  )
  process.exitCode = status ?? 1
  await running.stop()
} finally {
  remove(folder)
}
