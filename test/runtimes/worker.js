import { scenarios } from './scenarios.js'

/** A module worker, or a thread of Node's: runs the scenario that it is sent and posts what was seen. */
async function answer({ module, scenario, ...job }) {
  const { createClient } = await import(module)
  return scenarios[scenario]({ createClient, ...job })
}

if ('onmessage' in globalThis) {
  globalThis.addEventListener('message', ({ data }) => void answer(data).then((seen) => globalThis.postMessage(seen)))
} else {
  const { parentPort } = await import('node:worker_threads')
  parentPort.once('message', (data) => void answer(data).then((seen) => parentPort.postMessage(seen)))
}
