// An attacker in a process of its own, so that its work does not disturb the measurement.
import { setMaxListeners } from 'node:events'
import { ATTACKS, Attacker, type Target } from './attack-list.ts'

let stop = new AbortController()

process.on('message', (message: 'stop' | { readonly attack: string; readonly target: Target }) => {
  if (message === 'stop') return stop.abort()
  stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const attack = ATTACKS.find(({ name }) => name === message.attack)
  const attacker = new Attacker(message.target)
  attack?.run(attacker, stop.signal).then(() => {
    attacker.close()
    process.send?.(attacker.answers())
  })
})
