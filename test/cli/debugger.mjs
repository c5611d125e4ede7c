/**
 * A debugger in a thread of its own, as an editor attaches one to dist/server.mjs of this folder: stops it at BREAK_AT (line:column, from 0), says where
 * it stands, and lets it go on.
 */
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

if (isMainThread) {
  const thread = new Worker(new URL(import.meta.url))
  await new Promise((attached) => thread.once('message', attached))
  await import(pathToFileURL(join(process.cwd(), 'dist/server.mjs')).href)
} else debug()

function debug() {
  /** The main thread prints nothing while it stands. */
  const say = (line) => writeSync(1, `${line}\n`)
  const [lineNumber, columnNumber] = process.env.BREAK_AT.split(':').map(Number)
  const session = new Session()
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params: { url, sourceMapURL } }) => {
    if (url.endsWith('/dist/server.mjs')) say(`MAP ${sourceMapURL}`)
  })
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const [{ functionName, location }] = callFrames
    say(`STOPPED ${functionName} ${location.lineNumber}`)
    session.post('Debugger.resume')
  })
  session.post('Debugger.enable')
  const place = { urlRegex: 'dist/server\\.mjs$', lineNumber, columnNumber }
  session.post('Debugger.setBreakpointByUrl', place, () => parentPort.postMessage('attached'))
  // The session ends with its thread.
  setInterval(() => undefined, 60_000)
}
