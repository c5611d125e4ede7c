import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a process, and waits until it has ended: what it writes meanwhile would keep its folder from being removed. */
export async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
