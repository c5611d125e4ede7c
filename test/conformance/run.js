/**
 * The conformance suite against the travel example and what it lacks, built and served as a user would, so that every
 * case applies; then against each right service, and every sentence of the interface document:
 * `node test/conformance/run.js`.
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
if (process.exitCode === 0) process.exitCode = everyServiceAndSentence()

/** Each right service twice, and each sentence of the interface document on both stores. */
function everyServiceAndSentence() {
  const files = ['test/conformance/right-services.test.ts', 'test/conformance/sentences']
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files]
  const env = { ...process.env, FULL: '1' }
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit', timeout: 900_000 }).status ?? 1
}
