import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { assert, asyncProperty, array, constantFrom, nat, record } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newBuildMemory, type BuildMemory } from '../../src/cli/build/memory.js'
import { build } from '../../src/cli/build/run.js'

const temporary = mkdtempSync(join(tmpdir(), 'svc-rebuild-'))
let written: { mockRestore(): void }
beforeAll(() => {
  written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  written.mockRestore()
  rmSync(temporary, { recursive: true, force: true, maxRetries: 20 })
})

let folders = 0
function project(): string {
  const folder = join(temporary, String(folders++))
  cpSync('examples/minimal', folder, {
    recursive: true,
    filter: (path) => !/(?:node_modules|dist|generated|svc\.lock\.json)$/u.test(path),
  })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

interface Member {
  readonly description: number
  readonly input: number
  readonly output: number
  readonly effect: 'read' | 'write'
}

/** A capability that differs in what different files are made of. */
const text = (name: string, { description, input, output, effect }: Member): string => `
  ${name}:
    description: Does what number ${description} asks, and reports on it.
    contract_version: 1.0.0
    side_effect: { type: ${effect} }
    minimum_scope: [minimal.${effect}]
    inputs: [{ name: input_${input}, type: string, description: What is meant by it. }]
    output: { type: thing, fields: [{ name: output_${output}, type: string, description: What came of it. }] }
    observability: { logged: true, retention: P90D, fields_logged: [input_${input}] }
`

const NAMES = ['alpha', 'beta', 'gamma'] as const
const example = readFileSync('examples/minimal/svc.yaml', 'utf8')
const handler = readFileSync('examples/minimal/src/handlers/get_status.ts', 'utf8')

interface Edit {
  readonly members: readonly Member[]
  readonly comment: number
}

/** Writes the manifest and a handler as an edit leaves them. */
function apply(folder: string, { members, comment }: Edit): void {
  const capabilities = members.map((member, index) => text(NAMES[index]!, member))
  writeFileSync(join(folder, 'svc.yaml'), `${example}${capabilities.join('')}`)
  writeFileSync(join(folder, 'src/handlers/get_status.ts'), `${handler}// ${comment}\n`)
}

/** All outputs; of the published manifest, what does not depend on when it was made. */
const outputsOf = (folder: string): object =>
  Object.fromEntries([
    ['svc.lock.json', readFileSync(join(folder, 'svc.lock.json'), 'utf8')],
    ...['generated', 'dist'].flatMap((place) =>
      readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder, place, name)).isFile() && name !== 'manifest.jws')
        .map((name) => [`${place}/${name}`, withoutTimes(name, readFileSync(join(folder, place, name), 'utf8'))]),
    ),
  ])

const withoutTimes = (name: string, content: string): string =>
  name === 'manifest.json' ? content.replace(/"manifest_metadata":\{[^}]*\}/u, '') : content

const rebuild = (folder: string, memory?: BuildMemory): Promise<unknown> =>
  build(folder, { check: false, force: false, types: false, ...(memory && { memory }) })

const few = nat({ max: 2 })
const member = record({ description: few, input: few, output: few, effect: constantFrom('read', 'write') })
const edit = record({ members: array(member, { maxLength: NAMES.length }), comment: few })

describe('a watcher', () => {
  it('writes after any edits what a single build writes', async () => {
    const isTrue = async (edits: readonly Edit[]): Promise<void> => {
      const [watched, memory] = [project(), newBuildMemory()]
      for (const each of edits) {
        const fresh = project()
        for (const folder of [watched, fresh]) apply(folder, each)
        await rebuild(watched, memory)
        // Handlers are the author's: a build adds drafts, and takes none away.
        cpSync(join(watched, 'src/handlers'), join(fresh, 'src/handlers'), { recursive: true })
        await rebuild(fresh)
        expect(outputsOf(watched)).toEqual(outputsOf(fresh))
      }
    }
    await assert(asyncProperty(array(edit, { minLength: 2, maxLength: 5 }), isTrue), { numRuns: 4, seed: 7 })
  }, 120_000)

  it('finds what somebody else wrote, as any build does', async () => {
    const [folder, memory] = [project(), newBuildMemory()]
    await rebuild(folder, memory)
    const file = join(folder, 'generated/types.ts')
    const ours = readFileSync(file, 'utf8')
    writeFileSync(file, `${ours}// mine\n`)
    await expect(rebuild(folder, memory)).rejects.toThrow('its bytes are not those that svc wrote')
    expect(readFileSync(file, 'utf8')).toBe(`${ours}// mine\n`)
    rmSync(file)
    await rebuild(folder, memory)
    expect(readFileSync(file, 'utf8')).toBe(ours)
  })
})
