import { scenarios } from './scenarios.js'

/** In a browser: runs its scenario in the page, then in a worker, and reports what each saw. */
async function run() {
  const job = await (await fetch('/job')).json()
  const { createClient } = await import(job.module)
  const main = await scenarios[job.scenario]({ ...job, createClient })
  const worker = new Worker('/worker.js', { type: 'module' })
  const inWorker = await new Promise((seen, failed) => {
    worker.addEventListener('error', failed)
    worker.addEventListener('message', ({ data }) => seen(data))
    worker.postMessage(job)
  })
  return { agent: navigator.userAgent, main, worker: inWorker }
}

const report = await run().catch((error) => ({ error: String(error?.stack ?? error?.message ?? error) }))
await fetch('/report', { method: 'POST', body: JSON.stringify(report) })
