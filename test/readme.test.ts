import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Command } from 'commander'
import { registerBuild } from '../src/cli/build/command.js'
import { SCHEMAS, SCHEMA_NAMES } from '../src/cli/schema/table.js'

const readme = readFileSync('README.md', 'utf8')

it('names every example', () => {
  const examples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'README.md')))
  expect(examples.filter((name) => !readme.includes(`[\`${name}\`](examples/${name})`))).toEqual([])
})

it('names every option of svc build but the one that overwrites', () => {
  const program = new Command()
  registerBuild(program)
  const options = program.commands.flatMap(({ options }) => options.map(({ long }) => long ?? ''))
  expect(options.filter((option) => !readme.includes(`\`${option}\``))).toEqual(['--force'])
})

it('names, in the guide on data, every schema and the commands that print what it describes', () => {
  const guide = readFileSync('docs/guides/data.md', 'utf8')
  const rows = SCHEMA_NAMES.filter((name) => name !== 'manifest' && name !== 'fragment').map((name) => {
    const commands = SCHEMAS[name].of.split(', ').map((command) => `\`${command}\``)
    return `| ${commands.join(', ')} [\`${name}\`](../../schemas/${name}.schema.json)`
  })
  const lines = guide.replaceAll(/ +\| /gu, ' ')
  expect(rows.filter((row) => !lines.includes(row))).toEqual([])
})

it('says how failures of the business are declared', () => {
  expect(readme).toContain('x-failures:')
})
