import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from '../../src/cli/main.js'

/** Runs `svc` and gives its exit code and what it printed. */
async function svc(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true))
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true))
  try {
    return { code: await run(['node', 'svc', ...args]), ...printed }
  } finally {
    out.mockRestore()
    err.mockRestore()
    process.exitCode = 0
  }
}

describe('svc migrate', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-migrate-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('rehearses, applies and shows migrations', async () => {
    const database = join(folder, 'service.db')
    expect(await svc('migrate', 'up', '--dry-run', '--database', database)).toMatchObject({
      code: 0,
      out: 'would apply 001 first\nwould apply 002 rates\n',
    })
    expect(await svc('migrate', 'status', '--database', database)).toMatchObject({
      code: 1,
      out: 'pending  001 first\npending  002 rates\n',
    })
    expect(await svc('migrate', 'up', '--database', database)).toMatchObject({
      code: 0,
      out: 'applied 001 first\napplied 002 rates\n',
    })
    const { code, out } = await svc('migrate', 'status', '--database', database, '--json')
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      pending: [],
      applied: [
        { version: 1, name: 'first' },
        { version: 2, name: 'rates' },
      ],
    })
  })

  it('makes no database to show its status', async () => {
    const database = join(folder, 'none.db')
    expect(await svc('migrate', 'status', '--database', database)).toEqual({
      code: 2,
      out: '',
      err: `svc: There is no database ${database}. Make it with: svc migrate up --database ${database}\n`,
    })
  })

  it('asks which database', async () => {
    const { code, err } = await svc('migrate', 'up', '--database', '')
    expect({ code, err }).toEqual({
      code: 2,
      err: 'svc: Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.\n',
    })
  })

  it('says that a server cannot be reached, without its password', async () => {
    const { code, err } = await svc('migrate', 'up', '--database', 'postgresql://svc:secret@127.0.0.1:1/none')
    expect(code).toBe(2)
    expect(err).toContain('The database postgresql://127.0.0.1:1/none cannot be used.')
    expect(err).not.toContain('secret')
  })
})
