import { expect, it, vi } from 'vitest'
import { printVerdict } from '../../src/cli/verify/print.js'
import type { Verdict } from '../../src/cli/verify/verdict.js'

it('prints nothing of an artefact that steers a terminal', () => {
  let out = ''
  const writer = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  const verdict: Verdict = {
    kind: 'checkpoint',
    facts: [
      ['checkpoint', '\u001b[1A\u001b[2Kverified'],
      ['entries', 3, '3\u009b2K'],
    ],
    findings: ['It is \u001b[8m.'],
  }
  printVerdict(verdict, 'a.json', 'text')
  writer.mockRestore()
  expect(out.split('\n')).toEqual([
    'NOT verified: checkpoint a.json',
    '  checkpoint  \\u001b[1A\\u001b[2Kverified',
    '  entries     3\\u009b2K',
    '  - It is \\u001b[8m.',
    '',
  ])
})
