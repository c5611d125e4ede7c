import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatManifest } from '../../src/compiler/fix/format.js'

const manifest = (capability: string): string => `capabilities:
  lookup:
${capability}`

it.each([
  [
    'beside its key',
    '    output: # what comes back\n      type: account\n      fields: [ account ]\n',
    '    output: # what comes back\n      type: account\n      fields: [ account ]\n',
  ],
  [
    'with the field that it stands above, not with the list before it',
    '    output: { type: account }\n    minimum_scope:\n      - crm.read\n    # what callers give\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n    # what callers give\n    inputs: []\n    output: { type: account }\n',
  ],
  [
    'at the end of a list, and what is no deeper than the next field above that',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    # what callers give\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    # what callers give\n    inputs: []\n',
  ],
  [
    'between two items',
    '    inputs:\n      - name: a\n        # the last of a\n      # the second\n      - name: b\n',
    '    inputs:\n      - name: a\n        # the last of a\n      # the second\n      - name: b\n',
  ],
  [
    'before the next capability and at the end of the file',
    '    inputs: []\n    # of lookup\n  # the second\n  other:\n    inputs: []\n\n# the end\n',
    '    inputs: []\n    # of lookup\n  # the second\n  other:\n    inputs: []\n\n# the end\n',
  ],
])('leaves a comment %s', (_, written, expected) => {
  expect(formatManifest(manifest(written))).toBe(manifest(expected))
})

it('leaves a comment above any line of an example where it is', () => {
  const sound = formatManifest(readFileSync('examples/refunds/svc.yaml', 'utf8'))!
  const lines = sound.split('\n')
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '') continue
    const commented = lines.toSpliced(index, 0, line.replace(/\S.*/u, '# here')).join('\n')
    expect(formatManifest(commented)).toBe(commented)
  }
})
