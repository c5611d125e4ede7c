/** Which fixes `--fix` writes, and where. */
import { expect, it } from 'vitest'
import { applyFixes } from '../../../src/compiler/fix/apply-fixes.js'

const manifest = (capability: string, head = ''): string => `${head}manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id, and says who owns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
${capability}`

const OUTPUT = '    output: { type: account, fields: [account] }\n'
const fixed = (text: string, options = {}): string => applyFixes([{ file: 'svc.yaml', text }], options)[0]!.text

it('leaves what has nothing to fix as it is, to the byte', () => {
  const text = manifest(`${OUTPUT}# the end`)
  expect(fixed(text)).toBe(text)
})

it('writes a safe fix, and a guess only where it is asked for', () => {
  const safe = manifest('    output: { type: account, fields: [account] }\n    observability: { logged: "true" }\n')
  expect(fixed(safe)).toBe(manifest(`${OUTPUT}    observability: { logged: true }\n`))
  const guess = manifest(`${OUTPUT}    obsrvability: { logged: true }\n`)
  expect(fixed(guess)).toBe(guess)
  expect(fixed(guess, { withGuesses: true })).toBe(manifest(`${OUTPUT}    observability: { logged: true }\n`))
})

it('writes several in one file, and those of a fragment in the fragment', () => {
  const [root, fragment] = applyFixes(
    [
      { file: 'svc.yaml', text: manifest(`${OUTPUT}    observability: { logged: "true", retention: P90D }\n    response_modes: unary\n`, 'include: [more.yaml]\n') },
      { file: 'more.yaml', text: `capabilities:\n  find:\n    description: Finds accounts by the name of who owns them.\n    contract_version: 1.0.0\n    side_effect: { type: read }\n    minimum_scope: [crm.read]\n    inputs: []\n${OUTPUT}    observability: { logged: "false" }\n` },
    ],
    {},
  )
  expect(root!.text).toContain('    observability: { logged: true, retention: P90D }\n    response_modes: [unary]\n')
  expect(fragment).toMatchObject({ file: 'more.yaml', text: expect.stringContaining('observability: { logged: false }\n') })
}) // prettier-ignore
