import 'server-only'
import { Redis } from 'ioredis'
import type { Logger } from '@/server/logger'
import type { RedisSeal } from './redis-seal'
import { withinTime } from '@/server/upstream/deadline'

export type RedisConnections = ReturnType<typeof createRedisConnections>

/** Long: a busy machine notices an open connection late. */
const FIRST_CONNECTION_MS = 10_000
const COMMAND_MS = 5_000
/** A connection with an unanswered command is reopened after this. */
const SILENCE_MS = 8_000
const LONGEST_RETRY_MS = 2_000

export type RedisMessages = Pick<RedisConnections, 'commands' | 'subscriber' | 'seal'>

type Parts = { seal: RedisSeal; logger: Pick<Logger, 'info' | 'warn'> }

export function createRedisConnections(url: string, { seal, logger }: Parts) {
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
  subscriber.on('error', () => {})
  return {
    /** Commands fail at once while Redis is away; none is sent later. */
    commands,
    subscriber,
    seal,
    /** Resolves when Redis answers, or after a while all the same: connecting continues in the background. */
    connect: () => withinTime(commands.connect(), FIRST_CONNECTION_MS).catch(() => {}),
    condition: () => ({ isUp: commands.status === 'ready', lost }),
    close(): void {
      commands.disconnect()
      subscriber.disconnect()
    },
  }
}

function retryStrategy(tries: number): number {
  return Math.min(100 * tries, LONGEST_RETRY_MS)
}

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
