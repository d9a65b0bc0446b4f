import 'server-only'
import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Logger } from './logger'
import { withinTime } from './deadline'
import { parsedJson } from './parsed-json'
import type { RedisSeal } from './redis-seal'

export type RedisConnections = ReturnType<typeof createRedisConnections>

/** Long: a busy machine notices an open connection late. */
const FIRST_CONNECTION_MS = 10_000
const COMMAND_MS = 5_000
/** A connection with an unanswered command is reopened after this. */
const SILENCE_MS = 8_000
const MAX_RETRY_MS = 2_000

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
  subscriber.on('error', () => {})
  return {
    /** Commands fail at once while Redis is away; none is sent later. */
    commands,
    subscriber,
    seal,
    /** Resolves when Redis answers, or after a while all the same: connecting continues in the background. */
    connect: () => withinTime(commands.connect(), FIRST_CONNECTION_MS).catch(() => {}),
    close(): void {
      commands.disconnect()
      subscriber.disconnect()
    },
  }
}

function retryStrategy(tries: number): number {
  return Math.min(100 * tries, MAX_RETRY_MS)
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

type BridgeOptions<Message> = {
  redis: RedisMessages | null
  channel: string
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  onGap?: () => void
}

/** Ids only, sealed, not kept in Redis. A message with another key may have mattered: that is a gap. */
export function createRedisBridge<Message>(options: BridgeOptions<Message>) {
  const { redis, channel, schema, onMessage, onGap = () => {} } = options
  const self = randomUUID()
  const envelope = z.object({ from: z.string(), message: schema })
  let isConnected = false
  let isListening = redis === null
  const listen = async ({ subscriber }: NonNullable<typeof redis>) => {
    await subscriber.subscribe(channel)
    isListening = true
    onGap()
  }
  return {
    /** True when alone. */
    isListening: () => isListening,
    /** Lost while Redis is away, since it would be stale later. Answers whether Redis passed it on. */
    send: async (message: Message): Promise<boolean> => {
      if (redis === null) return true
      if (!isConnected) return false
      const sealed = redis.seal.texts.encrypt(JSON.stringify({ from: self, message }), channel)
      return redis.commands.publish(channel, sealed).then(
        () => true,
        () => false,
      )
    },
    connect: (): void => {
      if (redis === null) return
      isConnected = true
      redis.subscriber.on('message', (name, text) => {
        if (name !== channel) return
        const opened = redis.seal.texts.decrypt(text, channel)
        if (opened === null) return onGap()
        const parsed = envelope.safeParse(parsedJson(opened))
        if (parsed.success && parsed.data.from !== self) onMessage(parsed.data.message)
      })
      redis.subscriber.on('close', () => {
        isListening = false
        onGap()
      })
      // A reconnected subscriber subscribes again by itself and answers once it has.
      redis.subscriber.on('ready', () => void listen(redis).catch(() => {}))
      listen(redis).catch(() => {})
    },
  }
}
