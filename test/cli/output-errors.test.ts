import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { mindOutput } from '../../src/cli/shared/output/output-errors.js'

afterEach(() => {
  vi.restoreAllMocks()
})

const failing = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: write`), { code, syscall: 'write' })

it('does not mind a reader that has seen enough, and reports output that is lost', () => {
  const output = new PassThrough() as unknown as NodeJS.WriteStream
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  mindOutput(output)
  mindOutput(output)
  output.emit('error', failing('EPIPE'))
  expect(exit).not.toHaveBeenCalled()
  output.emit('error', failing('ENOSPC'))
  expect(exit.mock.calls).toEqual([[2]])
  expect(said.mock.calls).toEqual([
    ['svc: Cannot write: no space is left on the device (ENOSPC). Free some space, then run the command again.\n'],
  ])
})
