/** Names at the end what was not run of a folder of vectors, and why. */
export default class NotRun {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    console.log(skipped.length === 0 ? '\nAll of the folder was run.' : '\nNot run:')
    for (const test of new Set(skipped.map(({ fullName }) => fullName.replace(': not run > ', ': '))))
      console.log(`- ${test}`)
  }
}
