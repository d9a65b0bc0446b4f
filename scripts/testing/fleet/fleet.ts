import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance, type Instance, type Shared } from './instance'
import { freePort } from '@/scripts/testing/free-port'
import { createPostgres, createProxy } from './servers'
import { startService } from './service'
import { BOOTSTRAP, invitePeople, signIn, startViewers, statusesAt } from './viewers'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const INSTANCES = 3
const PEOPLE = 5
const DECIDED = 300

export async function startFleet() {
  const folder = mkdtempSync(join(tmpdir(), 'intag-fleet-'))
  chmodSync(folder, 0o711)
  const service = await startService(INSTANCES)
  const postgres = await createPostgres(folder)
  const port = await freePort()
  const shared: Shared = {
    folder,
    databaseUrl: postgres.url,
    origin: `https://localhost:${port}`,
    secret: randomBytes(32).toString('hex'),
    key: randomBytes(32).toString('base64'),
  }
  const instances: Instance[] = []
  for (const [index, serviceUrl] of service.urls.entries())
    instances.push(await createInstance({ ...shared, name: `instance-${index + 1}`, serviceUrl }))
  const doors = instances.map((instance) => instance.port)
  const proxy = await createProxy(folder, port, doors)
  await postgres.start()
  for (const instance of instances) await instance.start()
  await proxy.start()
  const people = await invitePeople(shared.origin, PEOPLE)
  const admin = await signIn(shared.origin, BOOTSTRAP)
  const leads = [...(await statusesAt(shared.origin, admin)).keys()].slice(0, DECIDED)
  return {
    service,
    postgres,
    instances,
    admin,
    viewers: startViewers(shared.origin, people, leads),
    async stop() {
      const ends = await Promise.allSettled([proxy, ...instances].map((machine) => machine.end('SIGTERM')))
      await Promise.allSettled([postgres.end('SIGINT'), service.stop()])
      const failed = ends.find((end) => end.status === 'rejected')
      // The logs stay where an instance did not end.
      if (failed) throw failed.reason
      await rm(folder, { recursive: true, force: true })
    },
  }
}
