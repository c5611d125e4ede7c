#!/usr/bin/env node
'use strict'
// Most starts are `svc validate` or `svc build` with nothing but names. Those load one file of code, and what V8 made of
// it in an earlier run; everything else loads the whole command line. Why and how: docs/decisions/starting-fast.md
const fs = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** The magic word, which file of code this was made from, and for how many bytes of a manifest. */
const HEADER = 96
const OF_THE_MANIFEST = 12
/** Bytes of memory for the code, and then for what V8 made of it. */
const ROOM = 300_000
/** Bytes that are compared at once. */
const PART = 65_536
/** Bytes of a manifest from which on it pays to optimise later. */
const LARGE = 40_000

const [command, ...args] = process.argv.slice(2)
if (isPlain(command, args)) (command === 'build' ? build(args) : quick(command, args)).then(exit)
else import('../dist/bundle/cli/main.js').then(({ run }) => run(process.argv)).then(exit)

function isPlain(command, args) {
  if (command === 'validate') return args.every(isName)
  const names = args.filter((arg) => arg !== '--no-bundle')
  return command === 'build' && names.length < 2 && names.every(isName)
}

function isName(arg) {
  return arg === '-' || (arg !== '' && !arg.startsWith('-'))
}

function exit(code) {
  process.exitCode = code
}

function load(specifier) {
  return import(specifier)
}

/** Most builds find that the last one still stands. */
async function build(args) {
  return (await quick('done', args)) ?? quick('build', args)
}

/** Runs one of the quick files; gives what it gives. */
async function quick(name, args) {
  const file = join(__dirname, '../dist/quick', `${name}.cjs`)
  const code = fs.openSync(file)
  const stats = fs.fstatSync(code)
  const bytes = Buffer.allocUnsafeSlow(Math.max(stats.size, ROOM))
  const source = bytes.latin1Slice(0, readAll(code, bytes, stats.size))
  const made = `${file.slice(0, -4)}-${process.version}-${process.arch}.v8`
  const known = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : madeBefore(made, stats, bytes)
  const script = new Script(source, { filename: file, cachedData: known?.bytes })
  const size = name === 'done' ? 0 : sizeOf(args)
  const isKept = known !== undefined && !script.cachedDataRejected && serves(known.size, size)
  if (size > LARGE && (isKept || !isKeepable(stats))) optimiseLater()
  const exports = {}
  script.runInThisContext()(exports, require, load, file, dirname(file))
  const result = await exports.run(args)
  if (!isKept && isKeepable(stats)) keep(made, headerOf(stats, size), script)
  return result
}

/** Reads a file to its end, or as much as is wanted of it; gives the number of bytes. */
function readAll(fd, bytes, wanted) {
  const read = readUpTo(fd, bytes, wanted)
  fs.closeSync(fd)
  return read
}

function readUpTo(fd, bytes, wanted) {
  let read = 0
  for (let more = -1; read < wanted && more !== 0; read += more) more = fs.readSync(fd, bytes, read, wanted - read)
  return read
}

/** Whether what was compiled for one manifest is enough for another: twice as large a one asks for more of the code. */
function serves(size, wanted) {
  return size * 2 >= wanted || wanted > LARGE
}

/** How much text the arguments name: the largest of the files, or of the folders of a service. */
function sizeOf(args) {
  const paths = args.length === 0 ? ['.'] : args
  return Math.max(...paths.map(sizeAt))
}

function sizeAt(path) {
  try {
    const stats = fs.statSync(path)
    return stats.isDirectory() ? fs.statSync(join(path, 'svc.yaml')).size : stats.size
  } catch {
    return 0
  }
}

/**
 * V8 optimises what ran for a while. In a run of a second or less, much of that is thrown away again when the next part of
 * the work looks different; waiting some four times as long takes a third less. Not while it makes code to keep: V8 takes
 * that back under the same flags only.
 */
function optimiseLater() {
  require('node:v8').setFlagsFromString('--interrupt-budget=600000')
}

/** Whoever owns the code keeps what is made of it; another user's files would be in the owner's way. */
function isKeepable({ uid }) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_V8_COVERAGE) return false
  return (process.geteuid?.() ?? uid) === uid
}

/**
 * What V8 made in an earlier run, if it belongs to whoever owns the code itself, was made from this very file, and is whole.
 * V8 looks at none of this: it would run whatever the file holds, and crash where it is damaged. It is put into `room`
 * if it fits: each page of fresh memory takes the kernel as long as a thousand instructions.
 */
function madeBefore(made, code, room) {
  try {
    // A link leads elsewhere, and a pipe would be waited for.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
    const file = fs.openSync(made, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const { uid, mode, size } = fs.fstatSync(file)
      if (uid !== code.uid || (process.platform !== 'win32' && (mode & 0o022) !== 0)) return undefined
      const middle = HEADER + (size - HEADER) / 2
      if (!Number.isInteger(middle)) return undefined
      const bytes = middle <= room.length ? room : Buffer.allocUnsafeSlow(middle)
      const own = HEADER - OF_THE_MANIFEST
      if (readUpTo(file, bytes, middle) < middle || bytes.latin1Slice(0, own) !== headerOf(code, 0).slice(0, own))
        return undefined
      if (!isTwice(file, bytes, middle)) return undefined
      return { bytes: bytes.subarray(HEADER, middle), size: Number(bytes.latin1Slice(own, HEADER)) }
    } finally {
      fs.closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Whether the rest of the file says the same again: comparing takes a tenth of the time of the quickest digest. */
function isTwice(file, bytes, end) {
  const again = Buffer.allocUnsafeSlow(PART)
  for (let from = HEADER; from < end; from += PART) {
    const part = Math.min(PART, end - from)
    if (readUpTo(file, again, part) < part || bytes.compare(again, 0, part, from, from + part) !== 0) return false
  }
  return fs.readSync(file, again) === 0
}

function headerOf({ size, mtimeMs, ctimeMs, ino }, manifest) {
  const own = HEADER - OF_THE_MANIFEST
  return (
    `svc 2 ${size} ${mtimeMs} ${ctimeMs} ${ino} `.padEnd(own, '.').slice(0, own) +
    `${manifest}`.padStart(OF_THE_MANIFEST)
  )
}

/** Keeps it beside the code: whoever may write there may change the code as well. A failure costs the next run some time. */
function keep(made, header, script) {
  // A long run has thrown away what it needed only at first.
  if (process.cpuUsage().user > 1_000_000) return
  const temporary = `${made}.${process.pid}`
  try {
    fs.accessSync(dirname(made), fs.constants.W_OK)
    const bytes = script.createCachedData()
    fs.writeFileSync(temporary, Buffer.concat([Buffer.from(header), bytes, bytes]), { flag: 'wx', mode: 0o644 })
    fs.renameSync(temporary, made)
  } catch {
    remove(temporary)
  }
}

function remove(path) {
  try {
    fs.rmSync(path, { force: true })
  } catch {
    // Where nothing can be removed, nothing was written.
  }
}
