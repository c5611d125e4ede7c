import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { check } from '../src/compiler/check.js'
import { SCHEMAS, SCHEMA_NAMES } from '../src/cli/schema/table.js'

const readme = readFileSync('README.md', 'utf8')

it('names every example', () => {
  const examples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'README.md')))
  expect(examples.filter((name) => !readme.includes(`[\`${name}\`](examples/${name})`))).toEqual([])
})

it('shows a manifest without a mistake', () => {
  const [, text] = /^```yaml\n(manifest_metadata:[\s\S]*?)^```$/mu.exec(readme)!
  const { diagnostics } = check([{ file: 'svc.yaml', text: text! }])
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

it('has at most 180 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(180)
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
