/** Fragments of YAML in the guides, which `npm test -- guides` does not execute: what they say is taken. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { check } from '../src/compiler/check.js'
import { readConfig } from '../src/compiler/config/read-config.js'

const fragmentsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)].map(([, text]) => text!)
const indented = (text: string): string => text.replaceAll(/^(?=.)/gmu, '    ')

it('the settings of docs/guides/configuration.md are taken', () => {
  const [text = ''] = fragmentsOf('docs/guides/configuration.md')
  expect(readConfig({ file: 'svc.config.yaml', text }).diagnostics).toEqual([])
})

it('the approval of docs/guides/approvals.md and the failures of the README are taken', () => {
  const [approval = ''] = fragmentsOf('docs/guides/approvals.md')
  const failures = fragmentsOf('README.md').find((each) => each.startsWith('x-failures:')) ?? ''
  const text = `manifest_metadata: { version: '0.24.0' }
service_identity: { id: shop }
trust: { level: signed }
capabilities:
  buy:
    description: Buy what a quote names, at its price.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [shop.buy]
    inputs: []
    output: { type: order, fields: [order_id] }
    cost: { certainty: fixed, financial: { currency: EUR, amount: 5 } }
${indented(approval)}${indented(failures)}`
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([])
})

it.each(['docs/guides/change.md', 'docs/guides/ci.md'])('%s gives the action inputs that it has', (guide) => {
  const { inputs } = parse(readFileSync('action.yml', 'utf8')) as { readonly inputs: object }
  const fragment = fragmentsOf(guide).find((each) => each.includes('/svc-kit@'))
  const parsed = parse(fragment!) as { readonly steps: readonly object[] } | readonly object[]
  const steps = ('steps' in parsed ? parsed.steps : parsed) as readonly { readonly uses?: string; readonly with?: object }[] // prettier-ignore
  const ours = steps.filter(({ uses = '' }) => uses.includes('/svc-kit@'))
  expect(ours.length).toBe(1)
  expect(Object.keys(ours[0]!.with ?? {}).filter((name) => !Object.hasOwn(inputs, name))).toEqual([])
})
