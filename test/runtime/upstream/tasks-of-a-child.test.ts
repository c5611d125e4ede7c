/** A child that may start processes fills no machine: not by itself, where it is not root (threat N26). */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bwrapWalls, foldersIn } from '../../../src/runtime/upstream/mcp/namespaces.js'

/** What is root for the kernel has no bound. */
const SOMEBODY = process.getuid?.() === 0 ? { uid: 12_345, gid: 12_345 } : {}

const STARTS = `
const { spawn } = require('node:child_process')
const started = Array.from({ length: 400 }, () => spawn('/bin/sleep', ['30']).on('error', () => undefined))
console.log(started.filter(({ pid }) => pid !== undefined).length)
process.exit()
`

it('of 400 processes fewer than 256 begin', () => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'svc-tasks-')))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  const folder = foldersIn(made)
  mkdirSync(folder.own)
  if (SOMEBODY.uid !== undefined) for (const each of [made, folder.own]) chownSync(each, SOMEBODY.uid, SOMEBODY.gid)
  const walls = bwrapWalls({ readable: [], writable: [], own: folder.own }, ['child-process'])
  const [program = '', ...args] = [...walls, process.execPath, '--eval', STARTS]
  const env = { PATH: process.env['PATH'] }
  const { stdout, stderr } = spawnSync(program, args, { ...SOMEBODY, env, encoding: 'utf8' })
  expect([Number(stdout), stderr]).toEqual([expect.toSatisfy((count: number) => count > 100 && count < 256), ''])
})
