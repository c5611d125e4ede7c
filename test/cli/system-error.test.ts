import { mkdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { systemErrorText } from '../../src/cli/system-error.js'

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

describe('systemErrorText', () => {
  it('says what failed, why, and what to do', async () => {
    expect(systemErrorText(await errorOf(mkdir('/dev/null/shop')))).toBe(
      'Cannot make the folder /dev/null/shop: a part of the path is not a folder (ENOTDIR). Name another folder, or move that file away.',
    )
    expect(systemErrorText(await errorOf(readFile('/dev/shm')))).toBe(
      'Cannot read: it is a folder, where a file is expected (EISDIR). Move it away, or name a file.',
    )
  })

  it('leaves every other error to the report of a bug', () => {
    expect(systemErrorText(new TypeError('x is not a function'))).toBeUndefined()
    expect(systemErrorText(Object.assign(new Error('odd'), { code: 'ENOENT' }))).toBeUndefined()
    expect(systemErrorText('thrown text')).toBeUndefined()
  })
})
