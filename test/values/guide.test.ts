import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { KEYWORDS } from '../../src/compiler/rules/facts/schemas/keywords.js'
import { compiled } from './compiled.js'

const GUIDE = readFileSync('docs/guides/values.md', 'utf8')

it('docs/guides/values.md shows a manifest that builds, and what the service says of a wrong order', async () => {
  const [, manifest = ''] = /```yaml\n(.*?)```/su.exec(GUIDE) ?? []
  const { validators, files } = await compiled(manifest)
  const [problem] = validators['check_order']!.input['order']!({ lines: [{ sku: 'AB-1234', quantity: 0 }] })
  expect(GUIDE).toContain(`Not valid: /order${problem!.path} ${problem!.message}.`)
  for (const type of ['CheckOrder_Order', 'Money'])
    expect([...files.values()].join('\n')).toContain(`export interface ${type} `)
})

it('docs/guides/values.md names each keyword', () => {
  expect([...KEYWORDS.keys()].filter((keyword) => !GUIDE.includes(`\`${keyword}\``))).toEqual([])
})
