import { setTimeout as wait } from 'node:timers/promises'
import type { Fleet } from './fleet'
import type { Instance } from './instance'
import type { Scenario } from './scenario'
import type { Outcome } from './verdicts'

/** What was under way when its instance was killed, and could not be sent again because it changes something. */
const LOST_ON_THE_WAY: Outcome[] = ['gateway', 'cut']
const AWAY: Outcome[] = ['busy', ...LOST_ON_THE_WAY]
/** A lock whose holder is gone ends after 15 s (`server/services.ts`). */
const WITH_LOCK_MS = 22_000
const SOON_MS = 12_000

export const killedAndPaused: Scenario[] = [
  ...(['first', 'second', 'third'] as const).map((which): Scenario => ({
    name: `kill -9 of the ${which} instance`,
    bears: AWAY,
    freshAgainMs: WITH_LOCK_MS,
    run: (fleet) => killAndStart(fleet[which]),
  })),
  {
    name: 'kill -9 of the instance that is asking the service',
    bears: AWAY,
    freshAgainMs: WITH_LOCK_MS,
    run: async (fleet) => killAndStart(await whileAsking(fleet)),
  },
  {
    name: 'the instance that is asking the service stands still for 20 s',
    bears: AWAY,
    freshAgainMs: WITH_LOCK_MS,
    async run(fleet) {
      const instance = await whileAsking(fleet)
      instance.pause()
      fleet.service.setFaults([])
      await wait(20_000)
      instance.resume()
    },
  },
  {
    name: 'Redis is killed and starts empty',
    bears: ['busy'],
    freshAgainMs: SOON_MS,
    async run({ redis }) {
      await redis.end('SIGKILL')
      await wait(4_000)
      await redis.start()
    },
  },
  {
    name: 'Redis stands still for 15 s',
    bears: ['busy'],
    freshAgainMs: WITH_LOCK_MS,
    async run({ redis }) {
      redis.pause()
      await wait(15_000)
      redis.resume()
    },
  },
  {
    name: 'PostgreSQL is stopped at once and started',
    bears: ['busy'],
    freshAgainMs: SOON_MS,
    async run({ postgres }) {
      await postgres.end('SIGQUIT')
      await wait(5_000)
      await postgres.start()
    },
  },
  {
    name: 'PostgreSQL stands still for 15 s',
    bears: ['busy'],
    freshAgainMs: SOON_MS,
    async run({ postgres }) {
      postgres.pause()
      await wait(15_000)
      postgres.resume()
    },
  },
  {
    name: 'the proxy reads its settings anew',
    bears: [],
    freshAgainMs: SOON_MS,
    async run({ proxy }) {
      proxy.signal('SIGHUP')
      await wait(3_000)
    },
  },
  {
    name: 'the proxy is killed',
    bears: ['refused', 'cut'],
    freshAgainMs: SOON_MS,
    async run({ proxy }) {
      await proxy.end('SIGKILL')
      await wait(2_000)
      await proxy.start()
    },
  },
]

async function killAndStart(instance: Instance): Promise<void> {
  await instance.end('SIGKILL')
  await wait(1_000)
  await instance.start()
}

const SLOW_MS = 3_000

/** The instance whose request the service is answering slowly. */
async function whileAsking({ service, instances }: Fleet): Promise<Instance> {
  service.setFaults([{ name: 'delay', ms: SLOW_MS }])
  for (;;) {
    await wait(20)
    const instance = instances[service.asking()]
    if (instance === undefined) continue
    // A moment, so that it is no request from before.
    await wait(200)
    if (instances[service.asking()] === instance) {
      service.setFaults([])
      return instance
    }
  }
}
