import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance, type Instance, type Shared } from './instance'
import { freePort } from './machine'
import { invitePeople, signIn, BOOTSTRAP } from './people'
import { createPostgres, createProxy, createRedis, mountSmallDisk } from './servers'
import { startService } from './service'
import { statusesAt, startViewers } from './viewers'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const INSTANCES = 3
const PEOPLE = 5
/** Leads that people decide about; those that come in meanwhile are left alone. */
const DECIDED = 300

/** Database, Redis, service and proxy run, and the first of three instances; people are at work. */
export async function startFleet() {
  const folder = mkdtempSync(join(tmpdir(), 'intag-fleet-'))
  chmodSync(folder, 0o711)
  const disk = mountSmallDisk(folder)
  const service = await startService(INSTANCES)
  const [postgres, redis] = await Promise.all([createPostgres(folder, disk), createRedis(folder)])
  const port = await freePort()
  const shared: Shared = {
    folder,
    databaseUrl: postgres.url,
    redisUrl: `redis://127.0.0.1:${redis.port}`,
    origin: `http://localhost:${port}`,
    secret: randomBytes(32).toString('hex'),
    key: randomBytes(32).toString('base64'),
  }
  const instances: Instance[] = []
  for (const [index, serviceUrl] of service.urls.entries()) {
    const dataDir = join(disk ?? folder, `data-${index + 1}`)
    instances.push(await createInstance({ ...shared, name: `instance-${index + 1}`, serviceUrl, dataDir }))
  }
  const proxy = await createProxy(
    folder,
    port,
    instances.map((instance) => instance.port),
  )
  const [first, second, third] = instances
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are not three doors.')
  await Promise.all([postgres.start(), redis.start()])
  await first.start()
  await proxy.start()
  const people = await invitePeople(shared.origin, PEOPLE)
  const admin = await signIn(shared.origin, BOOTSTRAP)
  const leads = [...(await statusesAt(first.origin, admin, 'declarations-of-interest')).keys()].slice(0, DECIDED)
  const viewers = startViewers(shared.origin, people, leads)
  return {
    disk,
    service,
    postgres,
    redis,
    proxy,
    instances,
    first,
    second,
    third,
    admin,
    viewers,
    async stop() {
      await viewers.stop()
      const ending = [proxy.end('SIGTERM'), ...instances.map((instance) => instance.end('SIGTERM'))]
      const ends = await Promise.allSettled(ending)
      await Promise.allSettled([redis.end('SIGTERM'), postgres.end('SIGINT'), service.stop()])
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed) throw failed.reason
    },
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
  }
}
