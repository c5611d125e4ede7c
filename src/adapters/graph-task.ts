/** One task of a graph, in which several calls may run and wait at once. */
export interface Task {
  /** In the order in which they began. */
  readonly calls: CallOfTask[]
  readonly waking: (() => void)[]
  /** Answers that the task was resumed with, in their order; undefined until a call has asked for them. */
  answers: readonly unknown[] | undefined
}

export interface CallOfTask {
  /** The approval request that the call opened before it was interrupted. */
  request?: string | undefined
  /** Holds once the request is looked up. */
  isKnown: boolean
  /** Interrupts the graph as soon as the other calls have ended or wait, too. */
  isWaiting: boolean
  hasEnded: boolean
}

const TASKS = new WeakMap<object, Task>()

/** Returns the task that an object of the graph stands for; without one, a call is a task of its own. */
export function taskOf(scratchpad: object = {}): Task {
  const task = TASKS.get(scratchpad) ?? { calls: [], waking: [], answers: undefined }
  TASKS.set(scratchpad, task)
  return task
}

export function beginCall({ calls }: Task): CallOfTask {
  const call: CallOfTask = { isKnown: false, isWaiting: false, hasEnded: false }
  calls.push(call)
  return call
}

export function change(task: Task, call: CallOfTask, facts: Partial<CallOfTask>): void {
  Object.assign(call, facts)
  for (const wake of task.waking.splice(0)) wake()
}

/** Waits until the requests of all calls are known. */
export const allKnown = (task: Task): Promise<void> => until(task, ({ isKnown }) => isKnown)

/** Waits for the turn of a call to interrupt the graph: what runs has ended, and calls that began before went first. */
export async function turnToInterrupt(task: Task, call: CallOfTask): Promise<void> {
  change(task, call, { isWaiting: true })
  const place = task.calls.indexOf(call)
  await until(task, (each) => each.hasEnded || (each.isWaiting && task.calls.indexOf(each) >= place))
}

async function until({ calls, waking }: Task, holds: (call: CallOfTask) => boolean): Promise<void> {
  while (!calls.every(holds)) await new Promise<void>((wake) => waking.push(wake))
}

/**
 * The answer to the request of a call. One that names a request is for that request; each other one is for the first
 * call that nothing was answered before, which is the one that the graph showed.
 */
export function answerFor({ calls, answers = [] }: Task, call: CallOfTask): unknown {
  const asked = calls.flatMap(({ request }) => (request === undefined ? [] : [request]))
  const given = new Map<string, unknown>()
  for (const answer of answers) {
    const request = requestNamedIn(answer) ?? asked.find((each) => !given.has(each))
    if (request !== undefined) given.set(request, answer)
  }
  return given.get(call.request!)
}

function requestNamedIn(answer: unknown): string | undefined {
  const { approval_request_id } = Object(answer) as { readonly approval_request_id?: unknown }
  return typeof approval_request_id === 'string' ? approval_request_id : undefined
}
