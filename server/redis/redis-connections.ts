import 'server-only'
import { Redis } from 'ioredis'
import type { Logger } from '@/server/logger'
import { settled } from '@/server/upstream/settled'

export type RedisConnections = {
  /** Its commands fail at once while Redis is away: none is sent later, when nobody waits for it any more. */
  commands: Redis
  subscriber: Redis
  /** Resolves when Redis answers, or after a while all the same: connecting goes on by itself. */
  connect(): Promise<void>
  close(): void
}

const FIRST_CONNECTION_MS = 3_000
const COMMAND_MS = 5_000
/** A connection that says nothing for so long, although it was asked, is made anew. */
const SILENCE_MS = 8_000
const LONGEST_RETRY_MS = 2_000

/** Nothing is opened before `connect`. */
export function createRedisConnections(url: string, logger: Pick<Logger, 'info' | 'warn'>): RedisConnections {
  const commands = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: FIRST_CONNECTION_MS,
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy,
  })
  const subscriber = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null, retryStrategy })
  tellOutages(commands, logger)
  // The other connection tells of the same outage.
  subscriber.on('error', () => {})
  return {
    commands,
    subscriber,
    connect: () => settled(commands.connect(), FIRST_CONNECTION_MS).catch(() => {}),
    close() {
      commands.disconnect()
      subscriber.disconnect()
    },
  }
}

function retryStrategy(tries: number): number {
  return Math.min(100 * tries, LONGEST_RETRY_MS)
}

/** Once when it begins and once when it ends, however often connecting fails between. */
function tellOutages(redis: Redis, logger: Pick<Logger, 'info' | 'warn'>): void {
  let isAway = false
  redis.on('error', (err: unknown) => {
    if (!isAway) logger.warn({ err }, 'Redis cannot be reached; nothing is fetched until it can')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) logger.info('Redis can be reached again')
    isAway = false
  })
}
