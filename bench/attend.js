/** In a server's own process: sends its address to the parent, answers how much CPU time it has had, and ends when it is told. */
export function attend(url, tidy) {
  process.on('disconnect', () => process.exit())
  process.on('message', (question) => {
    if (question === 'cpu') process.send(process.cpuUsage())
    if (question === 'end') {
      tidy()
      process.exit(0)
    }
  })
  process.send(url)
}
