/**
 * Executes every `sh` block of the documents, in order, one folder and one shell for each document.
 * A block marked `sh background` is started and left running until its document ends; the next block waits for its port, and 2 s for what it does then.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { join, resolve } from 'node:path'

const BLOCK = /^```sh( background)?[ \t]*\n([\s\S]*?)^```/gmu
const PROLOGUE = `set -euo pipefail
await_port() { for _ in $(seq 1 600); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0; sleep 0.1; done; echo "nothing listens on $1" >&2; return 1; }
`

const MOST_MINUTES = 50

/** What the registry said a moment ago is taken, and nothing is asked beside it. */
const QUIET_NPM = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' }

const root = resolve(import.meta.dirname ?? '.', '..')

/** The README creates a service beside the repository; what is there already stays. */
const BESIDE = join(root, '../shop')

/** Documents to execute: files and folders as named on the command line. The README runs in the repository, a guide in a folder of its own. */
const documents = process.argv.slice(2).flatMap((name) => (name.endsWith('.md') ? [name] : listMarkdown(name)))

function listMarkdown(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

function scriptOf(text) {
  const blocks = [...text.matchAll(BLOCK)]
  const lines = blocks.map(([, background, commands]) =>
    background === undefined
      ? commands
      : `set -m\n(${commands.trim().replaceAll('\n', '; ')}) > background.log 2>&1 &\nBACKGROUND=$!\nset +m\ntrap 'kill -- -$BACKGROUND 2>/dev/null || true' EXIT\nawait_port "\${PORT:-4100}" || { cat background.log; exit 1; }\nsleep 2\n`,
  )
  return { count: blocks.length, script: PROLOGUE + lines.join('\n') }
}

async function execute(document) {
  const { count, script } = scriptOf(readFileSync(join(root, document), 'utf8'))
  if (count === 0) return
  const isReadme = document === 'README.md'
  if (isReadme && existsSync(BESIDE)) throw new Error(`The README creates ${BESIDE}, which is there already.`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'))
  const file = join(folder, 'commands.sh')
  writeFileSync(file, script)
  const started = process.hrtime.bigint()
  const code = await new Promise((done) => {
    const shell = spawn('bash', ['-v', file], {
      cwd: isReadme ? root : folder,
      env: { ...process.env, ...QUIET_NPM, SVC_TARBALL: process.env.SVC_TARBALL ?? join(root, 'svc-kit-0.1.0.tgz') },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    const limit = setTimeout(() => {
      console.error(`${document} has run for ${MOST_MINUTES} minutes, and is ended.`)
      end(shell.pid)
    }, MOST_MINUTES * 60_000)
    const stop = () => end(shell.pid)
    process.once('SIGTERM', stop)
    shell.on('close', (status) => {
      clearTimeout(limit)
      process.off('SIGTERM', stop)
      done(status)
    })
  })
  await remove(folder)
  if (isReadme) await remove(BESIDE)
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${document} (${count} blocks, ${seconds.toFixed(1)} s)`)
  if (code !== 0) process.exitCode = 1
}

/** The shell ends what it left in the background, and all that it waits for ends with it. */
function end(shell) {
  const signal = (name) => {
    try {
      process.kill(-shell, name)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
  signal('SIGTERM')
  setTimeout(() => signal('SIGKILL'), 10_000).unref()
}

/** A service that was told to stop may write its last files meanwhile, so all of it is tried again, for up to 30 s. */
async function remove(folder) {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempt === 120) throw error
      await sleep(250)
    }
  }
}

for (const document of documents) await execute(document)
