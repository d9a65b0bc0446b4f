import 'server-only'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const BINARY = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  existsSync,
)

export const hasRedis = BINARY !== undefined

export type PrivateRedis = { connect(): Redis; stop(): Promise<void> }

/** Reached through a socket file, so that no port is taken. */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'intag-redis-'))
  const socket = join(folder, 'redis.sock')
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'no']
  const server = spawn(BINARY ?? 'redis-server', settings, { stdio: 'ignore' })
  const exited = once(server, 'exit')
  const clients: Redis[] = []
  return {
    connect() {
      const client = new Redis({ path: socket, retryStrategy: () => 20 })
      client.on('error', () => {})
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) client.disconnect()
      server.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Tests with a Redis of their own. Where there is none they are skipped aloud, and under CI that is a failure. */
export function withRedis(what: string, tests: (connect: PrivateRedis['connect']) => void): void {
  describe.runIf(hasRedis)(`${what}, with a Redis of its own`, () => {
    let redis: PrivateRedis
    beforeAll(async () => void (redis = await startPrivateRedis()))
    afterAll(() => redis.stop())
    tests(() => redis.connect())
  })
  test.skipIf(hasRedis)(`${what}: not tested, for there is no redis-server on this machine`, () => {
    expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
  })
}
