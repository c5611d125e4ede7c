import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const python = async (...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> => {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  return promisify(execFile)('python3', [...args], { env, timeout: 100_000 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  )
}

interface Case {
  readonly id: string
  readonly artefact: string
  readonly signature?: string
}

describe('the second verifier, in Python with openssl', () => {
  const golden = JSON.parse(readFileSync('test/vectors/svc-golden/vectors.json', 'utf8')) as {
    readonly jwks: object
    readonly origin: { readonly manifest: string; readonly signature: string; readonly kids: readonly [string] }
    readonly cases: readonly Case[]
  }
  const artefactOf = (id: string) => golden.cases.find((each) => each.id === id)!.artefact
  let folder = ''
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-python-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has at most 335 lines and imports nothing but the standard library', () => {
    const text = readFileSync('examples/verify/verify.py', 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(335)
    expect(text.match(/^(?:import|from) .*/gmu)).toEqual([
      'import argparse, base64, datetime, decimal, hashlib, itertools, json, pathlib, re, subprocess, sys, tempfile',
    ])
  })

  it('agrees on every golden vector, first bad sequences included', async () => {
    const { code, out } = await python('examples/verify/vectors.py', 'test/vectors/svc-golden/vectors.json')
    expect(out).toBe(`${golden.cases.length} agree, 0 disagree\n`)
    expect(code).toBe(0)
  })

  it('finds a vector that it was told wrongly', async () => {
    const cases = golden.cases.map((each, index) => (index === 0 ? { ...each, expect: 'invalid' } : each))
    const { code, out } = await python(
      'examples/verify/vectors.py',
      file('wrong.json', JSON.stringify({ ...golden, cases })),
    )
    expect({ code, out }).toEqual({ code: 1, out: `${cases.length - 1} agree, 1 disagree ${cases[0]!.id}\n` })
  })

  it('verifies files', async () => {
    file('origin.jws', golden.origin.signature)
    const jwks = file('jwks.json', JSON.stringify(golden.jwks))
    const origin = [
      '--manifest',
      file('origin.json', golden.origin.manifest),
      '--manifest-kid',
      golden.origin.kids[0],
      '--at',
      '2030-01-01T00:00:00Z',
    ]
    const trail = file('trail.ndjson', artefactOf('export-01-whole'))
    const verified = (file: string) => python('examples/verify/verify.py', 'export', file, '--jwks', jwks, ...origin)
    expect(await verified(trail)).toMatchObject({ code: 0, out: expect.stringMatching(/^verified: export/u) })
    for (const some of [[], origin.slice(0, 2), origin.slice(2)])
      expect(await python('examples/verify/verify.py', 'export', trail, '--jwks', jwks, ...some)).toMatchObject({
        code: 1,
        out: expect.stringContaining('origin unverified'),
      })
    const edited = file('edited.ndjson', artefactOf('export-10-edited'))
    const answer = await verified(edited)
    expect(answer).toMatchObject({ code: 1, out: expect.stringContaining('first bad sequence 7') })
    expect((await verified('nowhere')).code).toBe(2)
  })
})
