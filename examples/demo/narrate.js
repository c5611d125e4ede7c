/** Prints one readable line for each step, and a summary at the end. */
export function narrate(print = (line) => console.log(line)) {
  const started = performance.now()
  let count = 0
  const since = (moment) => `${((performance.now() - moment) / 1000).toFixed(2)} s`
  return {
    /** Runs a step and says what came of it. */
    async step(name, run, describe) {
      const moment = performance.now()
      const outcome = await run()
      count++
      print(`${String(count).padStart(2)}  ${name.padEnd(20)} ${describe(outcome)}  (${since(moment)})`)
      return outcome
    },
    /** Ends the story; `left` says what was left running, if anything was. */
    summary(left) {
      print(
        `\n${count} steps in ${since(started)}: one manifest became a signed, governed service, and every call left a trail that verifies.`,
      )
      if (left === undefined) return
      const { url, folder, pid } = left
      print(
        `\nIt is still running, as process ${pid}:\n  discovery  ${url}/.well-known/svc\n  manifest   ${url}/svc/manifest\n  health     ${url}/-/ready\n  project    ${folder}\n\nStop it with: kill ${pid}`,
      )
    },
  }
}
