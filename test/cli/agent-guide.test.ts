import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { FAILURES } from '../../src/protocol/failures.js'
import { written } from './written.js'

const GUIDE = readFileSync('templates/agent-guide.md', 'utf8')

describe('svc agent-guide', () => {
  it('prints the guide', async () => {
    expect(await written(['agent-guide'])).toEqual({ code: 0, text: GUIDE })
  })

  it('writes it once, and not over what somebody has changed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'))
    const file = join(folder, '.claude/skills/svc-kit/SKILL.md')
    try {
      expect((await written(['agent-guide', '--out', file])).code).toBe(0)
      expect(readFileSync(file, 'utf8')).toBe(GUIDE)
      expect((await written(['agent-guide', '--out', file])).code).toBe(0)
      writeFileSync(file, 'mine')
      expect((await written(['agent-guide', '--out', file])).code).toBe(2)
      expect(readFileSync(file, 'utf8')).toBe('mine')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('what the guide says is true', () => {
  const program = new Command('svc')
  for (const register of COMMANDS) register(program)
  const commands = [...GUIDE.matchAll(/svc ([a-z-]+)(?: (--[a-z-]+))?/gu)].map(
    ([, name, option]) => [name!, option] as const,
  )

  it.each(commands)('svc %s %s is a command', (name, option) => {
    const command = program.commands.find((each) => each.name() === name)
    expect(command, name).toBeDefined()
    if (option !== undefined) expect(command!.options.map(({ long }) => long)).toContain(option)
  })

  it.each([...GUIDE.matchAll(/node_modules\/svc-kit\/([\w./-]+\w)/gu)].map(([, path]) => path!))(
    '%s is in the package',
    (path) => {
      expect(existsSync(path)).toBe(true)
      const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }
      expect(files.some((each) => path === each || path.startsWith(`${each}/`))).toBe(true)
    },
  )

  it.each([...GUIDE.matchAll(/`([a-z]+_[a-z_]+)`/gu)].map(([, word]) => word!))(
    '%s is a word of the manifest or of failures',
    async (word) => {
      const isFailure = Object.hasOwn(FAILURES, word)
      expect(isFailure || (await written(['explain', word])).code === 0).toBe(true)
    },
  )
})
