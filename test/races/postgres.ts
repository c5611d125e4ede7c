import type { TestProject } from 'vitest/node'
import { startPostgres } from '../runtime/storage/postgres-server.js'

/** One durable PostgreSQL for all races. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(['max_connections=200'])
  project.provide('postgres', `postgresql://postgres@127.0.0.1:${server.port}`)
  return server.stop
}
