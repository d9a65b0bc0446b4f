import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask'
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
    name: 'Redis and every instance are killed, and start with an empty Redis',
    bears: AWAY,
    freshAgainMs: WITH_LOCK_MS,
    async run({ redis, instances }) {
      await Promise.all([redis, ...instances].map((machine) => machine.end('SIGKILL')))
      await redis.start()
      for (const instance of instances) await instance.start()
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
    async run({ postgres, shared, admin }) {
      await postgres.end('SIGQUIT')
      await wait(1_000)
      const faults = await reloads(shared.origin, admin, [200, 503])
      await wait(3_000)
      await postgres.start()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  },
  {
    name: 'PostgreSQL is away when an instance starts',
    bears: AWAY,
    freshAgainMs: WITH_LOCK_MS,
    run: startWithoutDatabase,
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

/** It must live, say that it waits, and go on by itself when the database is there. */
async function startWithoutDatabase({ third, postgres }: Fleet): Promise<void> {
  await third.end('SIGKILL')
  await postgres.end('SIGQUIT')
  const starting = third.start()
  await wait(10_000)
  const seen: string[] = []
  for (const path of ['/api/health/live', '/api/health/ready', '/api/status', '/declarations']) {
    const { status, body } = await ask(third.origin, path)
    seen.push(`${path} ${status} ${/waiting|väntar på databasen/.exec(body)?.[0] ?? ''}`.trim())
  }
  await postgres.start()
  await starting
  const told = seen.join(', ')
  const wanted =
    '/api/health/live 200, /api/health/ready 503 waiting, /api/status 503 waiting, /declarations 503 väntar på databasen'
  if (told !== wanted) throw new Error(told)
}

const RELOADED = ['/declarations', '/questions', '/admin/status', '/admin/users', '/api/views', '/api/status']

/** Each page several times over, as people do who see that something is wrong; answers those that Intag did not answer itself. */
export async function reloads(origin: string, cookie: string, statuses: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const path of [...RELOADED, ...RELOADED]) {
    const first = await ask(origin, path, { cookie })
    // Where nobody can be recognised a page leads to the one that says so.
    const { status, body, detail } = first.status === 307 ? await ask(origin, '/unreachable', { cookie }) : first
    const isIntags = path.startsWith('/api')
      ? body.startsWith('{')
      : body.includes('<title>Intag</title>') || status === 200
    if (!statuses.includes(status) || !isIntags || body.includes('Intag svarar inte')) faults.push(detail)
  }
  return faults
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
