import { scenarios } from './scenarios.js'

/** In Node, Deno and Bun: runs the scenario of its first argument in the main thread, then in a worker; prints what each saw. */
const job = JSON.parse(process.argv[2])
const { createClient } = await import(job.module)
const main = await scenarios[job.scenario]({ ...job, createClient })

const { Worker } = 'Worker' in globalThis ? globalThis : await import('node:worker_threads')
const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' })
const inWorker = await new Promise((seen, failed) => {
  if ('on' in worker) worker.once('error', failed).once('message', seen)
  else {
    worker.addEventListener('error', failed)
    worker.addEventListener('message', ({ data }) => seen(data))
  }
  worker.postMessage(job)
})
console.log(JSON.stringify({ main, worker: inWorker }))
process.exit(0)
