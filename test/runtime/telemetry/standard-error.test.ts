/** A log that cannot be written never delays, fails or ends a service (decisions, section 20). */
import { spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { jsonLog } from '../../../src/runtime/telemetry/log.js'
import { boundedLog, descriptorTarget, streamTarget } from '../../../src/runtime/telemetry/standard-error.js'

it('counts what is dropped, and says so before the next line that is written', () => {
  const lines: string[] = []
  let hasRoom = true
  const log = boundedLog({ take: (line) => hasRoom && lines.push(line) > 0 }, () => 0)
  log.write('one\n')
  hasRoom = false
  log.write('two\n')
  log.write('three\n')
  hasRoom = true
  log.write('four\n')
  log.write('five\n')
  expect([lines, log.dropped()]).toEqual([
    [
      'one\n',
      '{"level":40,"time":"1970-01-01T00:00:00.000Z","dropped":2,"msg":"Log lines were dropped: they could not be written."}\n',
      'four\n',
      'five\n',
    ],
    2,
  ])
})

it('keeps 1 MiB for a reader that does not read, and nothing for one that has gone', () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const { take } = streamTarget(stream)
  const line = 'x'.repeat(1000)
  const taken = Array.from({ length: 3000 }, () => take(line)).filter(Boolean).length
  expect(taken).toBeGreaterThan(1000)
  expect(taken).toBeLessThan(1100)
  stream.destroy(new Error('gone'))
  expect(take(line)).toBe(false)
})

it.runIf(process.platform === 'linux')('takes no line that a full disk refuses', () => {
  expect(descriptorTarget(openSync('/dev/full', 'w')).take('x\n')).toBe(false)
})

it('has no count of what another destination drops', () => {
  expect(jsonLog({ destination: { write: () => undefined } }).dropped).toBeUndefined()
})

const PROGRAM = `import { jsonLog } from ${JSON.stringify(resolve('dist/runtime/index.js'))}
const log = jsonLog()
for (let n = 0; n < 30_000; n++) log.info('x'.repeat(100))
process.stdout.write(log.dropped() > 0 ? 'dropped' : 'all')`
const ARGS = ['--input-type=module', '--eval', PROGRAM]

it.runIf(process.platform === 'linux')('goes on where the disk is full', () => {
  const { stdout, status } = spawnSync(process.execPath, ARGS, { stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')], timeout: 30_000, encoding: 'utf8' }) // prettier-ignore
  expect([stdout, status]).toEqual(['dropped', 0])
})

it('goes on where nobody reads its pipe', async () => {
  const child = spawn(process.execPath, ARGS, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  expect(said.toString()).toBe('dropped')
}, 30_000)
