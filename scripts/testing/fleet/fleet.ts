import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstance, type Instance, type Shared } from './instance'
import { freePort } from '@/scripts/testing/free-port'
import { createPostgres, createProxy, createRedis, mountSmallDisk, unmount } from './servers'
import { startService } from './service'
import { BOOTSTRAP, invitePeople, signIn, startViewers, statusesAt } from './viewers'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const INSTANCES = 3
const PEOPLE = 5
const DECIDED = 300

export async function startFleet() {
  const world = await createWorld(INSTANCES)
  const { folder, disk, service, postgres, redis, shared } = world
  const port = Number(new URL(shared.origin).port)
  const instances: Instance[] = []
  for (const [index, serviceUrl] of service.urls.entries()) {
    const dataDir = join(disk ?? folder, `data-${index + 1}`)
    const isLast = index === INSTANCES - 1
    instances.push(
      await createInstance({ ...shared, name: `instance-${index + 1}`, serviceUrl, dataDir, hasOwnClock: isLast }),
    )
  }
  const doors = instances.map((instance) => instance.port)
  const proxy = await createProxy(folder, port, doors)
  const [first, second, third] = instances
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are not three doors.')
  await Promise.all([postgres.start(), redis.start()])
  await first.start()
  await proxy.start()
  const people = await invitePeople(shared.origin, PEOPLE)
  const admin = await signIn(shared.origin, BOOTSTRAP)
  const leads = [...(await statusesAt(first.origin, admin, 'declarations-of-interest')).keys()].slice(0, DECIDED)
  return {
    ...world,
    proxy,
    instances,
    first,
    second,
    third,
    admin,
    viewers: startViewers(shared.origin, people, leads),
    async stop() {
      const ending = [proxy.end('SIGTERM'), ...instances.map((instance) => instance.end('SIGTERM'))]
      const ends = await Promise.allSettled(ending)
      await world.stop()
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

async function createWorld(doors: number) {
  const folder = mkdtempSync(join(tmpdir(), 'intag-fleet-'))
  chmodSync(folder, 0o711)
  const disk = mountSmallDisk(folder)
  const service = await startService(doors)
  const [postgres, redis] = await Promise.all([createPostgres(folder, disk), createRedis(folder)])
  const shared: Shared = {
    folder,
    databaseUrl: postgres.url,
    redisUrl: `redis://127.0.0.1:${redis.port}`,
    origin: `https://localhost:${await freePort()}`,
    secret: randomBytes(32).toString('hex'),
    key: randomBytes(32).toString('base64'),
  }
  return {
    folder,
    disk,
    service,
    postgres,
    redis,
    shared,
    async stop() {
      await Promise.allSettled([redis.end('SIGTERM'), postgres.end('SIGINT'), service.stop()])
    },
    async remove() {
      if (disk !== null) unmount(disk)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
