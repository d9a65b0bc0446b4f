import { setTimeout as wait } from 'node:timers/promises'
import type { Scenario } from './scenario'

/** Times as much as otherwise: about eighty requests a second, a quarter of which change something. */
const BUSY = 8

/** As an operator does it at noon: the next one only when the one before takes requests again. */
export const rollingRestart: Scenario = {
  name: 'each instance in turn is told to end and started anew',
  bears: [],
  freshAgainMs: 12_000,
  async run({ instances, viewers }) {
    viewers.hurry(BUSY)
    for (const instance of instances) {
      await instance.end('SIGTERM')
      await instance.start()
      // The proxy tries one that it could not reach again after two seconds.
      await wait(2_500)
    }
    viewers.hurry(1)
  },
}
