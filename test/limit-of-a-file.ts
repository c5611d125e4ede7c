/**
 * A file of tests ends, whatever waits in it: the limit of a test cannot end what blocks its process. After TEST_FILE_LIMIT_MINUTES, 8 by default,
 * its process is killed with all that it started, and what it did is printed. `test/run.js` runs such a file once more.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { limitInMinutes } from './takes-hours.js'

const MINUTES = limitInMinutes('TEST_FILE_LIMIT_MINUTES', 8)

/** Each process of tests writes here under its id which file it runs (`limits-of-processes.ts`). */
export const folderOfRun = (run: number): string => join(tmpdir(), `svc-kit-tests-${run}`)

/** What vitest says of a process of tests that is gone. */
const ENDED = /Worker \w+ emitted error/u

interface Process {
  readonly id: number
  readonly parent: number
  readonly command: string
}

export default class LimitOfAFile implements Reporter {
  readonly #folder = folderOfRun(process.pid)
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #doing = new Map<string, string>()
  #ended = 0

  onTestRunStart(): void {
    mkdirSync(this.#folder, { recursive: true })
  }

  onTestModuleQueued(module: TestModule): void {
    const timer = setTimeout(() => this.#end(module), MINUTES * 60_000)
    timer.unref()
    this.#timers.set(module.moduleId, timer)
  }

  onTestCaseReady(test: TestCase): void {
    this.#doing.set(test.module.moduleId, test.fullName)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    rmSync(this.#folder, { recursive: true, force: true })
    const failed = modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId)
    const others = errors.filter(({ message }) => !ENDED.test(message) || --this.#ended < 0)
    note('TEST_FILES_THAT_FAIL', [...failed, ...others.map(({ message }) => message)])
  }

  /** A file that has ended has no process any more, or one that ends: nothing happens then. */
  #end(module: TestModule): void {
    const processes = listProcesses()
    const own = processes.find(({ id, parent }) => parent === process.pid && this.#fileOf(id) === module.moduleId)
    if (own === undefined) return
    const family = [own, ...below(own.id, processes)]
    const doing = this.#doing.get(module.moduleId) ?? 'being loaded'
    console.error(`HANGS ${module.relativeModuleId} after ${MINUTES} minutes (TEST_FILE_LIMIT_MINUTES), in: ${doing}`)
    for (const { id, parent, command } of family) console.error(`  ${id} of ${parent}: ${command}`)
    note('TEST_FILES_THAT_HANG', [module.relativeModuleId])
    this.#ended += 1
    for (const { id } of family.reverse()) kill(id)
  }

  #fileOf(id: number): string | undefined {
    try {
      return readFileSync(join(this.#folder, String(id)), 'utf8')
    } catch {
      return undefined
    }
  }
}

function listProcesses(): readonly Process[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', timeout: 10_000 })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, id, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/u.exec(line) ?? []
    return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), command: (command ?? '').slice(0, 200) }]
  })
}

function below(id: number, processes: readonly Process[]): readonly Process[] {
  return processes.filter(({ parent }) => parent === id).flatMap((child) => [child, ...below(child.id, processes)])
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Writes lines where `test/run.js` asks for them. */
function note(variable: string, lines: readonly string[]): void {
  const file = process.env[variable]
  if (file !== undefined) appendFileSync(file, lines.map((line) => `${line}\n`).join(''))
}
