/**
 * `npm test -- servers <folder>`: imports each server of `servers.js` that is installed in a folder with `--all`, confined,
 * validates, builds and compiles what was imported, serves it, and calls every tool: those of the table must succeed, and
 * the others end in a governed failure. Needs Linux with namespaces and a build of this repository.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SERVERS } from './servers.js'

const BIN = resolve('bin/svc.cjs')
const TSC = resolve('node_modules/typescript/bin/tsc')
const ADDRESS = 'http://127.0.0.1:4188'
const GOVERNED = ['upstream_refused', 'invalid_parameters', 'clarification_required']

const [installed] = process.argv.slice(2)
if (installed === undefined || !existsSync(join(installed, 'node_modules'))) {
  console.error('Name a folder in which the servers are installed. Install them there with:')
  console.error(`  npm install --ignore-scripts ${SERVERS.map((each) => each.package).join(' ')}`)
  process.exit(2)
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-servers-')))
const docs = join(root, 'docs')
mkdirSync(docs)
symlinkSync(resolve(installed, 'node_modules'), join(root, 'node_modules'))
process.on('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))

const placed = (value) => JSON.parse(JSON.stringify(value).replaceAll('FOLDER', docs))

function command(cwd, env, file, ...words) {
  const settings = { cwd, env: { ...process.env, CI: '1', NO_COLOR: '1', ...env }, encoding: 'utf8', timeout: 120_000 }
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], settings)
  if (status !== 0) throw new Error(`${words.slice(0, 2).join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

const post = async (path, credential, body) => {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  return (await fetch(ADDRESS + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

async function manifestOnceServed() {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${ADDRESS}/svc/manifest`).catch(() => undefined)
    if (answer?.ok) return answer.json()
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('The service did not start.')
}

const SAMPLES = { string: 'x', integer: 1, number: 1, boolean: true, object: {}, array: [] }
const sampleOf = ({ type, allowed_values: allowed }) => allowed?.[0] ?? SAMPLES[type] ?? 'x'
const samplesOf = ({ inputs }) =>
  Object.fromEntries(inputs.filter(({ required }) => required !== false).map((each) => [each.name, sampleOf(each)]))

/** Calls those of the table, and each other tool once with samples; returns what went wrong, and the figures. */
async function called({ capabilities }, credential, calls) {
  const scope = [...new Set(Object.values(capabilities).flatMap((each) => each.minimum_scope))]
  const { token } = await post('/svc/tokens', credential, { scope, subject: 'agent:tester' })
  const invoke = async (name, parameters) => {
    const { success, failure } = await post(`/svc/invoke/${name}`, token, { parameters })
    return success ? { outcome: 'success' } : { outcome: failure.type, said: JSON.stringify(failure) }
  }
  const wrong = []
  for (const [name, parameters] of placed(calls)) {
    const { outcome, said } = await invoke(name, parameters)
    if (outcome !== 'success') wrong.push(`${name}: ${said}`)
  }
  const named = new Set(calls.map(([name]) => name))
  const others = Object.entries(capabilities).filter(([name]) => !named.has(name))
  let succeeded = calls.length - wrong.length
  for (const [name, capability] of others) {
    const { outcome, said } = await invoke(name, samplesOf(capability))
    if (outcome === 'success') succeeded += 1
    else if (!GOVERNED.includes(outcome)) wrong.push(`${name}: ${said}`)
  }
  return { wrong, figures: `${Object.keys(capabilities).length} tools, ${succeeded} calls succeeded` }
}

const environmentIn = (text) =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=['"]?(.*?)['"]?$/gmu)].map(([, name, value]) => [name, value]))

async function tried({ bin, words = [], args = [], env = {}, calls }) {
  const into = join(root, bin)
  const given = placed(env)
  const server = join(root, 'node_modules/.bin', bin)
  command(root, given, BIN, 'import', 'mcp', '--all', '--write', 'none', '--into', into, ...placed(words), '--', server, ...placed(args)) // prettier-ignore
  // Beside the servers, the package under test.
  mkdirSync(join(into, 'node_modules'), { recursive: true })
  symlinkSync(resolve('.'), join(into, 'node_modules/svc-kit'))
  command(into, given, BIN, 'validate')
  command(into, given, BIN, 'build')
  command(into, given, TSC, '--noEmit', '--project', into)
  const own = environmentIn(readFileSync(join(into, '.env'), 'utf8'))
  const settings = {
    cwd: into,
    env: { ...process.env, ...given, ...own, SVC_DEVELOPMENT: 'true', PORT: '4188' },
    stdio: 'ignore',
  }
  const service = spawn(process.execPath, ['dist/server.mjs'], settings)
  const ended = new Promise((done) => service.once('exit', done))
  try {
    return await called(await manifestOnceServed(), own['SVC_DEVELOPER_KEY'], calls)
  } finally {
    service.kill()
    await ended
  }
}

for (const server of SERVERS) {
  const { wrong, figures = '' } = await tried(server).catch((error) => ({ wrong: [String(error.message)] }))
  console.log(`${wrong.length === 0 ? 'right' : 'WRONG'}  ${server.package}  ${figures}`)
  for (const each of wrong) console.log(`  ${each}`)
  if (wrong.length > 0) process.exitCode = 1
}
