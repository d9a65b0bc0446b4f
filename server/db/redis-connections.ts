import 'server-only'
import { Redis } from 'ioredis'
import type { Logger } from '@/server/logger'
import type { RedisSeal } from './redis-seal'
import { withinTime } from '@/server/upstream/deadline'

/** One connection for commands and one that only subscribes, which Redis keeps apart. */
export type RedisConnections = {
  /** Its commands fail at once while Redis is away: none is sent later, when nobody waits for it any more. */
  commands: Redis
  subscriber: Redis
  /** What is sent through them is sealed with it. */
  seal: RedisSeal
  /** Resolves when Redis answers, or after three seconds all the same: connecting continues in the background. */
  connect(): Promise<void>
  /** Whether commands are answered, and how often a connection was lost since the start. */
  condition(): { isUp: boolean; lost: number }
  close(): void
}

/** Long, because a process that begins on a busy machine hears late of a connection that stands already. */
const FIRST_CONNECTION_MS = 10_000
const COMMAND_MS = 5_000
/** A connection that leaves a command unanswered for so long is opened anew. */
const SILENCE_MS = 8_000
const LONGEST_RETRY_MS = 2_000

/** What the parts that send messages need of it. */
export type RedisMessages = Pick<RedisConnections, 'commands' | 'subscriber' | 'seal'>

/** Nothing is opened before `connect`. */
export function createRedisConnections(
  url: string,
  { seal, logger }: { seal: RedisSeal; logger: Pick<Logger, 'info' | 'warn'> },
): RedisConnections {
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
  logOutages(commands, logger)
  let lost = 0
  for (const one of [commands, subscriber]) one.on('reconnecting', () => (lost += 1))
  // The other connection logs the same outage.
  subscriber.on('error', () => {})
  return {
    commands,
    subscriber,
    seal,
    connect: () => withinTime(commands.connect(), FIRST_CONNECTION_MS).catch(() => {}),
    condition: () => ({ isUp: commands.status === 'ready', lost }),
    close() {
      commands.disconnect()
      subscriber.disconnect()
    },
  }
}

function retryStrategy(tries: number): number {
  return Math.min(100 * tries, LONGEST_RETRY_MS)
}

/** Logs an outage once when it begins and once when it ends, however often connecting fails between. */
function logOutages(redis: Redis, logger: Pick<Logger, 'info' | 'warn'>): void {
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
