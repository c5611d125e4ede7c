import { mkdir, readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CliError, InputError } from '../../src/cli/shared/errors/cli-error.js'
import { printable } from '../../src/cli/shared/output/printable.js'
import { reportError } from '../../src/cli/shared/output/report-error.js'
import { systemErrorText } from '../../src/cli/shared/errors/system-error.js'

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

const failed = (syscall: string, code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, ...(path !== undefined && { path }) })

const RIGHT = 'Give yourself the right to it, or choose another place.'
const SPACE = 'Free some space, then run the command again.'
it.each([
  ['open', 'EACCES', `Cannot open a: permission denied (EACCES). ${RIGHT}`],
  ['open', 'EPERM', `Cannot open a: the operation is not permitted (EPERM). ${RIGHT}`],
  ['open', 'EROFS', 'Cannot open a: the file system is read-only (EROFS). Choose a place that can be written.'],
  ['write', 'ENOSPC', `Cannot write a: no space is left on the device (ENOSPC). ${SPACE}`],
  ['write', 'EDQUOT', `Cannot write a: your disk quota is used up (EDQUOT). ${SPACE}`],
  ['write', 'EFBIG', 'Cannot write a: the file is larger than may be written here (EFBIG). Raise the limit (ulimit -f), then run the command again.'],
  ['open', 'ENOENT', 'Cannot open a: there is no such file or folder (ENOENT). Make it, or name another.'],
  ['scandir', 'ENOTDIR', 'Cannot list the folder a: a part of the path is not a folder (ENOTDIR). Name another folder, or move that file away.'],
  ['open', 'EISDIR', 'Cannot open a: it is a folder, where a file is expected (EISDIR). Move it away, or name a file.'],
  ['mkdir', 'EEXIST', 'Cannot make the folder a: it is there already, and is not what is expected (EEXIST). Move it away, or choose another place.'],
  ['rmdir', 'ENAMETOOLONG', 'Cannot remove the folder a: the name is too long (ENAMETOOLONG). Choose a shorter one.'],
  ['stat', 'ELOOP', 'Cannot look at a: the path goes through a loop of links (ELOOP). Fix the links, or name another path.'],
  ['lstat', 'ELOOP', 'Cannot look at a: the path goes through a loop of links (ELOOP). Fix the links, or name another path.'],
  ['unlink', 'EBUSY', 'Cannot remove a: it is in use (EBUSY). Close what uses it, then run the command again.'],
  ['open', 'EMFILE', 'Cannot open a: too many files are open (EMFILE). Raise the limit (ulimit -n), then run the command again.'],
  ['watch', 'ENOSPC', 'Cannot watch a: the system watches as many files as it may (ENOSPC). Raise the limit (sysctl fs.inotify.max_user_watches), then run the command again.'],
  ['watch', 'EMFILE', 'Cannot watch a: the system has as many watchers as it may (EMFILE). Raise the limit (sysctl fs.inotify.max_user_instances), then run the command again.'],
  ['read', 'EIO', 'Cannot read a: the device failed (EIO). Look after the device, then run the command again.'],
  ['read', 'EODD', undefined],
])('%s %s', (syscall, code, text) => {
  expect(systemErrorText(failed(syscall, code, 'a'))).toBe(text)
}) // prettier-ignore

describe('the end of a command', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    [new CliError('Wrong.'), 2, 'svc: Wrong.\n'],
    [new CliError('Found.', 1), 1, 'svc: Found.\n'],
    [new InputError({ code: 'SVC0001', slug: 'no-input', file: 'a', message: 'no file.' }), 2, 'svc: SVC0001 no-input: no file.\n'],
    [Object.assign(new Error('Elsewhere.'), { name: 'CliError', exitCode: 4, lines: ['Elsewhere.'] }), 4, 'svc: Elsewhere.\n'],
    [failed('open', 'ENOENT'), 2, 'svc: Cannot open: there is no such file or folder (ENOENT). Make it, or name another.\n'],
    [Object.assign(new Error('Odd.'), { stack: 'Error: Odd.\n    at a' }), 3, 'svc: this is a bug in svc; please report it with the text below.\nError: Odd.\n    at a\n'],
    ['thrown', 3, 'svc: this is a bug in svc; please report it with the text below.\nthrown\n'],
  ])('by %s', (error, code, text) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect([reportError(error), said.mock.calls]).toEqual([code, [[text]]])
  }) // prettier-ignore
})

it.each([
  ['plain é 漢 😀', 'plain é 漢 😀'],
  ['a\tb\nc', 'a\\u0009b\\u000ac'],
  ['\u001b[2J', '\\u001b[2J'],
  ['\u007f\u009b', '\\u007f\\u009b'],
  ['\u200b\u202e\ufeff', '\\u200b\\u202e\\ufeff'],
  ['\u2028\u2029', '\\u2028\\u2029'],
  ['\u{e0041}', '\\udb40\\udc41'],
])('%j is printed as %j', (text, wanted) => {
  expect(printable(text)).toBe(wanted)
})
